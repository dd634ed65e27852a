CREATE TABLE `activity` (
	`investigation_id` text NOT NULL,
	`position` integer NOT NULL,
	`id` text NOT NULL,
	`at` integer NOT NULL,
	`actor_id` text NOT NULL,
	`action` text NOT NULL,
	`cases` text NOT NULL,
	`responses` text NOT NULL,
	`reason` text,
	`details` text,
	`hash` text NOT NULL,
	PRIMARY KEY(`investigation_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `study_case` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`creator_id` text NOT NULL,
	`label` text NOT NULL,
	`hidden` integer NOT NULL,
	`created_with` text NOT NULL,
	`edited_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revision_id` text NOT NULL,
	`locked_at` integer,
	`archived_at` integer,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `case_by_investigation` ON `study_case` (`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `case_by_creator` ON `study_case` (`creator_id`,`investigation_id`);--> statement-breakpoint
CREATE INDEX `case_deleted` ON `study_case` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE TABLE `dead_letter` (
	`id` text PRIMARY KEY NOT NULL,
	`users` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `device` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`platform` text NOT NULL,
	`token` text NOT NULL,
	`endpoint` text NOT NULL,
	`time_zone` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_by_token` ON `device` (`platform`,`token`);--> statement-breakpoint
CREATE INDEX `device_by_endpoint` ON `device` (`endpoint`);--> statement-breakpoint
CREATE INDEX `device_by_user` ON `device` (`user_id`,`seen_at`);--> statement-breakpoint
CREATE TABLE `survey_download` (
	`user_id` text NOT NULL,
	`survey_id` text NOT NULL,
	`at` integer NOT NULL,
	`local_date` text NOT NULL,
	PRIMARY KEY(`user_id`, `survey_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `investigation` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`time_zone` text NOT NULL,
	`starts_on` text NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	`active_since` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitation` (
	`email` text NOT NULL,
	`investigation_id` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`email`, `investigation_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `invitation_by_investigation` ON `invitation` (`investigation_id`);--> statement-breakpoint
CREATE TABLE `job` (
	`name` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`after` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `member` (
	`investigation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`investigation_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `member_by_user` ON `member` (`user_id`,`investigation_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `metric` (
	`name` text PRIMARY KEY NOT NULL,
	`value` real NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `scheduled_notification` (
	`user_id` text NOT NULL,
	`survey_id` text NOT NULL,
	`revision` integer NOT NULL,
	`occurs_on` text NOT NULL,
	`counter` integer NOT NULL,
	`due_at` integer NOT NULL,
	`look_at` integer NOT NULL,
	`time_zone` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`settled_at` integer,
	`state` text,
	`reason` text,
	`deliveries` text,
	PRIMARY KEY(`user_id`, `survey_id`, `revision`, `occurs_on`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notification_pending` ON `scheduled_notification` (`look_at`) WHERE settled_at is null;--> statement-breakpoint
CREATE TABLE `relay_message` (
	`message_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `replan` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`investigation_id` text,
	`after` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `response_revision` (
	`response_id` text NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`author_id` text NOT NULL,
	`at` integer NOT NULL,
	`items` text NOT NULL,
	`reasons` text NOT NULL,
	PRIMARY KEY(`response_id`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `response` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`survey_id` text NOT NULL,
	`case_id` text NOT NULL,
	`responder_id` text NOT NULL,
	`items` text NOT NULL,
	`reasons` text NOT NULL,
	`revised_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`revision_id` text NOT NULL,
	`locked_at` integer,
	`archived_at` integer,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `response_by_investigation` ON `response` (`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_by_case` ON `response` (`case_id`,`responder_id`);--> statement-breakpoint
CREATE INDEX `response_by_responder` ON `response` (`responder_id`,`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_deleted` ON `response` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE TABLE `survey` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`name` text NOT NULL,
	`items` text NOT NULL,
	`reminders` text,
	`reminders_revision` integer DEFAULT 0 NOT NULL,
	`reminders_since` integer NOT NULL,
	`plan_stamp` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer
);
--> statement-breakpoint
CREATE INDEX `survey_by_investigation` ON `survey` (`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `user` (
	`id` text PRIMARY KEY NOT NULL,
	`issuer` text,
	`subject` text,
	`email` text,
	`name` text NOT NULL,
	`time_zone` text,
	`custom_reminders_time` text,
	`paused_until` integer,
	`plan_stamp` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_by_token` ON `user` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `user_by_email` ON `user` (`email`) WHERE email is not null;