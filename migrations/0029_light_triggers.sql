-- SQLite enters the program of a trigger for each row, whether its condition holds or not, which takes the longer the more the program does; and it keeps what is selected for a view in a table of its own. So the triggers of a notification do no more than to insert values into a view, and only what seldom happens does so twice.
DROP TRIGGER `notification_added_settled`;--> statement-breakpoint
DROP TRIGGER `notification_counted`;--> statement-breakpoint
DROP TRIGGER `notification_recounted`;--> statement-breakpoint
DROP TRIGGER `notification_uncounted`;--> statement-breakpoint
DROP TRIGGER `notification_taken_back`;--> statement-breakpoint
DROP TRIGGER `settlement_counted`;--> statement-breakpoint
DROP TRIGGER `late_settlement_counted`;--> statement-breakpoint
DROP VIEW `late_settlement`;--> statement-breakpoint
DROP VIEW `settlement`;--> statement-breakpoint
-- Settled with a tally, and not reacted to: nearly all are. `counter`: the day of the month and the outcome.
CREATE VIEW `settlement` AS SELECT `user_id`, `survey_id`, `tally`, '' AS `month`, '' AS `counter`, 0 AS `answered` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
CREATE TRIGGER `settlement_counted` INSTEAD OF INSERT ON `settlement` BEGIN
  INSERT INTO `survey_compliance` (`survey_id`, `month`, `counts`) VALUES (NEW.`survey_id`, NEW.`month`, json_object(NEW.`counter`, 1))
  ON CONFLICT DO UPDATE SET `counts` = json_set(`counts`, '$."' || NEW.`counter` || '"', coalesce(`counts` ->> NEW.`counter`, 0) + 1);
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT NEW.`survey_id`, NEW.`user_id`
  WHERE NOT NEW.`answered` AND iif(NEW.`tally` ->> 'unanswered' = 2, EXISTS (SELECT 1 FROM `survey` s JOIN `member` m ON m.`investigation_id` = s.`investigation_id` AND m.`user_id` = NEW.`user_id` WHERE s.`id` = NEW.`survey_id`), 0) ON CONFLICT DO NOTHING;
  DELETE FROM `silent_participant` WHERE NEW.`answered` AND `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
END;--> statement-breakpoint
-- All others. `late`: a later one of its revision has a tally, so that this one is counted apart. `behind`: a later one of any revision is counted.
CREATE VIEW `late_settlement` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, '' AS `outcome`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered`, 0 AS `late`, 0 AS `behind` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
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
CREATE TRIGGER `notification_added_settled` AFTER INSERT ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND NEW.`tally` IS NOT NULL AND coalesce(NEW.`shown_at`, NEW.`opened_at`, NEW.`answered_at`) IS NULL BEGIN
  INSERT INTO `settlement` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`tally`, substr(NEW.`occurs_on`, 1, 7), substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), coalesce(NEW.`reason`, '') = 'answered');
END;--> statement-breakpoint
CREATE TRIGGER `notification_added_late` AFTER INSERT ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND NOT (NEW.`tally` IS NOT NULL AND coalesce(NEW.`shown_at`, NEW.`opened_at`, NEW.`answered_at`) IS NULL) BEGIN
  INSERT INTO `late_settlement` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`, NEW.`tally`, iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), NEW.`shown_at` IS NOT NULL, NEW.`opened_at` IS NOT NULL, NEW.`answered_at` IS NOT NULL,
    iif(NEW.`tally` IS NULL, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL), 0),
    iif(NEW.`tally` IS NULL, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id`
      AND (l.`revision`, l.`occurs_on`) > (NEW.`revision`, NEW.`occurs_on`) AND coalesce(l.`tally`, l.`apart`) IS NOT NULL), 0));
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
-- A receipt, an answer or another outcome. `late`: what came after it is settled already.
CREATE VIEW `outcome_change` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, '' AS `was`, '' AS `now`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered`, 0 AS `late` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
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
CREATE TRIGGER `notification_recounted` AFTER UPDATE OF `state`, `reason`, `shown_at`, `opened_at`, `answered_at` ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND NEW.`state` IN ('sent', 'failed', 'skipped') AND (OLD.`tally` IS NOT NULL OR OLD.`apart` IS NOT NULL)
  AND (iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`) <> iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`) OR (OLD.`shown_at` IS NOT NULL) <> (NEW.`shown_at` IS NOT NULL) OR (OLD.`opened_at` IS NOT NULL) <> (NEW.`opened_at` IS NOT NULL) OR (OLD.`answered_at` IS NOT NULL) <> (NEW.`answered_at` IS NOT NULL)) BEGIN
  INSERT INTO `outcome_change` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`, iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`),
    ((NEW.`shown_at` IS NOT NULL) - (OLD.`shown_at` IS NOT NULL)), ((NEW.`opened_at` IS NOT NULL) - (OLD.`opened_at` IS NOT NULL)), ((NEW.`answered_at` IS NOT NULL) - (OLD.`answered_at` IS NOT NULL)), iif(NEW.`tally` IS NULL, 1, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL)));
END;--> statement-breakpoint
-- What a clock that was ahead has settled, and is taken back.
CREATE VIEW `withdrawal` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, `apart`, '' AS `outcome`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
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
END;--> statement-breakpoint
-- A sweep that takes back many (`look_at` is -1) looks once for all of them at who is silent.
CREATE TRIGGER `notification_uncounted` AFTER UPDATE OF `state` ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND coalesce(NEW.`state`, 'invalidated') = 'invalidated' BEGIN
  INSERT INTO `withdrawal` SELECT OLD.`user_id`, OLD.`survey_id`, OLD.`revision`, OLD.`occurs_on`, OLD.`tally`, OLD.`apart`, iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), OLD.`shown_at` IS NOT NULL, OLD.`opened_at` IS NOT NULL, OLD.`answered_at` IS NOT NULL
  WHERE OLD.`tally` IS NOT NULL OR OLD.`apart` IS NOT NULL;
  INSERT INTO `silence_change` SELECT OLD.`user_id`, OLD.`survey_id`, OLD.`revision`, OLD.`occurs_on` WHERE NEW.`look_at` >= 0;
END;
