CREATE TABLE `access_day` (
	`investigation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`day` text NOT NULL,
	`first_at` integer NOT NULL,
	PRIMARY KEY(`investigation_id`, `user_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `access_day_by_user` ON `access_day` (`user_id`);--> statement-breakpoint
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
	`signature` text,
	`hash` text NOT NULL,
	PRIMARY KEY(`investigation_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `activity_of_items` ON `activity` (`id`) WHERE action in ('items.locked', 'items.unlocked', 'items.archived', 'items.restored', 'items.deleted');--> statement-breakpoint
CREATE INDEX `activity_by_actor` ON `activity` (`actor_id`,`investigation_id`,`position`);--> statement-breakpoint
CREATE INDEX `activity_of_member` ON `activity` (case when json_valid(details) then details ->> '$.member' end,`investigation_id`,`position`) WHERE action in ('member.added', 'member.removed', 'member.role-changed', 'member.code-changed', 'member.relinked');--> statement-breakpoint
CREATE INDEX `activity_of_reviews` ON `activity` (`investigation_id`,`position`) WHERE action = 'log.reviewed';--> statement-breakpoint
CREATE INDEX `activity_of_survey` ON `activity` (`investigation_id`,case when json_valid(details) then details ->> '$.survey' end,`position`) WHERE action in ('survey.changed', 'survey.reminders-changed');--> statement-breakpoint
CREATE INDEX `activity_of_staff` ON `activity` (`investigation_id`,case when json_valid(details) then details ->> '$.member' end,`position`) WHERE action in ('member.added', 'member.removed', 'member.role-changed', 'member.code-changed', 'member.relinked') and case when json_valid(details) then
  coalesce(details ->> '$.before.role', '') in ('owner', 'editor') or coalesce(details ->> '$.after.role', '') in ('owner', 'editor') end;--> statement-breakpoint
CREATE TABLE `activity_item` (
	`investigation_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`first` text NOT NULL,
	`ids` text NOT NULL,
	PRIMARY KEY(`investigation_id`, `position`, `kind`, `first`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `member_attention` (
	`investigation_id` text NOT NULL,
	`reason` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`investigation_id`, `reason`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `participant_compliance` (
	`user_id` text NOT NULL,
	`survey_id` text NOT NULL,
	`month` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`user_id`, `survey_id`, `month`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `silent_participant` (
	`survey_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`survey_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `change` (
	`investigation_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`identifier` text NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`revision_id` text,
	PRIMARY KEY(`investigation_id`, `sequence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `change_of` ON `change` (`identifier`,`investigation_id`,`kind`);--> statement-breakpoint
CREATE TABLE `webhook` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`url` text NOT NULL,
	`kinds` text,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`position` integer NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`next_attempt_at` integer,
	`batch_id` text,
	`batch_through` integer,
	`called_at` integer,
	`asked_at` integer,
	`calls` text DEFAULT '[]' NOT NULL,
	`created_at` integer NOT NULL,
	`created_hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_by_study` ON `webhook` (`investigation_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_due` ON `webhook` (`next_attempt_at`) WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX `webhook_idle` ON `webhook` (`investigation_id`) WHERE next_attempt_at is null and status = 'active';--> statement-breakpoint
CREATE TABLE `survey_compliance` (
	`survey_id` text NOT NULL,
	`date` text NOT NULL,
	`outcome` text NOT NULL,
	`n` integer NOT NULL,
	`shown` integer NOT NULL,
	`opened` integer NOT NULL,
	`answered` integer NOT NULL,
	`answered_late` integer NOT NULL,
	PRIMARY KEY(`survey_id`, `date`, `outcome`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `member` (
	`investigation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`paused_until` integer,
	`participant_since` integer,
	`invited_as` text,
	`agreed_to` text,
	`number` integer,
	`written` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`investigation_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `member_by_user` ON `member` (`user_id`,`investigation_id`,`participant_since`,`paused_until`);--> statement-breakpoint
CREATE INDEX `member_paused` ON `member` (`user_id`) WHERE paused_until is not null;--> statement-breakpoint
CREATE INDEX `member_staff` ON `member` (`investigation_id`,`role`,`user_id`,`invited_as`,`agreed_to`) WHERE role <> 'responder';--> statement-breakpoint
CREATE TABLE `member_code` (
	`user_id` text NOT NULL,
	`investigation_id` text NOT NULL,
	`code` text NOT NULL,
	PRIMARY KEY(`user_id`, `investigation_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `member_code_in_study` ON `member_code` (`investigation_id`,`code`);--> statement-breakpoint
CREATE TABLE `deleted_study` (
	`investigation_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`purged_through` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `deleted_study_by_age` ON `deleted_study` (`at`);--> statement-breakpoint
CREATE TABLE `investigation` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`time_zone` text NOT NULL,
	`starts_on` text NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	`creator_id` text NOT NULL,
	`lock_policy` text,
	`information` text,
	`frozen_at` integer,
	`active_since` integer NOT NULL,
	`case_count` integer DEFAULT 0 NOT NULL,
	`member_count` integer DEFAULT 0 NOT NULL,
	`survey_count` integer DEFAULT 0 NOT NULL,
	`enrolled_count` integer DEFAULT 0 NOT NULL,
	`revision_id` text NOT NULL,
	`created_hash` text NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`deleted_bytes` integer DEFAULT 0 NOT NULL,
	`written` integer DEFAULT 0 NOT NULL,
	`notified_bytes` integer DEFAULT 0 NOT NULL,
	`largest_response` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitation` (
	`email` text NOT NULL,
	`investigation_id` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`code` text,
	PRIMARY KEY(`email`, `investigation_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `invitation_by_investigation` ON `invitation` (`investigation_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `invitation_by_inviter` ON `invitation` (`invited_by`,`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `invitation_by_age` ON `invitation` (`created_at`);--> statement-breakpoint
CREATE INDEX `invitation_by_code` ON `invitation` (`investigation_id`,`code`) WHERE code is not null;--> statement-breakpoint
CREATE TABLE `enrolment` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`number` integer,
	`code` text NOT NULL,
	`label` text,
	`uses` integer NOT NULL,
	`used` integer DEFAULT 0 NOT NULL,
	`uses_by_hour` text DEFAULT '{}' NOT NULL,
	`expires_at` integer,
	`ended_at` integer,
	`user_id` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`created_hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrolment_by_code` ON `enrolment` (`code`);--> statement-breakpoint
CREATE INDEX `enrolment_by_study` ON `enrolment` (`investigation_id`,`number`);--> statement-breakpoint
CREATE INDEX `enrolment_of_user` ON `enrolment` (`user_id`) WHERE user_id is not null;--> statement-breakpoint
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
	`locked_in` integer,
	`archived_at` integer,
	`deleted_at` integer,
	`state_revision` text
);
--> statement-breakpoint
CREATE INDEX `case_by_state` ON `study_case` (`investigation_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `case_edited` ON `study_case` (`investigation_id`,`edited_at`) WHERE edited_at > created_at;--> statement-breakpoint
CREATE INDEX `case_by_creator` ON `study_case` (`creator_id`,`investigation_id`,`id`);--> statement-breakpoint
CREATE INDEX `case_deleted` ON `study_case` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE TABLE `response_revision` (
	`response_id` text NOT NULL,
	`number` integer NOT NULL,
	`id` text NOT NULL,
	`author_id` text NOT NULL,
	`at` integer NOT NULL,
	`items` text NOT NULL,
	`reasons` text NOT NULL,
	`since` integer,
	`whole_bytes` integer,
	`reason` text,
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
	`given_at` integer,
	`notification` text,
	`late` integer,
	`outdated` integer DEFAULT false NOT NULL,
	`revised_at` integer NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`changed_bytes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`revision_id` text NOT NULL,
	`locked_at` integer,
	`locked_in` integer,
	`archived_at` integer,
	`deleted_at` integer,
	`state_revision` text
);
--> statement-breakpoint
CREATE INDEX `response_by_state` ON `response` (`investigation_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_of_case` ON `response` (`case_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_of_survey` ON `response` (`survey_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_edited` ON `response` (`investigation_id`,`revised_at`) WHERE revised_at > created_at;--> statement-breakpoint
CREATE INDEX `response_by_case` ON `response` (`case_id`,`responder_id`);--> statement-breakpoint
CREATE INDEX `response_by_responder` ON `response` (`responder_id`,`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_deleted` ON `response` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE TABLE `set_aside` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`survey_id` text NOT NULL,
	`case_id` text NOT NULL,
	`responder_id` text NOT NULL,
	`reason` text NOT NULL,
	`items` text NOT NULL,
	`reasons` text NOT NULL,
	`given_at` integer NOT NULL,
	`notification` text,
	`late` integer,
	`outdated` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_hash` text NOT NULL,
	`stored_bytes` integer NOT NULL,
	`settled_at` integer
);
--> statement-breakpoint
CREATE INDEX `set_aside_by_study` ON `set_aside` (`investigation_id`,`settled_at`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `set_aside_by_responder` ON `set_aside` (`responder_id`,`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `set_aside_settled` ON `set_aside` (`settled_at`) WHERE settled_at is not null;--> statement-breakpoint
CREATE TABLE `scheduled_notification` (
	`user_id` text NOT NULL,
	`survey_id` text NOT NULL,
	`revision` integer NOT NULL,
	`occurrence` text NOT NULL,
	`counter` integer NOT NULL,
	`due_at` integer NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`time_zone` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`settled_at` integer,
	`state` text,
	`reason` text,
	`deliveries` text,
	`planned_from` text,
	`follow_ups` text,
	`next_follow_up_at` integer,
	`retry_at` integer,
	`snoozed_until` integer,
	`shown_at` integer,
	`opened_at` integer,
	`dismissed_at` integer,
	`answered_at` integer,
	`answered_late` integer,
	`outcome` text GENERATED ALWAYS AS (iif(state = 'skipped', 'skipped:' || coalesce(reason, 'unknown'), nullif(state, 'invalidated'))) VIRTUAL,
	`response_end` text GENERATED ALWAYS AS (iif(length(occurrence) > 14, substr(occurrence, -9), null)) VIRTUAL,
	`next_at` integer GENERATED ALWAYS AS (case when settled_at is null then next_attempt_at
        else coalesce(min(next_follow_up_at, retry_at), next_follow_up_at, retry_at) end) VIRTUAL,
	PRIMARY KEY(`user_id`, `survey_id`, `revision`, `occurrence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notification_due` ON `scheduled_notification` (`next_at`) WHERE next_at is not null;--> statement-breakpoint
CREATE INDEX `notification_of_response` ON `scheduled_notification` (`response_end`) WHERE response_end is not null;--> statement-breakpoint
CREATE TABLE `replan` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`investigation_id` text,
	`after` text DEFAULT '' NOT NULL,
	`touched_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `dead_letter` (
	`id` text PRIMARY KEY NOT NULL,
	`users` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job_run` (
	`name` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`after` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `metric` (
	`name` text PRIMARY KEY NOT NULL,
	`value` real NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `relay_message` (
	`message_id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `survey_download` (
	`user_id` text NOT NULL,
	`survey_id` text NOT NULL,
	`at` integer NOT NULL,
	`local_date` text NOT NULL,
	PRIMARY KEY(`user_id`, `survey_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `survey` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`reminders_revision` integer DEFAULT 0 NOT NULL,
	`reminders_since` integer NOT NULL,
	`reminds_again` integer DEFAULT false NOT NULL,
	`plan_stamp` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	`window_secret` text,
	`revision_id` text NOT NULL,
	`created_hash` text NOT NULL,
	`plain_reminders` text GENERATED ALWAYS AS (case when json_valid(reminders) then json_remove(reminders, '$.translations') else reminders end) STORED,
	`triggered_by` text GENERATED ALWAYS AS (case when json_valid(reminders) then reminders ->> '$.trigger.survey' end) STORED,
	`name` text NOT NULL,
	`reminders` text,
	`items` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `survey_by_investigation` ON `survey` (`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `survey_triggered` ON `survey` (`triggered_by`) WHERE triggered_by is not null;--> statement-breakpoint
CREATE TABLE `device` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`platform` text NOT NULL,
	`token` text NOT NULL,
	`endpoint` text NOT NULL,
	`time_zone` text,
	`language` text,
	`enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`zone_since` integer DEFAULT 0 NOT NULL,
	`standing` text DEFAULT 'kept' NOT NULL,
	`changed_at` integer
);
--> statement-breakpoint
CREATE INDEX `device_by_token` ON `device` (`token`,`platform`);--> statement-breakpoint
CREATE INDEX `device_by_change` ON `device` (`changed_at`) WHERE changed_at is not null;--> statement-breakpoint
CREATE INDEX `device_by_endpoint` ON `device` (`endpoint`);--> statement-breakpoint
CREATE INDEX `device_by_user` ON `device` (`user_id`,`enabled`,`zone_since`) WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX `device_disabled` ON `device` (`platform`) WHERE enabled = 0 and user_id is not null;--> statement-breakpoint
CREATE TABLE `user` (
	`id` text PRIMARY KEY NOT NULL,
	`issuer` text,
	`subject` text,
	`email` text,
	`email_proved_at` integer DEFAULT 0 NOT NULL,
	`name` text NOT NULL,
	`time_zone` text,
	`custom_reminders_time` text,
	`paused_until` integer,
	`quiet_hours_start` text,
	`quiet_hours_end` text,
	`language` text,
	`enrolment_id` text,
	`named_at` integer DEFAULT 0 NOT NULL,
	`study_count` integer DEFAULT 0 NOT NULL,
	`membership_count` integer DEFAULT 0 NOT NULL,
	`plan_stamp` integer DEFAULT 0 NOT NULL,
	`seen_at` integer,
	`created_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE TABLE `zone_change` (
	`of_id` text NOT NULL,
	`position` integer NOT NULL,
	`since` integer NOT NULL,
	`time_zone` text,
	`source` text NOT NULL,
	PRIMARY KEY(`of_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `user_by_token` ON `user` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `user_by_end` ON `user` (substr(id, 21));--> statement-breakpoint
CREATE INDEX `user_by_email` ON `user` (`email`) WHERE email is not null;--> statement-breakpoint
CREATE VIEW `current_member` AS select investigation_id, user_id, role, created_at, paused_until, participant_since, invited_as, agreed_to, number from member where not exists (
    select 1 from deleted_study where deleted_study.investigation_id = member.investigation_id);--> statement-breakpoint
-- The feed of changes: each change of a thing takes the study's next sequence. A change without a time of its own has that of its entry in the log, which is written before. Webhooks that wait for a change become due, so that no crash leaves them behind.
CREATE VIEW `new_change` AS SELECT `investigation_id`, `kind`, `identifier`, `state`, `at`, `revision_id` FROM `change`;--> statement-breakpoint
CREATE TRIGGER `change_noted` INSTEAD OF INSERT ON `new_change` BEGIN
  INSERT INTO `change` VALUES (NEW.`investigation_id`, (SELECT coalesce(max(`sequence`), 0) + 1 FROM `change` WHERE `investigation_id` = NEW.`investigation_id`), NEW.`kind`, NEW.`identifier`, NEW.`state`,
    coalesce(NEW.`at`, (SELECT `at` FROM `activity` WHERE `investigation_id` = NEW.`investigation_id` ORDER BY `position` DESC LIMIT 1), 0), NEW.`revision_id`)
  ON CONFLICT (`identifier`, `investigation_id`, `kind`) DO UPDATE SET `sequence` = excluded.`sequence`, `state` = excluded.`state`, `at` = excluded.`at`, `revision_id` = excluded.`revision_id`;
  UPDATE `webhook` SET `next_attempt_at` = 0 WHERE `investigation_id` = NEW.`investigation_id` AND next_attempt_at is null and status = 'active';
END;--> statement-breakpoint
-- Counters, so that a limit costs no counting. A frozen study refuses every new or edited case, response and survey; locks of items are entries of the log, as the freeze is.
CREATE TRIGGER `member_added` AFTER INSERT ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`;
  UPDATE `user` SET `membership_count` = `membership_count` + 1 WHERE `id` = NEW.`user_id`;
  UPDATE `member` SET `participant_since` = NEW.`created_at` WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id` AND `participant_since` IS NULL
    AND EXISTS (SELECT 1 FROM `participant` p WHERE p.`investigation_id` = NEW.`investigation_id` AND p.`user_id` = NEW.`user_id`);
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'member', NEW.`user_id`, 'active', NEW.`created_at`, NULL);
END;--> statement-breakpoint
CREATE TRIGGER `member_removed` AFTER DELETE ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`;
  UPDATE `user` SET `membership_count` = `membership_count` - 1 WHERE `id` = OLD.`user_id`;
  DELETE FROM `member_attention` WHERE `investigation_id` = OLD.`investigation_id` AND `reason` IN ('unreachable', 'paused', 'never-downloaded') AND `user_id` = OLD.`user_id`;
  DELETE FROM `silent_participant` WHERE `survey_id` IN (SELECT `id` FROM `survey` WHERE `investigation_id` = OLD.`investigation_id`) AND `user_id` = OLD.`user_id`;
  INSERT INTO `new_change` VALUES (OLD.`investigation_id`, 'member', OLD.`user_id`, 'removed', NULL, NULL);
END;--> statement-breakpoint
CREATE TRIGGER `invitation_added` AFTER INSERT ON `invitation` BEGIN UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `invitation_removed` AFTER DELETE ON `invitation` BEGIN UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
-- A stored row adds to the bytes of its study; a row that a participant writes adds to those of a day too, theirs and all participants' (`written`, in the schema). No row is written that stays as it is.
CREATE VIEW `new_bytes` AS SELECT `investigation_id`, `user_id`, 0 AS `at`, 0 AS `written`, 0 AS `stored`, 0 AS `cases`, 0 AS `response` FROM `member`;--> statement-breakpoint
CREATE TRIGGER `staff_wrote` INSTEAD OF INSERT ON `new_bytes` WHEN NEW.`stored` + NEW.`response` > 0 AND NOT EXISTS (SELECT 1 FROM `member` WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id` AND `role` = 'responder') BEGIN
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + NEW.`stored`, `case_count` = `case_count` + NEW.`cases`, `largest_response` = max(`largest_response`, NEW.`response`) WHERE `id` = NEW.`investigation_id`;
END;--> statement-breakpoint
CREATE TRIGGER `participant_wrote` INSTEAD OF INSERT ON `new_bytes` WHEN EXISTS (SELECT 1 FROM `member` WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id` AND `role` = 'responder') BEGIN
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + NEW.`stored`, `case_count` = `case_count` + NEW.`cases`, `largest_response` = max(`largest_response`, NEW.`response`),
    `written` = iif(`written` / 100000000000 = NEW.`at` / 86400000, `written`, NEW.`at` / 86400000 * 100000000000) + NEW.`written` WHERE `id` = NEW.`investigation_id`;
  UPDATE `member` SET `written` = iif(`written` / 100000000000 = NEW.`at` / 86400000, `written`, NEW.`at` / 86400000 * 100000000000) + NEW.`written` WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `case_added` AFTER INSERT ON `study_case` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  INSERT INTO `new_bytes` VALUES (NEW.`investigation_id`, NEW.`creator_id`, NEW.`created_at`, 2500, 200 + octet_length(NEW.`created_with`) + octet_length(NEW.`label`), 1, 0);
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'case', NEW.`id`, 'active', NEW.`created_at`, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `case_relabelled` AFTER UPDATE OF `label` ON `study_case` WHEN octet_length(NEW.`label`) <> octet_length(OLD.`label`) BEGIN
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + octet_length(NEW.`label`) - octet_length(OLD.`label`) WHERE `id` = NEW.`investigation_id`;
END;--> statement-breakpoint
-- A deleted item frees its room at once. It counts apart until it is purged; then 100 bytes stay, for its line in the feed.
CREATE TRIGGER `case_deletion` AFTER UPDATE OF `deleted_at` ON `study_case` WHEN (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN
  UPDATE `investigation` SET `case_count` = `case_count` + iif(NEW.`deleted_at` IS NULL, 1, -1),
    `stored_bytes` = `stored_bytes` + iif(NEW.`deleted_at` IS NULL, 1, -1) * (200 + octet_length(NEW.`created_with`) + octet_length(NEW.`label`)),
    `deleted_bytes` = `deleted_bytes` - iif(NEW.`deleted_at` IS NULL, 1, -1) * (200 + octet_length(NEW.`created_with`) + octet_length(NEW.`label`)) WHERE `id` = NEW.`investigation_id`;
END;--> statement-breakpoint
CREATE TRIGGER `case_removed` AFTER DELETE ON `study_case` BEGIN
  UPDATE `investigation` SET `case_count` = `case_count` - (OLD.`deleted_at` IS NULL),
    `stored_bytes` = `stored_bytes` + iif(OLD.`deleted_at` IS NULL, -200 - octet_length(OLD.`created_with`) - octet_length(OLD.`label`), 100),
    `deleted_bytes` = `deleted_bytes` - iif(OLD.`deleted_at` IS NULL, 0, 200 + octet_length(OLD.`created_with`) + octet_length(OLD.`label`)) WHERE `id` = OLD.`investigation_id`;
END;--> statement-breakpoint
CREATE TRIGGER `zone_change_added` AFTER INSERT ON `zone_change` WHEN NEW.`position` > 100 BEGIN DELETE FROM `zone_change` WHERE `of_id` = NEW.`of_id` AND `position` = NEW.`position` - 100; END;--> statement-breakpoint
CREATE TRIGGER `survey_added` AFTER INSERT ON `survey` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  UPDATE `investigation` SET `survey_count` = `survey_count` + 1, `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`name`) + octet_length(NEW.`items`) + coalesce(octet_length(NEW.`reminders`), 0) WHERE `id` = NEW.`investigation_id`;
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'survey', NEW.`id`, 'active', NEW.`created_at`, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `survey_changed` AFTER UPDATE OF `name`, `items`, `reminders`, `archived_at` ON `survey` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + octet_length(NEW.`name`) + octet_length(NEW.`items`) + coalesce(octet_length(NEW.`reminders`), 0) - octet_length(OLD.`name`) - octet_length(OLD.`items`) - coalesce(octet_length(OLD.`reminders`), 0) WHERE `id` = NEW.`investigation_id`;
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'survey', NEW.`id`, CASE WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, NULL, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `survey_removed` AFTER DELETE ON `survey` BEGIN UPDATE `investigation` SET `survey_count` = `survey_count` - 1, `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`name`) - octet_length(OLD.`items`) - coalesce(octet_length(OLD.`reminders`), 0) WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `response_grown` AFTER UPDATE OF `stored_bytes` ON `response` WHEN NEW.`stored_bytes` <> OLD.`stored_bytes` BEGIN
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + NEW.`stored_bytes` - OLD.`stored_bytes`, `largest_response` = max(`largest_response`, octet_length(NEW.`items`) + octet_length(NEW.`reasons`)) WHERE `id` = NEW.`investigation_id`;
END;--> statement-breakpoint
CREATE TRIGGER `response_deletion` AFTER UPDATE OF `deleted_at` ON `response` WHEN (OLD.`deleted_at` IS NULL) <> (NEW.`deleted_at` IS NULL) BEGIN
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + iif(NEW.`deleted_at` IS NULL, 1, -1) * NEW.`stored_bytes`,
    `deleted_bytes` = `deleted_bytes` - iif(NEW.`deleted_at` IS NULL, 1, -1) * NEW.`stored_bytes` WHERE `id` = NEW.`investigation_id`;
END;--> statement-breakpoint
CREATE TRIGGER `response_removed` AFTER DELETE ON `response` BEGIN
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + iif(OLD.`deleted_at` IS NULL, -OLD.`stored_bytes`, 100),
    `deleted_bytes` = `deleted_bytes` - iif(OLD.`deleted_at` IS NULL, 0, OLD.`stored_bytes`) WHERE `id` = OLD.`investigation_id`;
END;--> statement-breakpoint
-- Answers set aside count like responses; those that are placed or discarded free their room. A frozen study keeps them as they are.
CREATE TRIGGER `set_aside_added` AFTER INSERT ON `set_aside` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  INSERT INTO `new_bytes` VALUES (NEW.`investigation_id`, NEW.`responder_id`, NEW.`created_at`, NEW.`stored_bytes`, NEW.`stored_bytes`, 0, 0);
END;--> statement-breakpoint
CREATE TRIGGER `set_aside_changed` AFTER UPDATE OF `settled_at`, `stored_bytes` ON `set_aside` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + NEW.`stored_bytes` - OLD.`stored_bytes` WHERE `id` = NEW.`investigation_id`;
END;--> statement-breakpoint
CREATE TRIGGER `set_aside_removed` AFTER DELETE ON `set_aside` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` - OLD.`stored_bytes` WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
-- An edit is at most twice what its revision stores: in its row, and in the response's.
CREATE TRIGGER `revision_added` AFTER INSERT ON `response_revision` WHEN NEW.`number` > 1 BEGIN
  INSERT INTO `new_bytes` SELECT `investigation_id`, NEW.`author_id`, NEW.`at`, 2 * (200 + octet_length(NEW.`items`) + octet_length(NEW.`reasons`)) + coalesce(octet_length(NEW.`reason`), 0), 0, 0, 0 FROM `response` WHERE `id` = NEW.`response_id`;
END;--> statement-breakpoint
-- An entry of a participant; the items of a lock by filter are in rows of their own.
CREATE TRIGGER `activity_added` AFTER INSERT ON `activity` WHEN NEW.`action` IN ('items.locked', 'items.unlocked', 'items.archived', 'items.restored', 'items.deleted') BEGIN
  INSERT INTO `new_bytes` VALUES (NEW.`investigation_id`, NEW.`actor_id`, NEW.`at`, 1000 + octet_length(NEW.`cases`) + octet_length(NEW.`responses`) + coalesce(octet_length(NEW.`reason`), 0)
    + 36 * iif(json_valid(NEW.`details`), coalesce(NEW.`details` ->> '$.items.cases' + NEW.`details` ->> '$.items.responses', 0), 0), 0, 0, 0);
END;--> statement-breakpoint
CREATE TRIGGER `activity_details_added` AFTER INSERT ON `activity` WHEN octet_length(NEW.`details`) > 1000 BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`details`) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `study_created` AFTER INSERT ON `investigation` BEGIN INSERT INTO `new_change` VALUES (NEW.`id`, 'study', NEW.`id`, 'active', NEW.`created_at`, NEW.`revision_id`); END;--> statement-breakpoint
CREATE TRIGGER `study_changed` AFTER UPDATE OF `name`, `time_zone`, `starts_on`, `archived_at`, `frozen_at`, `lock_policy`, `information` ON `investigation` BEGIN INSERT INTO `new_change` VALUES (NEW.`id`, 'study', NEW.`id`, CASE WHEN NEW.`frozen_at` IS NOT NULL THEN 'locked' WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, NULL, NEW.`revision_id`); END;--> statement-breakpoint
CREATE TRIGGER `case_changed` AFTER UPDATE OF `label`, `hidden`, `revision_id`, `locked_at`, `archived_at`, `deleted_at` ON `study_case` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL AND NEW.`revision_id` <> OLD.`revision_id`;
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'case', NEW.`id`, CASE WHEN NEW.`deleted_at` IS NOT NULL THEN 'deleted' WHEN NEW.`locked_at` IS NOT NULL THEN 'locked' WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, iif(NEW.`revision_id` <> OLD.`revision_id`, NEW.`edited_at`, NULL), NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `response_added` AFTER INSERT ON `response` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  INSERT INTO `new_bytes` VALUES (NEW.`investigation_id`, NEW.`responder_id`, NEW.`revised_at`, NEW.`stored_bytes`, NEW.`stored_bytes`, 0, octet_length(NEW.`items`) + octet_length(NEW.`reasons`));
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'response', NEW.`id`, 'active', NEW.`revised_at`, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `response_changed` AFTER UPDATE OF `items`, `reasons`, `revision_id`, `locked_at`, `archived_at`, `deleted_at` ON `response` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL AND NEW.`revision_id` <> OLD.`revision_id`;
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'response', NEW.`id`, CASE WHEN NEW.`deleted_at` IS NOT NULL THEN 'deleted' WHEN NEW.`locked_at` IS NOT NULL THEN 'locked' WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, iif(NEW.`revision_id` <> OLD.`revision_id`, NEW.`revised_at`, NULL), NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `role_changed` AFTER UPDATE OF `role` ON `member` BEGIN INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'member', NEW.`user_id`, 'active', NULL, NULL); END;--> statement-breakpoint
-- Members who take part: responders, and staff with a phone or a download of the study. `participant_since` follows.
CREATE VIEW `participant` AS
  SELECT m.`investigation_id`, m.`user_id` FROM `member` m WHERE m.`role` = 'responder'
  OR EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = m.`user_id`)
  OR EXISTS (SELECT 1 FROM `survey` s JOIN `survey_download` d ON d.`user_id` = m.`user_id` AND d.`survey_id` = s.`id` WHERE s.`investigation_id` = m.`investigation_id`);--> statement-breakpoint
-- Reasons for attention of participants, beside silence. A pause may have run out.
CREATE VIEW `attention` AS
  SELECT m.`investigation_id`, 'unreachable' AS `reason`, m.`user_id` FROM `member` m
  WHERE m.`participant_since` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = m.`user_id` AND d.`enabled`)
  UNION ALL SELECT m.`investigation_id`, 'paused', m.`user_id` FROM `member` m
  WHERE m.`participant_since` IS NOT NULL AND (m.`paused_until` IS NOT NULL OR (SELECT u.`paused_until` FROM `user` u WHERE u.`id` = m.`user_id`) IS NOT NULL)
  UNION ALL SELECT m.`investigation_id`, 'never-downloaded', m.`user_id` FROM `member` m
  WHERE m.`participant_since` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `survey` s JOIN `survey_download` d ON d.`user_id` = m.`user_id` AND d.`survey_id` = s.`id` WHERE s.`investigation_id` = m.`investigation_id`);--> statement-breakpoint
CREATE TRIGGER `participation_changed` AFTER UPDATE OF `participant_since` ON `member` WHEN (OLD.`participant_since` IS NULL) <> (NEW.`participant_since` IS NULL) BEGIN
  DELETE FROM `member_attention` WHERE NEW.`participant_since` IS NULL AND `investigation_id` = NEW.`investigation_id` AND `reason` IN ('unreachable', 'paused', 'never-downloaded') AND `user_id` = NEW.`user_id`;
  DELETE FROM `silent_participant` WHERE NEW.`participant_since` IS NULL AND `survey_id` IN (SELECT `id` FROM `survey` WHERE `investigation_id` = NEW.`investigation_id`) AND `user_id` = NEW.`user_id`;
  INSERT INTO `member_attention` SELECT * FROM `attention` WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id` ON CONFLICT DO NOTHING;
  INSERT INTO `silent_participant` SELECT `id`, NEW.`user_id` FROM `survey` s WHERE NEW.`participant_since` IS NOT NULL AND `investigation_id` = NEW.`investigation_id` AND (SELECT count(*) = 3 AND NOT max(`answered`) FROM (
    SELECT `answered_at` IS NOT NULL OR `outcome` = 'skipped:answered' AS `answered` FROM `scheduled_notification`
    WHERE `user_id` = NEW.`user_id` AND `survey_id` = s.`id` AND `outcome` IS NOT NULL ORDER BY `revision` DESC, `occurrence` DESC LIMIT 3)) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
-- Compliance: the new row's outcome is added, and the old row's is taken off. Deleted rows stay counted, since only the purge deletes rows that count. Users who answered none of the last three are silent.
CREATE TRIGGER `notification_added` AFTER INSERT ON `scheduled_notification` WHEN NEW.`outcome` IS NOT NULL BEGIN
  INSERT INTO `survey_compliance` VALUES (NEW.`survey_id`, substr(NEW.`occurrence`, 1, 10), NEW.`outcome`, 1, NEW.`shown_at` IS NOT NULL, NEW.`opened_at` IS NOT NULL, NEW.`answered_at` IS NOT NULL, NEW.`answered_late` IS NOT NULL)
  ON CONFLICT DO UPDATE SET `n` = `n` + 1, `shown` = `shown` + excluded.`shown`, `opened` = `opened` + excluded.`opened`, `answered` = `answered` + excluded.`answered`, `answered_late` = `answered_late` + excluded.`answered_late`;
  DELETE FROM `silent_participant` WHERE `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id` AND (NEW.`answered_at` IS NOT NULL OR NEW.`outcome` = 'skipped:answered');
  INSERT INTO `silent_participant` SELECT NEW.`survey_id`, NEW.`user_id` WHERE (SELECT count(*) = 3 AND NOT max(`answered`) FROM (
    SELECT `answered_at` IS NOT NULL OR `outcome` = 'skipped:answered' AS `answered` FROM `scheduled_notification`
    WHERE `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `outcome` IS NOT NULL ORDER BY `revision` DESC, `occurrence` DESC LIMIT 3)) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `notification_changed` AFTER UPDATE OF `state`, `reason`, `shown_at`, `opened_at`, `answered_at`, `answered_late` ON `scheduled_notification`
WHEN (OLD.`outcome`, OLD.`shown_at` IS NULL, OLD.`opened_at` IS NULL, OLD.`answered_at` IS NULL, OLD.`answered_late`) IS NOT (NEW.`outcome`, NEW.`shown_at` IS NULL, NEW.`opened_at` IS NULL, NEW.`answered_at` IS NULL, NEW.`answered_late`) BEGIN
  UPDATE `survey_compliance` SET `n` = `n` - 1, `shown` = `shown` - (OLD.`shown_at` IS NOT NULL), `opened` = `opened` - (OLD.`opened_at` IS NOT NULL), `answered` = `answered` - (OLD.`answered_at` IS NOT NULL), `answered_late` = `answered_late` - (OLD.`answered_late` IS NOT NULL)
  WHERE OLD.`outcome` IS NOT NEW.`outcome` AND `survey_id` = OLD.`survey_id` AND `date` = substr(OLD.`occurrence`, 1, 10) AND `outcome` = OLD.`outcome`;
  INSERT INTO `survey_compliance` SELECT NEW.`survey_id`, substr(NEW.`occurrence`, 1, 10), NEW.`outcome`, NOT `same`, (NEW.`shown_at` IS NOT NULL) - (`same` AND OLD.`shown_at` IS NOT NULL), (NEW.`opened_at` IS NOT NULL) - (`same` AND OLD.`opened_at` IS NOT NULL), (NEW.`answered_at` IS NOT NULL) - (`same` AND OLD.`answered_at` IS NOT NULL), (NEW.`answered_late` IS NOT NULL) - (`same` AND OLD.`answered_late` IS NOT NULL)
  FROM (SELECT OLD.`outcome` IS NEW.`outcome` AS `same`) WHERE NEW.`outcome` IS NOT NULL
  ON CONFLICT DO UPDATE SET `n` = `n` + excluded.`n`, `shown` = `shown` + excluded.`shown`, `opened` = `opened` + excluded.`opened`, `answered` = `answered` + excluded.`answered`, `answered_late` = `answered_late` + excluded.`answered_late`;
  DELETE FROM `silent_participant` WHERE `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id` AND (NEW.`answered_at` IS NOT NULL OR coalesce(NEW.`outcome`, 'skipped:answered') = 'skipped:answered');
  INSERT INTO `silent_participant` SELECT NEW.`survey_id`, NEW.`user_id` WHERE (SELECT count(*) = 3 AND NOT max(`answered`) FROM (
    SELECT `answered_at` IS NOT NULL OR `outcome` = 'skipped:answered' AS `answered` FROM `scheduled_notification`
    WHERE `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `outcome` IS NOT NULL ORDER BY `revision` DESC, `occurrence` DESC LIMIT 3)) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `device_added` AFTER INSERT ON `device` WHEN NEW.`user_id` IS NOT NULL BEGIN
  UPDATE `member` SET `participant_since` = NEW.`created_at` WHERE `user_id` = NEW.`user_id` AND `participant_since` IS NULL;
  DELETE FROM `member_attention` WHERE NEW.`enabled` AND `investigation_id` IN (SELECT `investigation_id` FROM `member` WHERE `user_id` = NEW.`user_id`) AND `reason` = 'unreachable' AND `user_id` = NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `device_changed` AFTER UPDATE OF `enabled`, `user_id` ON `device` WHEN (OLD.`enabled`, OLD.`user_id`) IS NOT (NEW.`enabled`, NEW.`user_id`) BEGIN
  UPDATE `member` SET `participant_since` = NULL WHERE OLD.`user_id` IS NOT NEW.`user_id` AND `user_id` = OLD.`user_id` AND `participant_since` IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM `participant` p WHERE p.`investigation_id` = `member`.`investigation_id` AND p.`user_id` = `member`.`user_id`);
  DELETE FROM `member_attention` WHERE NEW.`enabled` AND `investigation_id` IN (SELECT `investigation_id` FROM `member` WHERE `user_id` = NEW.`user_id`) AND `reason` = 'unreachable' AND `user_id` = NEW.`user_id`;
  INSERT INTO `member_attention` SELECT * FROM `attention` WHERE `user_id` IN (OLD.`user_id`, NEW.`user_id`) AND `reason` = 'unreachable' ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `user_paused` AFTER UPDATE OF `paused_until` ON `user` WHEN (OLD.`paused_until` IS NULL) <> (NEW.`paused_until` IS NULL) BEGIN
  DELETE FROM `member_attention` WHERE `investigation_id` IN (SELECT `investigation_id` FROM `member` WHERE `user_id` = NEW.`id`) AND `reason` = 'paused' AND `user_id` = NEW.`id`;
  INSERT INTO `member_attention` SELECT * FROM `attention` WHERE `user_id` = NEW.`id` AND `reason` = 'paused' ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `member_paused` AFTER UPDATE OF `paused_until` ON `member` WHEN (OLD.`paused_until` IS NULL) <> (NEW.`paused_until` IS NULL) BEGIN
  DELETE FROM `member_attention` WHERE `investigation_id` = NEW.`investigation_id` AND `reason` = 'paused' AND `user_id` = NEW.`user_id`;
  INSERT INTO `member_attention` SELECT * FROM `attention` WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id` AND `reason` = 'paused' ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `survey_downloaded` AFTER INSERT ON `survey_download` BEGIN
  UPDATE `member` SET `participant_since` = NEW.`at` WHERE `investigation_id` = (SELECT `investigation_id` FROM `survey` WHERE `id` = NEW.`survey_id`) AND `user_id` = NEW.`user_id` AND `participant_since` IS NULL;
  DELETE FROM `member_attention` WHERE `investigation_id` = (SELECT `investigation_id` FROM `survey` WHERE `id` = NEW.`survey_id`) AND `reason` = 'never-downloaded' AND `user_id` = NEW.`user_id`;
END;
