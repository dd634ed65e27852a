CREATE TABLE `deleted_study` (
	`investigation_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`purged_through` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deleted_study_by_age` ON `deleted_study` (`at`);--> statement-breakpoint
CREATE VIEW `current_member` AS select investigation_id, user_id, role, created_at, paused_until from member where not exists (
    select 1 from deleted_study where deleted_study.investigation_id = member.investigation_id);