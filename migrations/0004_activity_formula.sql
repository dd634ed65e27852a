ALTER TABLE `activity` ADD `formula` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `activity` ADD `rehashed` text;--> statement-breakpoint
CREATE INDEX `activity_old_formula` ON `activity` (`investigation_id`,`position`) WHERE formula = 0;