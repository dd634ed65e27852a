ALTER TABLE `scheduled_notification` ADD `snoozed_until` integer;--> statement-breakpoint
ALTER TABLE `scheduled_notification` ADD `shown_at` integer;--> statement-breakpoint
ALTER TABLE `scheduled_notification` ADD `opened_at` integer;--> statement-breakpoint
ALTER TABLE `scheduled_notification` ADD `dismissed_at` integer;