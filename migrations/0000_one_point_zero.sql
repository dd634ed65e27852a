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
CREATE INDEX `activity_of_member` ON `activity` (case when json_valid(details) then details ->> '$.member' end,`investigation_id`,`position`) WHERE action in ('member.added', 'member.removed', 'member.role-changed');--> statement-breakpoint
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
CREATE TABLE `survey_compliance` (
	`survey_id` text NOT NULL,
	`month` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`survey_id`, `month`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `member` (
	`investigation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`paused_until` integer,
	PRIMARY KEY(`investigation_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `member_by_user` ON `member` (`user_id`,`investigation_id`,`created_at`,`paused_until`);--> statement-breakpoint
CREATE INDEX `member_paused` ON `member` (`user_id`) WHERE paused_until is not null;--> statement-breakpoint
CREATE INDEX `member_staff` ON `member` (`investigation_id`,`role`,`user_id`) WHERE role <> 'responder';--> statement-breakpoint
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
	`frozen_at` integer,
	`active_since` integer NOT NULL,
	`case_count` integer DEFAULT 0 NOT NULL,
	`member_count` integer DEFAULT 0 NOT NULL,
	`survey_count` integer DEFAULT 0 NOT NULL,
	`revision_id` text NOT NULL,
	`created_hash` text NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`largest_response` integer DEFAULT 0 NOT NULL
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
CREATE INDEX `invitation_by_age` ON `invitation` (`created_at`);--> statement-breakpoint
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
CREATE INDEX `case_by_creator` ON `study_case` (`creator_id`,`investigation_id`);--> statement-breakpoint
CREATE INDEX `case_deleted` ON `study_case` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
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
	`plan_basis` text,
	`follow_ups` text,
	`next_follow_up_at` integer,
	`snoozed_until` integer,
	`shown_at` integer,
	`opened_at` integer,
	`dismissed_at` integer,
	`answered_at` integer,
	`pushes` text,
	`tally` text,
	`apart` text,
	PRIMARY KEY(`user_id`, `survey_id`, `revision`, `occurs_on`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notification_pending` ON `scheduled_notification` (`look_at`) WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX `notification_to_follow_up` ON `scheduled_notification` (`next_follow_up_at`) WHERE next_follow_up_at is not null;--> statement-breakpoint
CREATE TABLE `replan` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`investigation_id` text,
	`after` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dead_letter` (
	`id` text PRIMARY KEY NOT NULL,
	`users` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job` (
	`name` text PRIMARY KEY NOT NULL,
	`ran_at` integer NOT NULL,
	`after` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `leaving_endpoint` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`noted_at` integer NOT NULL
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
	`name` text NOT NULL,
	`items` text NOT NULL,
	`reminders` text,
	`reminders_revision` integer DEFAULT 0 NOT NULL,
	`reminders_since` integer NOT NULL,
	`plan_stamp` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`archived_at` integer,
	`window_secret` text,
	`revision_id` text NOT NULL,
	`created_hash` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `survey_by_investigation` ON `survey` (`investigation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `device` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`platform` text NOT NULL,
	`token` text NOT NULL,
	`endpoint` text NOT NULL,
	`time_zone` text NOT NULL,
	`language` text,
	`enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`pending_token` text,
	`relay_change_at` integer,
	`taken_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_by_token` ON `device` (`platform`,`token`);--> statement-breakpoint
CREATE INDEX `device_by_pending_token` ON `device` (`pending_token`) WHERE pending_token is not null;--> statement-breakpoint
CREATE INDEX `device_changing` ON `device` (`relay_change_at`) WHERE relay_change_at is not null;--> statement-breakpoint
CREATE INDEX `device_by_endpoint` ON `device` (`endpoint`);--> statement-breakpoint
CREATE INDEX `device_by_user` ON `device` (`user_id`,`seen_at`);--> statement-breakpoint
CREATE INDEX `device_disabled` ON `device` (`platform`) WHERE enabled = 0;--> statement-breakpoint
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
	`named_at` integer DEFAULT 0 NOT NULL,
	`study_count` integer DEFAULT 0 NOT NULL,
	`membership_count` integer DEFAULT 0 NOT NULL,
	`plan_stamp` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_by_token` ON `user` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `user_by_end` ON `user` (substr(id, 21));--> statement-breakpoint
CREATE INDEX `user_by_email` ON `user` (`email`) WHERE email is not null;--> statement-breakpoint
CREATE VIEW `current_member` AS select investigation_id, user_id, role, created_at, paused_until from member where not exists (
    select 1 from deleted_study where deleted_study.investigation_id = member.investigation_id);--> statement-breakpoint
-- Counters, so that a limit costs no counting.
CREATE TRIGGER `member_added` AFTER INSERT ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`;
  UPDATE `user` SET `membership_count` = `membership_count` + 1 WHERE `id` = NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `member_removed` AFTER DELETE ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`;
  UPDATE `user` SET `membership_count` = `membership_count` - 1 WHERE `id` = OLD.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `invitation_added` AFTER INSERT ON `invitation` BEGIN UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `invitation_removed` AFTER DELETE ON `invitation` BEGIN UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `case_added` AFTER INSERT ON `study_case` BEGIN UPDATE `investigation` SET `case_count` = `case_count` + 1, `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`created_with`) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `case_removed` AFTER DELETE ON `study_case` BEGIN UPDATE `investigation` SET `case_count` = `case_count` - 1, `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`created_with`) WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_added` AFTER INSERT ON `survey` BEGIN UPDATE `investigation` SET `survey_count` = `survey_count` + 1, `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`name`) + octet_length(NEW.`items`) + coalesce(octet_length(NEW.`reminders`), 0) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_changed` AFTER UPDATE OF `name`, `items`, `reminders` ON `survey` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + octet_length(NEW.`name`) + octet_length(NEW.`items`) + coalesce(octet_length(NEW.`reminders`), 0) - octet_length(OLD.`name`) - octet_length(OLD.`items`) - coalesce(octet_length(OLD.`reminders`), 0) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_removed` AFTER DELETE ON `survey` BEGIN UPDATE `investigation` SET `survey_count` = `survey_count` - 1, `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`name`) - octet_length(OLD.`items`) - coalesce(octet_length(OLD.`reminders`), 0) WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `response_removed` AFTER DELETE ON `response` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`items`) - octet_length(OLD.`reasons`) WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `revision_added` AFTER INSERT ON `response_revision` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + 200 + 2 * (octet_length(NEW.`items`) + octet_length(NEW.`reasons`)) - coalesce((SELECT octet_length(`items`) + octet_length(`reasons`) FROM `response_revision` WHERE `response_id` = NEW.`response_id` AND `number` = NEW.`number` - 1), -200), `largest_response` = max(`largest_response`, octet_length(NEW.`items`) + octet_length(NEW.`reasons`)) WHERE `id` = (SELECT `investigation_id` FROM `response` WHERE `id` = NEW.`response_id`); END;--> statement-breakpoint
CREATE TRIGGER `revision_removed` AFTER DELETE ON `response_revision` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`items`) - octet_length(OLD.`reasons`) WHERE `id` = (SELECT `investigation_id` FROM `response` WHERE `id` = OLD.`response_id`); END;--> statement-breakpoint
CREATE TRIGGER `activity_details_added` AFTER INSERT ON `activity` WHEN octet_length(NEW.`details`) > 1000 BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`details`) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
-- A frozen study refuses every change of its cases, responses, surveys and locks.
CREATE TRIGGER `change_logged_in_frozen` BEFORE INSERT ON `activity` WHEN (NEW.`action` LIKE 'items.%' OR NEW.`action` LIKE 'survey.%') AND (SELECT `frozen_at` FROM `investigation` WHERE `id` = NEW.`investigation_id`) IS NOT NULL BEGIN SELECT RAISE(ABORT, 'study.frozen'); END;--> statement-breakpoint
CREATE TRIGGER `case_added_to_frozen` BEFORE INSERT ON `study_case` WHEN (SELECT `frozen_at` FROM `investigation` WHERE `id` = NEW.`investigation_id`) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `study_case` WHERE `id` = NEW.`id`) BEGIN SELECT RAISE(ABORT, 'study.frozen'); END;--> statement-breakpoint
CREATE TRIGGER `case_of_frozen` BEFORE UPDATE OF `label`, `hidden`, `revision_id` ON `study_case` WHEN (SELECT `frozen_at` FROM `investigation` WHERE `id` = OLD.`investigation_id`) IS NOT NULL BEGIN SELECT RAISE(ABORT, 'study.frozen'); END;--> statement-breakpoint
CREATE TRIGGER `response_added_to_frozen` BEFORE INSERT ON `response` WHEN (SELECT `frozen_at` FROM `investigation` WHERE `id` = NEW.`investigation_id`) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `response` WHERE `id` = NEW.`id`) BEGIN SELECT RAISE(ABORT, 'study.frozen'); END;--> statement-breakpoint
CREATE TRIGGER `response_of_frozen` BEFORE UPDATE OF `items`, `reasons`, `revision_id` ON `response` WHEN (SELECT `frozen_at` FROM `investigation` WHERE `id` = OLD.`investigation_id`) IS NOT NULL BEGIN SELECT RAISE(ABORT, 'study.frozen'); END;--> statement-breakpoint
CREATE TRIGGER `survey_added_to_frozen` BEFORE INSERT ON `survey` WHEN (SELECT `frozen_at` FROM `investigation` WHERE `id` = NEW.`investigation_id`) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `survey` WHERE `id` = NEW.`id`) BEGIN SELECT RAISE(ABORT, 'study.frozen'); END;--> statement-breakpoint
CREATE TRIGGER `survey_of_frozen` BEFORE UPDATE OF `name`, `items`, `reminders`, `reminders_revision`, `archived_at` ON `survey` WHEN (SELECT `frozen_at` FROM `investigation` WHERE `id` = OLD.`investigation_id`) IS NOT NULL BEGIN SELECT RAISE(ABORT, 'study.frozen'); END;--> statement-breakpoint
-- Compliance.
CREATE VIEW `compliance_change` AS SELECT `user_id`, `survey_id`, `occurs_on`, '' AS `was`, '' AS `now`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered`, 0 AS `of_study`, 0 AS `of_participant` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
CREATE VIEW `counted_notification` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, `apart`, `outcome`, `shown`, `opened`, `answered`,
  json_patch('{}', json_object(`outcome`, 1, 'shown', nullif(`shown`, 0), 'opened', nullif(`opened`, 0), 'answered', nullif(`answered`, 0))) AS `own`,
  iif(`answered` OR `outcome` = 'skipped:answered', 0, coalesce(`tally` ->> 'unanswered', 0) + 1) AS `unanswered`
FROM (SELECT *, iif(n.`state` = 'skipped', 'skipped:' || coalesce(n.`reason`, 'unknown'), n.`state`) AS `outcome`,
    `shown_at` IS NOT NULL AS `shown`, `opened_at` IS NOT NULL AS `opened`, `answered_at` IS NOT NULL AS `answered`
  FROM `scheduled_notification` n WHERE n.`state` IN ('sent', 'failed', 'skipped') AND (n.`tally` IS NOT NULL OR n.`apart` IS NOT NULL));--> statement-breakpoint
CREATE VIEW `late_settlement` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, '' AS `outcome`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered`, 0 AS `late`, 0 AS `behind` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
CREATE VIEW `outcome_change` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, '' AS `was`, '' AS `now`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered`, 0 AS `late` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
CREATE VIEW `participant_compliance_change` AS SELECT `user_id`, `survey_id`, `month`, `counts` FROM `participant_compliance` WHERE 0;--> statement-breakpoint
CREATE VIEW `reached_tally` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, `unanswered`,
  CASE WHEN `tally` IS NULL THEN '' WHEN `apart` IS NULL THEN `reached` ELSE (SELECT json_group_object(`key`, `n`) FROM (SELECT `key`, sum(`n`) AS `n` FROM (
    SELECT `key`, `value` AS `n` FROM json_each(`reached`) UNION ALL SELECT `key`, -`value` FROM json_each(`apart`)
  ) GROUP BY `key` HAVING sum(`n`) <> 0)) END AS `reached`
FROM (SELECT *, json_patch(`tally`, json_object(
    `outcome`, coalesce(`tally` ->> `outcome`, 0) + 1,
    'shown', nullif(coalesce(`tally` ->> 'shown', 0) + `shown`, 0),
    'opened', nullif(coalesce(`tally` ->> 'opened', 0) + `opened`, 0),
    'answered', nullif(coalesce(`tally` ->> 'answered', 0) + `answered`, 0),
    'unanswered', nullif(`unanswered`, 0))) AS `reached`
  FROM `counted_notification` WHERE `tally` IS NOT NULL OR `apart` ->> 'earlier' IS NULL);--> statement-breakpoint
CREATE VIEW `running_count` AS SELECT c.`user_id`, c.`survey_id`, c.`revision`, c.`occurs_on`, o.`key`, o.`value` AS `n`
  FROM `counted_notification` c, json_each(c.`own`) o WHERE c.`tally` IS NOT NULL
  UNION ALL SELECT c.`user_id`, c.`survey_id`, c.`revision`, c.`occurs_on`, a.`key`, -a.`value`
  FROM `counted_notification` c, json_each(c.`apart`) a WHERE c.`tally` IS NOT NULL AND c.`apart` IS NOT NULL;--> statement-breakpoint
CREATE VIEW `running_tally` AS SELECT * FROM `reached_tally` WHERE `tally` IS NOT NULL;--> statement-breakpoint
CREATE VIEW `settled_answer` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `answered_at` IS NOT NULL OR coalesce(`reason`, '') = 'answered'
    OR (`tally` IS NULL AND (`apart` IS NULL OR `apart` ->> 'earlier' IS NOT NULL)) AS `answered`
  FROM `scheduled_notification` WHERE `state` IN ('sent', 'failed', 'skipped');--> statement-breakpoint
CREATE VIEW `settlement` AS SELECT `user_id`, `survey_id`, `tally`, '' AS `month`, '' AS `counter`, 0 AS `answered` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
CREATE VIEW `silence_change` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
CREATE VIEW `withdrawal` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, `apart`, '' AS `outcome`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
CREATE TRIGGER `compliance_changed` INSTEAD OF INSERT ON `compliance_change` BEGIN
  INSERT INTO `survey_compliance` (`survey_id`, `month`, `counts`)
  SELECT NEW.`survey_id`, substr(NEW.`occurs_on`, 1, 7), json_patch('{}', json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`was`, nullif(-(NEW.`was` <> '' AND NEW.`was` <> NEW.`now`), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`now`, nullif(NEW.`now` <> '' AND NEW.`was` <> NEW.`now`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(NEW.`shown`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(NEW.`opened`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(NEW.`answered`, 0))) WHERE NEW.`of_study`
  ON CONFLICT DO UPDATE SET `counts` = json_patch(`survey_compliance`.`counts`, json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`was`, nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`was`), 0) + -(NEW.`was` <> '' AND NEW.`was` <> NEW.`now`), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`now`, nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`now`), 0) + (NEW.`now` <> '' AND NEW.`was` <> NEW.`now`), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown'), 0) + NEW.`shown`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened'), 0) + NEW.`opened`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered'), 0) + NEW.`answered`, 0)));
  INSERT INTO `participant_compliance` (`user_id`, `survey_id`, `month`, `counts`)
  SELECT NEW.`user_id`, NEW.`survey_id`, substr(NEW.`occurs_on`, 1, 7), json_patch('{}', json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`was`, nullif(-(NEW.`was` <> '' AND NEW.`was` <> NEW.`now`), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`now`, nullif(NEW.`now` <> '' AND NEW.`was` <> NEW.`now`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(NEW.`shown`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(NEW.`opened`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(NEW.`answered`, 0))) WHERE NEW.`of_participant`
  ON CONFLICT DO UPDATE SET `counts` = json_patch(`participant_compliance`.`counts`, json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`was`, nullif(coalesce(`participant_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`was`), 0) + -(NEW.`was` <> '' AND NEW.`was` <> NEW.`now`), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`now`, nullif(coalesce(`participant_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`now`), 0) + (NEW.`now` <> '' AND NEW.`was` <> NEW.`now`), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(coalesce(`participant_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown'), 0) + NEW.`shown`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(coalesce(`participant_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened'), 0) + NEW.`opened`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(coalesce(`participant_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered'), 0) + NEW.`answered`, 0)));
END;--> statement-breakpoint
CREATE TRIGGER `device_added` AFTER INSERT ON `device` WHEN NEW.`enabled` BEGIN
  DELETE FROM `member_attention` WHERE (`investigation_id`, `reason`, `user_id`) IN (
    SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`user_id`) AND EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = NEW.`user_id` AND d.`enabled`);
END;--> statement-breakpoint
CREATE TRIGGER `device_changed` AFTER UPDATE OF `enabled`, `user_id` ON `device`
WHEN OLD.`enabled` <> NEW.`enabled` OR OLD.`user_id` <> NEW.`user_id` BEGIN
  DELETE FROM `member_attention` WHERE (`investigation_id`, `reason`, `user_id`) IN (
    SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`user_id`) AND EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = NEW.`user_id` AND d.`enabled`);
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`user_id`
    AND NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = NEW.`user_id` AND d.`enabled`) ON CONFLICT DO NOTHING;
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m WHERE m.`user_id` = OLD.`user_id`
    AND NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = OLD.`user_id` AND d.`enabled`) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `device_removed` AFTER DELETE ON `device` WHEN OLD.`enabled` BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m WHERE m.`user_id` = OLD.`user_id`
    AND NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = OLD.`user_id` AND d.`enabled`) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `late_settlement_counted` INSTEAD OF INSERT ON `late_settlement` BEGIN
  UPDATE `scheduled_notification` SET
    `tally` = iif(NEW.`late`, NULL, coalesce((SELECT t.`reached` FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` = NEW.`revision` AND t.`occurs_on` < NEW.`occurs_on` ORDER BY t.`occurs_on` DESC LIMIT 1),
    (SELECT json_patch('{}', json_object('unanswered', nullif(t.`unanswered`, 0))) FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` < NEW.`revision` ORDER BY t.`revision` DESC, t.`occurs_on` DESC LIMIT 1), '{}')),
    `apart` = iif(NEW.`late`, json_patch('{}', json_object(NEW.`outcome`, 1, 'shown', nullif(NEW.`shown`, 0), 'opened', nullif(NEW.`opened`, 0), 'answered', nullif(NEW.`answered`, 0))), NULL)
  WHERE NEW.`tally` IS NULL AND `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision` AND `occurs_on` = NEW.`occurs_on`;
  INSERT INTO `compliance_change` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`occurs_on`, '', NEW.`outcome`, NEW.`shown`, NEW.`opened`, NEW.`answered`, 1, NEW.`late`);
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT NEW.`survey_id`, NEW.`user_id`
  WHERE NOT (NEW.`answered` OR NEW.`outcome` = 'skipped:answered') AND iif(coalesce(NEW.`tally`, (SELECT n.`tally` FROM `scheduled_notification` n
    WHERE n.`user_id` = NEW.`user_id` AND n.`survey_id` = NEW.`survey_id` AND n.`revision` = NEW.`revision` AND n.`occurs_on` = NEW.`occurs_on`)) ->> 'unanswered' = 2, EXISTS (SELECT 1 FROM `survey` s JOIN `member` m ON m.`investigation_id` = s.`investigation_id` AND m.`user_id` = NEW.`user_id` WHERE s.`id` = NEW.`survey_id`), 0)
  ON CONFLICT DO NOTHING;
  DELETE FROM `silent_participant` WHERE (NEW.`answered` OR NEW.`outcome` = 'skipped:answered') AND `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
  INSERT INTO `silence_change` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on` WHERE NEW.`behind`;
  INSERT INTO `silence_change` SELECT c.`user_id`, c.`survey_id`, c.`revision`, c.`occurs_on` FROM (
    SELECT * FROM `reached_tally` b WHERE b.`user_id` = NEW.`user_id` AND b.`survey_id` = NEW.`survey_id`
      AND (b.`revision`, b.`occurs_on`) < (NEW.`revision`, NEW.`occurs_on`) ORDER BY b.`revision` DESC, b.`occurs_on` DESC LIMIT NEW.`tally` IS NULL AND NOT NEW.`late`) c
  WHERE c.`tally` IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `attention_of_former_member` AFTER DELETE ON `member` BEGIN
  DELETE FROM `member_attention` WHERE `investigation_id` = OLD.`investigation_id`
    AND `reason` IN ('unreachable', 'paused', 'never-downloaded') AND `user_id` = OLD.`user_id`;
  DELETE FROM `silent_participant` WHERE (`survey_id`, `user_id`) IN (
    SELECT s.`id`, OLD.`user_id` FROM `survey` s WHERE s.`investigation_id` = OLD.`investigation_id`);
END;--> statement-breakpoint
CREATE TRIGGER `attention_of_new_member` AFTER INSERT ON `member` BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'unreachable', NEW.`user_id`
  WHERE NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = NEW.`user_id` AND d.`enabled`) ON CONFLICT DO NOTHING;
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'paused', NEW.`user_id`
  WHERE NEW.`paused_until` IS NOT NULL OR (SELECT u.`paused_until` FROM `user` u WHERE u.`id` = NEW.`user_id`) IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'never-downloaded', NEW.`user_id`
  WHERE NOT EXISTS (SELECT 1 FROM `survey` s JOIN `survey_download` d ON d.`user_id` = NEW.`user_id` AND d.`survey_id` = s.`id`
    WHERE s.`investigation_id` = NEW.`investigation_id`) ON CONFLICT DO NOTHING;
  -- Who comes back is as silent as before.
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT s.`id`, NEW.`user_id` FROM `survey` s WHERE s.`investigation_id` = NEW.`investigation_id`
    AND (SELECT count(*) = 3 AND sum(`answered`) = 0 FROM (SELECT l.`answered` FROM `settled_answer` l
      WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = s.`id` ORDER BY l.`revision` DESC, l.`occurs_on` DESC LIMIT 3))
  ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `member_paused` AFTER UPDATE OF `paused_until` ON `member` WHEN (OLD.`paused_until` IS NULL) <> (NEW.`paused_until` IS NULL) BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'paused', NEW.`user_id` WHERE NEW.`paused_until` IS NOT NULL ON CONFLICT DO NOTHING;
  DELETE FROM `member_attention` WHERE NEW.`paused_until` IS NULL AND `investigation_id` = NEW.`investigation_id` AND `reason` = 'paused' AND `user_id` = NEW.`user_id`
    AND (SELECT u.`paused_until` FROM `user` u WHERE u.`id` = NEW.`user_id`) IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `outcome_changed` INSTEAD OF INSERT ON `outcome_change` BEGIN
  INSERT INTO `compliance_change` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`occurs_on`, NEW.`was`, NEW.`now`, NEW.`shown`, NEW.`opened`, NEW.`answered`, 1, NEW.`late`);
  UPDATE `scheduled_notification` SET `apart` = nullif(json_patch(coalesce(`apart`, '{}'), json_object(
    NEW.`was`, nullif(coalesce(`apart` ->> NEW.`was`, 0) + -(NEW.`was` <> NEW.`now`), 0),
    NEW.`now`, nullif(coalesce(`apart` ->> NEW.`now`, 0) + (NEW.`was` <> NEW.`now`), 0),
    'shown', nullif(coalesce(`apart` ->> 'shown', 0) + NEW.`shown`, 0),
    'opened', nullif(coalesce(`apart` ->> 'opened', 0) + NEW.`opened`, 0),
    'answered', nullif(coalesce(`apart` ->> 'answered', 0) + NEW.`answered`, 0))), '{}')
  WHERE NEW.`late` AND `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision` AND `occurs_on` = NEW.`occurs_on`;
END;--> statement-breakpoint
CREATE TRIGGER `participant_compliance_changed` INSTEAD OF INSERT ON `participant_compliance_change` BEGIN
  INSERT INTO `participant_compliance` (`user_id`, `survey_id`, `month`, `counts`) VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`month`, NEW.`counts`)
  ON CONFLICT DO UPDATE SET `counts` = (SELECT json_group_object(`key`, `n`) FROM (SELECT `key`, sum(`n`) AS `n` FROM (
    SELECT `key`, `value` AS `n` FROM json_each(`participant_compliance`.`counts`) UNION ALL SELECT `key`, `value` FROM json_each(NEW.`counts`)
  ) GROUP BY `key` HAVING sum(`n`) <> 0));
END;--> statement-breakpoint
CREATE TRIGGER `notification_added_late` AFTER INSERT ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND NOT (NEW.`tally` IS NOT NULL AND coalesce(NEW.`shown_at`, NEW.`opened_at`, NEW.`answered_at`) IS NULL) BEGIN
  INSERT INTO `late_settlement` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`, NEW.`tally`, iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), NEW.`shown_at` IS NOT NULL, NEW.`opened_at` IS NOT NULL, NEW.`answered_at` IS NOT NULL,
    iif(NEW.`tally` IS NULL, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL), 0),
    iif(NEW.`tally` IS NULL, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id`
      AND (l.`revision`, l.`occurs_on`) > (NEW.`revision`, NEW.`occurs_on`) AND coalesce(l.`tally`, l.`apart`) IS NOT NULL), 0));
END;--> statement-breakpoint
CREATE TRIGGER `notification_added_settled` AFTER INSERT ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND NEW.`tally` IS NOT NULL AND coalesce(NEW.`shown_at`, NEW.`opened_at`, NEW.`answered_at`) IS NULL BEGIN
  INSERT INTO `settlement` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`tally`, substr(NEW.`occurs_on`, 1, 7), substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), coalesce(NEW.`reason`, '') = 'answered');
END;--> statement-breakpoint
CREATE TRIGGER `notification_answered` AFTER UPDATE OF `answered_at` ON `scheduled_notification`
WHEN OLD.`answered_at` IS NULL AND NEW.`answered_at` IS NOT NULL AND NEW.`state` IS NOT NULL BEGIN
  DELETE FROM `silent_participant` WHERE `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
  INSERT INTO `silence_change` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`
  WHERE EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id`
    AND (l.`revision`, l.`occurs_on`) > (NEW.`revision`, NEW.`occurs_on`) AND coalesce(l.`tally`, l.`apart`) IS NOT NULL);
END;--> statement-breakpoint
CREATE TRIGGER `notification_counted` AFTER UPDATE OF `state` ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND coalesce(OLD.`state`, 'invalidated') = 'invalidated' AND NEW.`tally` IS NOT NULL AND coalesce(NEW.`shown_at`, NEW.`opened_at`, NEW.`answered_at`) IS NULL BEGIN
  INSERT INTO `settlement` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`tally`, substr(NEW.`occurs_on`, 1, 7), substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), coalesce(NEW.`reason`, '') = 'answered');
END;--> statement-breakpoint
CREATE TRIGGER `notification_counted_late` AFTER UPDATE OF `state` ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND coalesce(OLD.`state`, 'invalidated') = 'invalidated' AND NOT (NEW.`tally` IS NOT NULL AND coalesce(NEW.`shown_at`, NEW.`opened_at`, NEW.`answered_at`) IS NULL) BEGIN
  INSERT INTO `late_settlement` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`, NEW.`tally`, iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), NEW.`shown_at` IS NOT NULL, NEW.`opened_at` IS NOT NULL, NEW.`answered_at` IS NOT NULL,
    iif(NEW.`tally` IS NULL, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL), 0),
    iif(NEW.`tally` IS NULL, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id`
      AND (l.`revision`, l.`occurs_on`) > (NEW.`revision`, NEW.`occurs_on`) AND coalesce(l.`tally`, l.`apart`) IS NOT NULL), 0));
END;--> statement-breakpoint
CREATE TRIGGER `notification_purged` AFTER DELETE ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND OLD.`tally` IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM `survey` s JOIN `deleted_study` d ON d.`investigation_id` = s.`investigation_id` WHERE s.`id` = OLD.`survey_id`) BEGIN
  INSERT INTO `compliance_change` VALUES (OLD.`user_id`, OLD.`survey_id`, OLD.`occurs_on`, '', iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), (OLD.`shown_at` IS NOT NULL), (OLD.`opened_at` IS NOT NULL), (OLD.`answered_at` IS NOT NULL), 0, 1);
  INSERT INTO `participant_compliance_change`
  SELECT OLD.`user_id`, OLD.`survey_id`, substr(OLD.`occurs_on`, 1, 7), json_group_object(substr(OLD.`occurs_on`, 9, 2) || ' ' || a.`key`, -a.`value`)
  FROM json_each(OLD.`apart`) a WHERE OLD.`apart` IS NOT NULL HAVING count(*) > 0;
END;--> statement-breakpoint
CREATE TRIGGER `notification_recounted` AFTER UPDATE OF `state`, `reason`, `shown_at`, `opened_at`, `answered_at` ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND NEW.`state` IN ('sent', 'failed', 'skipped') AND (OLD.`tally` IS NOT NULL OR OLD.`apart` IS NOT NULL)
  AND (iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`) <> iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`) OR (OLD.`shown_at` IS NOT NULL) <> (NEW.`shown_at` IS NOT NULL) OR (OLD.`opened_at` IS NOT NULL) <> (NEW.`opened_at` IS NOT NULL) OR (OLD.`answered_at` IS NOT NULL) <> (NEW.`answered_at` IS NOT NULL)) BEGIN
  INSERT INTO `outcome_change` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`, iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`),
    ((NEW.`shown_at` IS NOT NULL) - (OLD.`shown_at` IS NOT NULL)), ((NEW.`opened_at` IS NOT NULL) - (OLD.`opened_at` IS NOT NULL)), ((NEW.`answered_at` IS NOT NULL) - (OLD.`answered_at` IS NOT NULL)), iif(NEW.`tally` IS NULL, 1, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL)));
END;--> statement-breakpoint
CREATE TRIGGER `notification_uncounted` AFTER UPDATE OF `state` ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND coalesce(NEW.`state`, 'invalidated') = 'invalidated' BEGIN
  INSERT INTO `withdrawal` SELECT OLD.`user_id`, OLD.`survey_id`, OLD.`revision`, OLD.`occurs_on`, OLD.`tally`, OLD.`apart`, iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), OLD.`shown_at` IS NOT NULL, OLD.`opened_at` IS NOT NULL, OLD.`answered_at` IS NOT NULL
  WHERE OLD.`tally` IS NOT NULL OR OLD.`apart` IS NOT NULL;
  INSERT INTO `silence_change` SELECT OLD.`user_id`, OLD.`survey_id`, OLD.`revision`, OLD.`occurs_on` WHERE NEW.`look_at` >= 0;
END;--> statement-breakpoint
CREATE TRIGGER `settlement_counted` INSTEAD OF INSERT ON `settlement` BEGIN
  INSERT INTO `survey_compliance` (`survey_id`, `month`, `counts`) VALUES (NEW.`survey_id`, NEW.`month`, json_object(NEW.`counter`, 1))
  ON CONFLICT DO UPDATE SET `counts` = json_set(`counts`, '$."' || NEW.`counter` || '"', coalesce(`counts` ->> NEW.`counter`, 0) + 1);
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT NEW.`survey_id`, NEW.`user_id`
  WHERE NOT NEW.`answered` AND iif(NEW.`tally` ->> 'unanswered' = 2, EXISTS (SELECT 1 FROM `survey` s JOIN `member` m ON m.`investigation_id` = s.`investigation_id` AND m.`user_id` = NEW.`user_id` WHERE s.`id` = NEW.`survey_id`), 0) ON CONFLICT DO NOTHING;
  DELETE FROM `silent_participant` WHERE NEW.`answered` AND `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `silence_changed` INSTEAD OF INSERT ON `silence_change` BEGIN
  UPDATE `scheduled_notification` SET `tally` = json_patch(`tally`, json_object('unanswered', nullif((
    SELECT coalesce(min(iif(`answered`, `n` - 1, NULL)), count(*)) FROM (
      SELECT `answered`, row_number() OVER (ORDER BY `revision` DESC, `occurs_on` DESC) AS `n` FROM (
        SELECT * FROM (SELECT b.`revision`, b.`occurs_on`, b.`answered` FROM `settled_answer` b
          WHERE b.`user_id` = NEW.`user_id` AND b.`survey_id` = NEW.`survey_id`
            AND b.`revision` = `scheduled_notification`.`revision` AND b.`occurs_on` < `scheduled_notification`.`occurs_on` ORDER BY b.`occurs_on` DESC LIMIT 3)
        UNION ALL
        SELECT * FROM (SELECT b.`revision`, b.`occurs_on`, b.`answered` FROM `settled_answer` b
          WHERE b.`user_id` = NEW.`user_id` AND b.`survey_id` = NEW.`survey_id`
            AND b.`revision` < `scheduled_notification`.`revision` ORDER BY b.`revision` DESC, b.`occurs_on` DESC LIMIT 3)
        ORDER BY `revision` DESC, `occurs_on` DESC LIMIT 3))), 0)))
  WHERE (`user_id`, `survey_id`, `revision`, `occurs_on`) IN (
    SELECT l.`user_id`, l.`survey_id`, l.`revision`, l.`occurs_on` FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id`
      AND (l.`revision`, l.`occurs_on`) > (NEW.`revision`, NEW.`occurs_on`) AND l.`tally` IS NOT NULL ORDER BY l.`revision`, l.`occurs_on` LIMIT 3);
  DELETE FROM `silent_participant` WHERE `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT NEW.`survey_id`, NEW.`user_id`
  WHERE (SELECT count(*) = 3 AND sum(`answered`) = 0 FROM (
      SELECT l.`answered` FROM `settled_answer` l
      WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id`
      ORDER BY l.`revision` DESC, l.`occurs_on` DESC LIMIT 3))
    AND EXISTS (SELECT 1 FROM `survey` s JOIN `member` m ON m.`investigation_id` = s.`investigation_id` AND m.`user_id` = NEW.`user_id` WHERE s.`id` = NEW.`survey_id`)
  ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `survey_downloaded` AFTER INSERT ON `survey_download` BEGIN
  DELETE FROM `member_attention` WHERE `reason` = 'never-downloaded' AND `user_id` = NEW.`user_id`
    AND `investigation_id` = (SELECT s.`investigation_id` FROM `survey` s WHERE s.`id` = NEW.`survey_id`);
END;--> statement-breakpoint
CREATE TRIGGER `user_paused` AFTER UPDATE OF `paused_until` ON `user` WHEN (OLD.`paused_until` IS NULL) <> (NEW.`paused_until` IS NULL) BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'paused', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`id` AND NEW.`paused_until` IS NOT NULL ON CONFLICT DO NOTHING;
  DELETE FROM `member_attention` WHERE NEW.`paused_until` IS NULL AND (`investigation_id`, `reason`, `user_id`) IN (
    SELECT m.`investigation_id`, 'paused', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`id` AND m.`paused_until` IS NULL);
END;--> statement-breakpoint
CREATE TRIGGER `withdrawal_counted` INSTEAD OF INSERT ON `withdrawal` BEGIN
  INSERT INTO `compliance_change` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`occurs_on`, NEW.`outcome`, '', -NEW.`shown`, -NEW.`opened`, -NEW.`answered`, 1, 0);
  INSERT INTO `participant_compliance_change`
  SELECT NEW.`user_id`, NEW.`survey_id`, substr(NEW.`occurs_on`, 1, 7), json_group_object(substr(NEW.`occurs_on`, 9, 2) || ' ' || a.`key`, -a.`value`)
  FROM json_each(NEW.`apart`) a WHERE NEW.`apart` IS NOT NULL HAVING count(*) > 0;
  INSERT INTO `participant_compliance_change`
  SELECT NEW.`user_id`, NEW.`survey_id`, `month`, json_group_object(`counter`, `n`) FROM (
    SELECT substr(`occurs_on`, 1, 7) AS `month`, substr(`occurs_on`, 9, 2) || ' ' || `key` AS `counter`, sum(`n`) AS `n` FROM `running_count` l
    WHERE NEW.`tally` IS NOT NULL AND l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` GROUP BY 1, 2 HAVING sum(`n`) <> 0) GROUP BY `month`;
  UPDATE `scheduled_notification` SET `tally` = NULL, `apart` = (
    SELECT c.`own` FROM `counted_notification` c WHERE c.`user_id` = `scheduled_notification`.`user_id` AND c.`survey_id` = `scheduled_notification`.`survey_id`
      AND c.`revision` = `scheduled_notification`.`revision` AND c.`occurs_on` = `scheduled_notification`.`occurs_on`)
  WHERE NEW.`tally` IS NOT NULL AND `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision`
    AND `occurs_on` > NEW.`occurs_on` AND `tally` IS NOT NULL;
  UPDATE `scheduled_notification` SET `tally` = NULL, `apart` = NULL WHERE `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision` AND `occurs_on` = NEW.`occurs_on`;
END;
