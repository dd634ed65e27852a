ALTER TABLE `investigation` ADD `revision_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `investigation` ADD `created_hash` text;--> statement-breakpoint
ALTER TABLE `survey` ADD `revision_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `survey` ADD `created_hash` text;