DROP INDEX `member_by_user`;--> statement-breakpoint
ALTER TABLE `member` ADD `paused_until` integer;--> statement-breakpoint
CREATE INDEX `member_paused` ON `member` (`user_id`) WHERE paused_until is not null;--> statement-breakpoint
CREATE INDEX `member_by_user` ON `member` (`user_id`,`investigation_id`,`created_at`,`paused_until`);