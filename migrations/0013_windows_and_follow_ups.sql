ALTER TABLE `scheduled_notification` ADD `follow_ups` text;--> statement-breakpoint
ALTER TABLE `scheduled_notification` ADD `next_follow_up_at` integer;--> statement-breakpoint
CREATE INDEX `notification_to_follow_up` ON `scheduled_notification` (`next_follow_up_at`) WHERE next_follow_up_at is not null;--> statement-breakpoint
ALTER TABLE `survey` ADD `window_secret` text;--> statement-breakpoint
ALTER TABLE `user` ADD `quiet_hours_start` text;--> statement-breakpoint
ALTER TABLE `user` ADD `quiet_hours_end` text;