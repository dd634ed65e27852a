ALTER TABLE `device` ADD `pending_token` text;--> statement-breakpoint
ALTER TABLE `device` ADD `relay_change_at` integer;--> statement-breakpoint
CREATE INDEX `device_by_pending_token` ON `device` (`pending_token`) WHERE pending_token is not null;--> statement-breakpoint
CREATE INDEX `device_changing` ON `device` (`relay_change_at`) WHERE relay_change_at is not null;--> statement-breakpoint
ALTER TABLE `user` ADD `email_proved_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `invitation_by_age` ON `invitation` (`created_at`);