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
CREATE INDEX `activity_of_survey` ON `activity` (`investigation_id`,case when json_valid(details) then details ->> '$.survey' end,`position`) WHERE action in ('survey.changed', 'survey.reminders-changed') and case when json_valid(details) then
  details -> '$.before.items' is not null end;--> statement-breakpoint
CREATE INDEX `activity_signed` ON `activity` (`investigation_id`,`position`) WHERE signature is not null;--> statement-breakpoint
CREATE INDEX `activity_of_staff` ON `activity` (`investigation_id`,case when json_valid(details) then details ->> '$.member' end,`position`) WHERE action in ('member.added', 'member.removed', 'member.role-changed', 'member.code-changed', 'member.relinked') and case when json_valid(details) then
  coalesce(details ->> '$.before.role', '') in ('owner', 'editor', 'monitor') or coalesce(details ->> '$.after.role', '') in ('owner', 'editor', 'monitor') end;--> statement-breakpoint
CREATE TABLE `activity_item` (
	`investigation_id` text NOT NULL,
	`position` integer NOT NULL,
	`kind` text NOT NULL,
	`first` text NOT NULL,
	`ids` text NOT NULL,
	PRIMARY KEY(`investigation_id`, `position`, `kind`, `first`)
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
CREATE TABLE `change` (
	`investigation_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`identifier` text NOT NULL,
	`state` text NOT NULL,
	`at` integer NOT NULL,
	`revision_id` text,
	`properties` text,
	PRIMARY KEY(`investigation_id`, `sequence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `change_of` ON `change` (`identifier`,`investigation_id`,`kind`);--> statement-breakpoint
CREATE INDEX `former_member` ON `change` (`investigation_id`,`identifier`) WHERE state = 'removed' and kind = 'member';--> statement-breakpoint
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
	`properties` text NOT NULL,
	`date` text NOT NULL,
	`outcome` text NOT NULL,
	`n` integer NOT NULL,
	`shown` integer NOT NULL,
	`opened` integer NOT NULL,
	`answered` integer NOT NULL,
	`answered_late` integer NOT NULL,
	PRIMARY KEY(`survey_id`, `properties`, `date`, `outcome`)
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
	`joined_on` text,
	`dates` text,
	`participation` text,
	`properties` text,
	`scope` text,
	`number` integer,
	`written` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`investigation_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `member_by_user` ON `member` (`user_id`,`investigation_id`,`participant_since`,`paused_until`,`joined_on`,`dates`,`participation`,`properties`);--> statement-breakpoint
CREATE INDEX `member_paused` ON `member` (`user_id`) WHERE paused_until is not null;--> statement-breakpoint
CREATE INDEX `member_staff` ON `member` (`investigation_id`,`role`,`user_id`,`invited_as`,`agreed_to`,`dates`,`participation`,`properties`,`scope`) WHERE role <> 'responder';--> statement-breakpoint
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
	`course` text,
	`frozen_at` integer,
	`frozen_groups` text,
	`regrouped` integer DEFAULT 0 NOT NULL,
	`active_since` integer NOT NULL,
	`case_count` integer DEFAULT 0 NOT NULL,
	`member_count` integer DEFAULT 0 NOT NULL,
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
	`properties` text,
	`scope` text,
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
	`dates` text,
	`participation` text,
	`properties` text,
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
	`properties` text,
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
	`occurrence` text,
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
CREATE INDEX `response_of_notification` ON `response` (`notification`,(case when given_at is null then created_at else given_at end),`id`) WHERE notification is not null and deleted_at is null;--> statement-breakpoint
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
	`occurrence` text,
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
	`version` integer DEFAULT 0 NOT NULL,
	`next_at` integer,
	`claimed_until` integer,
	`claims` integer DEFAULT 0 NOT NULL,
	`id` text,
	`revision` integer,
	`occurrence` text,
	`counter` integer,
	`due_at` integer,
	`time_zone` text,
	`attempt_at` integer,
	`last` text,
	`again_at` integer,
	`retry_at` integer,
	`snoozed_until` integer,
	`unanswered` integer DEFAULT 0 NOT NULL,
	`triggers` text,
	`downloaded_at` integer,
	`downloaded_on` text,
	PRIMARY KEY(`user_id`, `survey_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `cursor_due` ON `scheduled_notification` (`next_at`) WHERE next_at is not null;--> statement-breakpoint
CREATE TABLE `notification` (
	`user_id` text NOT NULL,
	`due_at` integer NOT NULL,
	`id` text NOT NULL,
	`survey_id` text NOT NULL,
	`revision` integer NOT NULL,
	`occurrence` text NOT NULL,
	`counter` integer NOT NULL,
	`time_zone` text NOT NULL,
	`settled_at` integer,
	`state` text NOT NULL,
	`reason` text,
	`pushes` text,
	`shown_at` integer,
	`opened_at` integer,
	`dismissed_at` integer,
	`answered_at` integer,
	`answered_late` integer,
	`properties` text,
	`outcome` text GENERATED ALWAYS AS (iif(state = 'skipped', 'skipped:' || coalesce(reason, 'unknown'), nullif(nullif(state, 'invalidated'), 'sending'))) VIRTUAL,
	`response_id` text GENERATED ALWAYS AS (iif(length(occurrence) > 14, substr(occurrence, 25), null)) VIRTUAL,
	PRIMARY KEY(`user_id`, `due_at`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_by_id` ON `notification` (`id`);--> statement-breakpoint
CREATE INDEX `notification_of_response` ON `notification` (`response_id`) WHERE response_id is not null;--> statement-breakpoint
CREATE TABLE `wake` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`after_user` text DEFAULT '' NOT NULL,
	`after_survey` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL
) WITHOUT ROWID;
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
CREATE TABLE `survey` (
	`id` text PRIMARY KEY NOT NULL,
	`investigation_id` text NOT NULL,
	`reminders_revision` integer DEFAULT 0 NOT NULL,
	`reminders_since` integer NOT NULL,
	`reminds_again` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	`for` text,
	`blinded` integer DEFAULT false NOT NULL,
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
CREATE INDEX `survey_blinded` ON `survey` (`id`) WHERE blinded;--> statement-breakpoint
CREATE INDEX `survey_blinded_in` ON `survey` (`investigation_id`,`id`) WHERE blinded;--> statement-breakpoint
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
	`status` text DEFAULT 'kept' NOT NULL,
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
	`made_by` text,
	`expires_at` integer,
	`named_at` integer DEFAULT 0 NOT NULL,
	`study_count` integer DEFAULT 0 NOT NULL,
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
CREATE INDEX `user_by_email` ON `user` (`email`) WHERE email is not null;--> statement-breakpoint
CREATE VIEW `current_member` AS select investigation_id, user_id, role, created_at, paused_until, participant_since, invited_as, agreed_to, joined_on, dates, participation, properties, scope, number from member where not exists (
    select 1 from deleted_study where deleted_study.investigation_id = member.investigation_id);--> statement-breakpoint
-- The feed of changes: each change of a thing takes the study's next sequence. A change without a time of its own has that of its entry in the log, which is written before. Webhooks that wait for a change become due, so that no crash leaves them behind.
CREATE VIEW `new_change` AS SELECT `investigation_id`, `kind`, `identifier`, `state`, `at`, `revision_id` FROM `change`;--> statement-breakpoint
CREATE TRIGGER `change_noted` INSTEAD OF INSERT ON `new_change` BEGIN
  INSERT INTO `change` VALUES (NEW.`investigation_id`, (SELECT coalesce(max(`sequence`), 0) + 1 FROM `change` WHERE `investigation_id` = NEW.`investigation_id`), NEW.`kind`, NEW.`identifier`, NEW.`state`,
    coalesce(NEW.`at`, (SELECT `at` FROM `activity` WHERE `investigation_id` = NEW.`investigation_id` ORDER BY `position` DESC LIMIT 1), 0), NEW.`revision_id`, NULL)
  ON CONFLICT (`identifier`, `investigation_id`, `kind`) DO UPDATE SET `sequence` = excluded.`sequence`, `state` = excluded.`state`, `at` = excluded.`at`, `revision_id` = excluded.`revision_id`,
    `properties` = NULL;
  UPDATE `webhook` SET `next_attempt_at` = 0 WHERE `investigation_id` = NEW.`investigation_id` AND next_attempt_at is null and status = 'active';
END;--> statement-breakpoint
-- Members are counted, since a study may have too many to count for each that joins. A frozen study refuses every new or edited case, response and survey; locks of items are entries of the log, as the freeze is.
CREATE TRIGGER `member_added` AFTER INSERT ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`;
  UPDATE `member` SET `participant_since` = NEW.`created_at` WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id` AND `participant_since` IS NULL
    AND EXISTS (SELECT 1 FROM `participant` p WHERE p.`investigation_id` = NEW.`investigation_id` AND p.`user_id` = NEW.`user_id`);
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'member', NEW.`user_id`, 'active', NEW.`created_at`, NULL);
END;--> statement-breakpoint
CREATE TRIGGER `member_removed` AFTER DELETE ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`;
  INSERT INTO `new_change` VALUES (OLD.`investigation_id`, 'member', OLD.`user_id`, 'removed', NULL, NULL);
  UPDATE `change` SET `properties` = OLD.`properties`
    WHERE `identifier` = OLD.`user_id` AND `investigation_id` = OLD.`investigation_id` AND `kind` = 'member'
      AND `properties` IS NOT OLD.`properties`;
  UPDATE `user` SET `issuer` = NULL, `subject` = NULL WHERE `id` = OLD.`user_id` AND `made_by` IS NOT NULL AND OLD.`role` = 'monitor';
  UPDATE `user` SET `issuer` = NULL, `subject` = NULL WHERE OLD.`role` = 'owner' AND `made_by` = OLD.`user_id`
    AND `id` IN (SELECT p.`user_id` FROM `member` p WHERE p.`investigation_id` = OLD.`investigation_id` AND p.`role` = 'monitor' AND p.`role` <> 'responder');
END;--> statement-breakpoint
CREATE TRIGGER `case_added` AFTER INSERT ON `study_case` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = NEW.`properties` -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'case', NEW.`id`, 'active', NEW.`created_at`, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `survey_added` AFTER INSERT ON `survey` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'survey', NEW.`id`, 'active', NEW.`created_at`, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `survey_changed` AFTER UPDATE OF `name`, `items`, `reminders`, `archived_at` ON `survey` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'survey', NEW.`id`, CASE WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, NULL, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `study_changed` AFTER UPDATE OF `name`, `time_zone`, `starts_on`, `archived_at`, `frozen_at`, `lock_policy`, `information`, `course` ON `investigation` BEGIN INSERT INTO `new_change` VALUES (NEW.`id`, 'study', NEW.`id`, CASE WHEN NEW.`frozen_at` IS NOT NULL THEN 'locked' WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, NULL, NEW.`revision_id`); END;--> statement-breakpoint
CREATE TRIGGER `case_changed` AFTER UPDATE OF `label`, `hidden`, `properties`, `revision_id`, `locked_at`, `archived_at`, `deleted_at` ON `study_case` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND (NEW.`revision_id` <> OLD.`revision_id` OR NEW.`properties` IS NOT OLD.`properties`)
    AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g, json_each(json_array(OLD.`properties`, NEW.`properties`)) p WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = p.value -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'case', NEW.`id`, CASE WHEN NEW.`deleted_at` IS NOT NULL THEN 'deleted' WHEN NEW.`locked_at` IS NOT NULL THEN 'locked' WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, iif(NEW.`revision_id` <> OLD.`revision_id`, NEW.`edited_at`, NULL), NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `response_added` AFTER INSERT ON `response` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = (SELECT c.`properties` FROM `study_case` c WHERE c.`id` = NEW.`case_id`) -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'response', NEW.`id`, 'active', NEW.`revised_at`, NEW.`revision_id`);
END;--> statement-breakpoint
CREATE TRIGGER `response_changed` AFTER UPDATE OF `items`, `reasons`, `revision_id`, `locked_at`, `archived_at`, `deleted_at` ON `response` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND NEW.`revision_id` <> OLD.`revision_id` AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = (SELECT c.`properties` FROM `study_case` c WHERE c.`id` = NEW.`case_id`) -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'response', NEW.`id`, CASE WHEN NEW.`deleted_at` IS NOT NULL THEN 'deleted' WHEN NEW.`locked_at` IS NOT NULL THEN 'locked' WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END, iif(NEW.`revision_id` <> OLD.`revision_id`, NEW.`revised_at`, NULL), NEW.`revision_id`);
END;--> statement-breakpoint
-- Members who take part: responders, and owners and editors with a phone or a download of the study. `participant_since` follows: when they join, with their phones, and with roles and downloads by the statements that change those.
CREATE VIEW `participant` AS
  SELECT m.`investigation_id`, m.`user_id` FROM `member` m WHERE m.`role` = 'responder'
  OR m.`role` <> 'monitor' AND (EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = m.`user_id`)
  OR EXISTS (SELECT 1 FROM `survey` s JOIN `scheduled_notification` c ON c.`user_id` = m.`user_id` AND c.`survey_id` = s.`id` WHERE s.`investigation_id` = m.`investigation_id` AND c.`downloaded_at` IS NOT NULL));--> statement-breakpoint
-- Compliance: the new row's outcome is added, and the old row's is taken off. Deleted rows stay counted, since only the purge deletes rows that count.
CREATE TRIGGER `notification_added` AFTER INSERT ON `notification` WHEN NEW.`outcome` IS NOT NULL BEGIN
  INSERT INTO `survey_compliance` SELECT
    NEW.`survey_id`, '', substr(NEW.`occurrence`, 1, 10), NEW.`outcome`, 1,
    NEW.`shown_at` IS NOT NULL, NEW.`opened_at` IS NOT NULL, NEW.`answered_at` IS NOT NULL, NEW.`answered_late` IS NOT NULL
  WHERE true
  ON CONFLICT DO UPDATE SET
    `n` = `n` + 1, `shown` = `shown` + excluded.`shown`, `opened` = `opened` + excluded.`opened`,
    `answered` = `answered` + excluded.`answered`, `answered_late` = `answered_late` + excluded.`answered_late`;
  INSERT INTO `survey_compliance` SELECT
    NEW.`survey_id`, NEW.`properties`, substr(NEW.`occurrence`, 1, 10), NEW.`outcome`, 1,
    NEW.`shown_at` IS NOT NULL, NEW.`opened_at` IS NOT NULL, NEW.`answered_at` IS NOT NULL, NEW.`answered_late` IS NOT NULL
  WHERE NEW.`properties` IS NOT NULL
  ON CONFLICT DO UPDATE SET
    `n` = `n` + 1, `shown` = `shown` + excluded.`shown`, `opened` = `opened` + excluded.`opened`,
    `answered` = `answered` + excluded.`answered`, `answered_late` = `answered_late` + excluded.`answered_late`;
END;--> statement-breakpoint
CREATE TRIGGER `notification_changed` AFTER UPDATE OF `state`, `reason`, `shown_at`, `opened_at`, `answered_at`, `answered_late` ON `notification`
WHEN (OLD.`outcome`, OLD.`shown_at` IS NULL, OLD.`opened_at` IS NULL, OLD.`answered_at` IS NULL, OLD.`answered_late`) IS NOT (NEW.`outcome`, NEW.`shown_at` IS NULL, NEW.`opened_at` IS NULL, NEW.`answered_at` IS NULL, NEW.`answered_late`) BEGIN
  UPDATE `survey_compliance` SET
    `n` = `n` - 1,
    `shown` = `shown` - (OLD.`shown_at` IS NOT NULL),
    `opened` = `opened` - (OLD.`opened_at` IS NOT NULL),
    `answered` = `answered` - (OLD.`answered_at` IS NOT NULL),
    `answered_late` = `answered_late` - (OLD.`answered_late` IS NOT NULL)
  WHERE OLD.`outcome` IS NOT NEW.`outcome`
    AND `survey_id` = OLD.`survey_id` AND `properties` = '' AND `date` = substr(OLD.`occurrence`, 1, 10)
    AND `outcome` = OLD.`outcome`;
  UPDATE `survey_compliance` SET
    `n` = `n` - 1,
    `shown` = `shown` - (OLD.`shown_at` IS NOT NULL),
    `opened` = `opened` - (OLD.`opened_at` IS NOT NULL),
    `answered` = `answered` - (OLD.`answered_at` IS NOT NULL),
    `answered_late` = `answered_late` - (OLD.`answered_late` IS NOT NULL)
  WHERE OLD.`outcome` IS NOT NEW.`outcome`
    AND `survey_id` = OLD.`survey_id` AND `properties` = OLD.`properties` AND `date` = substr(OLD.`occurrence`, 1, 10)
    AND `outcome` = OLD.`outcome`;
  INSERT INTO `survey_compliance` SELECT
    NEW.`survey_id`, '', substr(NEW.`occurrence`, 1, 10), NEW.`outcome`, NOT `same`,
    (NEW.`shown_at` IS NOT NULL) - (`same` AND OLD.`shown_at` IS NOT NULL),
    (NEW.`opened_at` IS NOT NULL) - (`same` AND OLD.`opened_at` IS NOT NULL),
    (NEW.`answered_at` IS NOT NULL) - (`same` AND OLD.`answered_at` IS NOT NULL),
    (NEW.`answered_late` IS NOT NULL) - (`same` AND OLD.`answered_late` IS NOT NULL)
  FROM (SELECT OLD.`outcome` IS NEW.`outcome` AS `same`) WHERE NEW.`outcome` IS NOT NULL
  ON CONFLICT DO UPDATE SET
    `n` = `n` + excluded.`n`, `shown` = `shown` + excluded.`shown`, `opened` = `opened` + excluded.`opened`,
    `answered` = `answered` + excluded.`answered`, `answered_late` = `answered_late` + excluded.`answered_late`;
  INSERT INTO `survey_compliance` SELECT
    NEW.`survey_id`, NEW.`properties`, substr(NEW.`occurrence`, 1, 10), NEW.`outcome`, NOT `same`,
    (NEW.`shown_at` IS NOT NULL) - (`same` AND OLD.`shown_at` IS NOT NULL),
    (NEW.`opened_at` IS NOT NULL) - (`same` AND OLD.`opened_at` IS NOT NULL),
    (NEW.`answered_at` IS NOT NULL) - (`same` AND OLD.`answered_at` IS NOT NULL),
    (NEW.`answered_late` IS NOT NULL) - (`same` AND OLD.`answered_late` IS NOT NULL)
  FROM (SELECT OLD.`outcome` IS NEW.`outcome` AS `same`) WHERE NEW.`outcome` IS NOT NULL AND NEW.`properties` IS NOT NULL
  ON CONFLICT DO UPDATE SET
    `n` = `n` + excluded.`n`, `shown` = `shown` + excluded.`shown`, `opened` = `opened` + excluded.`opened`,
    `answered` = `answered` + excluded.`answered`, `answered_late` = `answered_late` + excluded.`answered_late`;
END;--> statement-breakpoint
CREATE TRIGGER `device_added` AFTER INSERT ON `device` WHEN NEW.`user_id` IS NOT NULL BEGIN
  UPDATE `member` SET `participant_since` = NEW.`created_at` WHERE `user_id` = NEW.`user_id` AND `participant_since` IS NULL AND `role` <> 'monitor';
END;--> statement-breakpoint
CREATE TRIGGER `device_left` AFTER UPDATE OF `user_id` ON `device` WHEN OLD.`user_id` IS NOT NEW.`user_id` BEGIN
  UPDATE `member` SET `participant_since` = NULL WHERE `user_id` = OLD.`user_id` AND `participant_since` IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM `participant` p WHERE p.`investigation_id` = `member`.`investigation_id` AND p.`user_id` = `member`.`user_id`);
END;
