CREATE TABLE `activity_item` (
	`investigation_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`first` text NOT NULL,
	`ids` text NOT NULL,
	PRIMARY KEY(`investigation_id`, `position`, `kind`, `first`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `activity` ADD `signature` text;--> statement-breakpoint
CREATE INDEX `activity_of_items` ON `activity` (`id`) WHERE action in ('items.locked', 'items.unlocked', 'items.archived', 'items.restored', 'items.deleted');--> statement-breakpoint
ALTER TABLE `investigation` ADD `lock_policy` text;