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
ALTER TABLE `scheduled_notification` ADD `tally` text;--> statement-breakpoint
ALTER TABLE `scheduled_notification` ADD `apart` text;--> statement-breakpoint
CREATE VIEW `counted_notification` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, `apart`, `outcome`, `shown`, `opened`, `answered`,
  json_patch('{}', json_object(`outcome`, 1, 'shown', nullif(`shown`, 0), 'opened', nullif(`opened`, 0), 'answered', nullif(`answered`, 0))) AS `own`,
  iif(`answered` OR `outcome` = 'skipped:answered', 0, coalesce(`tally` ->> 'unanswered', 0) + 1) AS `unanswered`
FROM (SELECT *, iif(n.`state` = 'skipped', 'skipped:' || coalesce(n.`reason`, 'unknown'), n.`state`) AS `outcome`,
    `shown_at` IS NOT NULL AS `shown`, `opened_at` IS NOT NULL AS `opened`, `answered_at` IS NOT NULL AS `answered`
  FROM `scheduled_notification` n WHERE n.`state` IN ('sent', 'failed', 'skipped') AND (n.`tally` IS NOT NULL OR n.`apart` IS NOT NULL));--> statement-breakpoint
CREATE VIEW `running_tally` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `tally`, `unanswered`,
  iif(`apart` IS NULL, `reached`, (SELECT json_group_object(`key`, `n`) FROM (SELECT `key`, sum(`n`) AS `n` FROM (
    SELECT `key`, `value` AS `n` FROM json_each(`reached`) UNION ALL SELECT `key`, -`value` FROM json_each(`apart`)
  ) GROUP BY `key` HAVING sum(`n`) <> 0))) AS `reached`
FROM (SELECT *, json_patch(`tally`, json_object(
    `outcome`, coalesce(`tally` ->> `outcome`, 0) + 1,
    'shown', nullif(coalesce(`tally` ->> 'shown', 0) + `shown`, 0),
    'opened', nullif(coalesce(`tally` ->> 'opened', 0) + `opened`, 0),
    'answered', nullif(coalesce(`tally` ->> 'answered', 0) + `answered`, 0),
    'unanswered', nullif(`unanswered`, 0))) AS `reached`
  FROM `counted_notification` WHERE `tally` IS NOT NULL);--> statement-breakpoint
CREATE VIEW `running_count` AS SELECT c.`user_id`, c.`survey_id`, c.`revision`, c.`occurs_on`, o.`key`, o.`value` AS `n`
  FROM `counted_notification` c, json_each(c.`own`) o WHERE c.`tally` IS NOT NULL
  UNION ALL SELECT c.`user_id`, c.`survey_id`, c.`revision`, c.`occurs_on`, a.`key`, -a.`value`
  FROM `counted_notification` c, json_each(c.`apart`) a WHERE c.`tally` IS NOT NULL AND c.`apart` IS NOT NULL;--> statement-breakpoint
CREATE VIEW `participant_compliance_change` AS SELECT `user_id`, `survey_id`, `month`, `counts` FROM `participant_compliance` WHERE 0;--> statement-breakpoint
CREATE TRIGGER `participant_compliance_changed` INSTEAD OF INSERT ON `participant_compliance_change` BEGIN
  INSERT INTO `participant_compliance` (`user_id`, `survey_id`, `month`, `counts`) VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`month`, NEW.`counts`)
  ON CONFLICT DO UPDATE SET `counts` = (SELECT json_group_object(`key`, `n`) FROM (SELECT `key`, sum(`n`) AS `n` FROM (
    SELECT `key`, `value` AS `n` FROM json_each(`participant_compliance`.`counts`) UNION ALL SELECT `key`, `value` FROM json_each(NEW.`counts`)
  ) GROUP BY `key` HAVING sum(`n`) <> 0));
END;--> statement-breakpoint
CREATE VIEW `compliance_change` AS SELECT `user_id`, `survey_id`, `occurs_on`, '' AS `was`, '' AS `now`, 0 AS `shown`, 0 AS `opened`, 0 AS `answered`, 0 AS `of_study`, 0 AS `of_participant` FROM `scheduled_notification` WHERE 0;--> statement-breakpoint
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
CREATE TRIGGER `notification_added_settled` AFTER INSERT ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') BEGIN
  UPDATE `scheduled_notification` SET
    `tally` = iif(EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL), NULL, coalesce((SELECT t.`reached` FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` = NEW.`revision` AND t.`occurs_on` < NEW.`occurs_on` ORDER BY t.`occurs_on` DESC LIMIT 1),
    (SELECT json_patch('{}', json_object('unanswered', nullif(t.`unanswered`, 0))) FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` < NEW.`revision` ORDER BY t.`revision` DESC, t.`occurs_on` DESC LIMIT 1), '{}')),
    `apart` = iif(EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL), json_patch('{}', json_object(iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), 1, 'shown', nullif(NEW.`shown_at` IS NOT NULL, 0), 'opened', nullif(NEW.`opened_at` IS NOT NULL, 0), 'answered', nullif(NEW.`answered_at` IS NOT NULL, 0))), NULL)
  WHERE NEW.`tally` IS NULL AND `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision` AND `occurs_on` = NEW.`occurs_on`;
  INSERT INTO `survey_compliance` (`survey_id`, `month`, `counts`) VALUES (NEW.`survey_id`, substr(NEW.`occurs_on`, 1, 7), json_patch('{}', json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), nullif(1, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif((NEW.`shown_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif((NEW.`opened_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif((NEW.`answered_at` IS NOT NULL), 0))))
  ON CONFLICT DO UPDATE SET `counts` = json_patch(`survey_compliance`.`counts`, json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`)), 0) + 1, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown'), 0) + (NEW.`shown_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened'), 0) + (NEW.`opened_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered'), 0) + (NEW.`answered_at` IS NOT NULL), 0)));
  INSERT INTO `compliance_change` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`occurs_on`, '', iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`),
    (NEW.`shown_at` IS NOT NULL), (NEW.`opened_at` IS NOT NULL), (NEW.`answered_at` IS NOT NULL), 0, 1 WHERE NEW.`tally` IS NULL AND EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL);
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT NEW.`survey_id`, NEW.`user_id`
  WHERE NEW.`answered_at` IS NULL AND coalesce(NEW.`reason`, '') <> 'answered' AND coalesce(NEW.`tally`, (SELECT n.`tally` FROM `scheduled_notification` n
    WHERE n.`user_id` = NEW.`user_id` AND n.`survey_id` = NEW.`survey_id` AND n.`revision` = NEW.`revision` AND n.`occurs_on` = NEW.`occurs_on`)) ->> 'unanswered' = 2
  ON CONFLICT DO NOTHING;
  DELETE FROM `silent_participant` WHERE NOT (NEW.`answered_at` IS NULL AND coalesce(NEW.`reason`, '') <> 'answered') AND `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `notification_counted` AFTER UPDATE OF `state` ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND coalesce(OLD.`state`, 'invalidated') = 'invalidated' BEGIN
  UPDATE `scheduled_notification` SET
    `tally` = iif(EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL), NULL, coalesce((SELECT t.`reached` FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` = NEW.`revision` AND t.`occurs_on` < NEW.`occurs_on` ORDER BY t.`occurs_on` DESC LIMIT 1),
    (SELECT json_patch('{}', json_object('unanswered', nullif(t.`unanswered`, 0))) FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` < NEW.`revision` ORDER BY t.`revision` DESC, t.`occurs_on` DESC LIMIT 1), '{}')),
    `apart` = iif(EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL), json_patch('{}', json_object(iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), 1, 'shown', nullif(NEW.`shown_at` IS NOT NULL, 0), 'opened', nullif(NEW.`opened_at` IS NOT NULL, 0), 'answered', nullif(NEW.`answered_at` IS NOT NULL, 0))), NULL)
  WHERE NEW.`tally` IS NULL AND `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision` AND `occurs_on` = NEW.`occurs_on`;
  INSERT INTO `survey_compliance` (`survey_id`, `month`, `counts`) VALUES (NEW.`survey_id`, substr(NEW.`occurs_on`, 1, 7), json_patch('{}', json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), nullif(1, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif((NEW.`shown_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif((NEW.`opened_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif((NEW.`answered_at` IS NOT NULL), 0))))
  ON CONFLICT DO UPDATE SET `counts` = json_patch(`survey_compliance`.`counts`, json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`)), 0) + 1, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown'), 0) + (NEW.`shown_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened'), 0) + (NEW.`opened_at` IS NOT NULL), 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered'), 0) + (NEW.`answered_at` IS NOT NULL), 0)));
  INSERT INTO `compliance_change` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`occurs_on`, '', iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`),
    (NEW.`shown_at` IS NOT NULL), (NEW.`opened_at` IS NOT NULL), (NEW.`answered_at` IS NOT NULL), 0, 1 WHERE NEW.`tally` IS NULL AND EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL);
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT NEW.`survey_id`, NEW.`user_id`
  WHERE NEW.`answered_at` IS NULL AND coalesce(NEW.`reason`, '') <> 'answered' AND coalesce(NEW.`tally`, (SELECT n.`tally` FROM `scheduled_notification` n
    WHERE n.`user_id` = NEW.`user_id` AND n.`survey_id` = NEW.`survey_id` AND n.`revision` = NEW.`revision` AND n.`occurs_on` = NEW.`occurs_on`)) ->> 'unanswered' = 2
  ON CONFLICT DO NOTHING;
  DELETE FROM `silent_participant` WHERE NOT (NEW.`answered_at` IS NULL AND coalesce(NEW.`reason`, '') <> 'answered') AND `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `notification_recounted` AFTER UPDATE OF `state`, `reason`, `shown_at`, `opened_at`, `answered_at` ON `scheduled_notification`
WHEN NEW.`state` IN ('sent', 'failed', 'skipped') AND OLD.`state` IN ('sent', 'failed', 'skipped') AND (OLD.`tally` IS NOT NULL OR OLD.`apart` IS NOT NULL) AND (iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`) <> iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`) OR (OLD.`shown_at` IS NOT NULL) <> (NEW.`shown_at` IS NOT NULL) OR (OLD.`opened_at` IS NOT NULL) <> (NEW.`opened_at` IS NOT NULL) OR (OLD.`answered_at` IS NOT NULL) <> (NEW.`answered_at` IS NOT NULL)) BEGIN
  INSERT INTO `compliance_change` VALUES (NEW.`user_id`, NEW.`survey_id`, NEW.`occurs_on`, iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`),
    ((NEW.`shown_at` IS NOT NULL) - (OLD.`shown_at` IS NOT NULL)), ((NEW.`opened_at` IS NOT NULL) - (OLD.`opened_at` IS NOT NULL)), ((NEW.`answered_at` IS NOT NULL) - (OLD.`answered_at` IS NOT NULL)), 1, iif(NEW.`tally` IS NULL, 1, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL)));
  UPDATE `scheduled_notification` SET `apart` = nullif(json_patch(coalesce(`apart`, '{}'), json_object(
    iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), nullif(coalesce(coalesce(`apart`, '{}') ->> (iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`)), 0) + -(iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`) <> '' AND iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`) <> iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`)), 0),
    iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`), nullif(coalesce(coalesce(`apart`, '{}') ->> (iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`)), 0) + (iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`) <> '' AND iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`) <> iif(NEW.`state` = 'skipped', 'skipped:' || coalesce(NEW.`reason`, 'unknown'), NEW.`state`)), 0),
    'shown', nullif(coalesce(coalesce(`apart`, '{}') ->> ('shown'), 0) + ((NEW.`shown_at` IS NOT NULL) - (OLD.`shown_at` IS NOT NULL)), 0),
    'opened', nullif(coalesce(coalesce(`apart`, '{}') ->> ('opened'), 0) + ((NEW.`opened_at` IS NOT NULL) - (OLD.`opened_at` IS NOT NULL)), 0),
    'answered', nullif(coalesce(coalesce(`apart`, '{}') ->> ('answered'), 0) + ((NEW.`answered_at` IS NOT NULL) - (OLD.`answered_at` IS NOT NULL)), 0))), '{}')
  WHERE iif(NEW.`tally` IS NULL, 1, EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id` AND l.`revision` = NEW.`revision` AND l.`occurs_on` > NEW.`occurs_on` AND l.`tally` IS NOT NULL)) AND `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision` AND `occurs_on` = NEW.`occurs_on`;
END;--> statement-breakpoint
CREATE TRIGGER `notification_uncounted` AFTER UPDATE OF `state` ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND (OLD.`tally` IS NOT NULL OR OLD.`apart` IS NOT NULL) AND coalesce(NEW.`state`, 'invalidated') = 'invalidated' BEGIN
  INSERT INTO `compliance_change` VALUES (OLD.`user_id`, OLD.`survey_id`, OLD.`occurs_on`, iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), '', -(OLD.`shown_at` IS NOT NULL), -(OLD.`opened_at` IS NOT NULL), -(OLD.`answered_at` IS NOT NULL), 1, 0);
  INSERT INTO `participant_compliance_change`
  SELECT OLD.`user_id`, OLD.`survey_id`, substr(OLD.`occurs_on`, 1, 7), json_group_object(substr(OLD.`occurs_on`, 9, 2) || ' ' || a.`key`, -a.`value`)
  FROM json_each(OLD.`apart`) a WHERE OLD.`apart` IS NOT NULL HAVING count(*) > 0;
  INSERT INTO `participant_compliance_change`
  SELECT OLD.`user_id`, OLD.`survey_id`, `month`, json_group_object(`counter`, `n`) FROM (
    SELECT substr(`occurs_on`, 1, 7) AS `month`, substr(`occurs_on`, 9, 2) || ' ' || `key` AS `counter`, sum(`n`) AS `n` FROM `running_count` l
    WHERE OLD.`tally` IS NOT NULL AND l.`user_id` = OLD.`user_id` AND l.`survey_id` = OLD.`survey_id` AND l.`revision` = OLD.`revision` AND l.`occurs_on` > OLD.`occurs_on` GROUP BY 1, 2 HAVING sum(`n`) <> 0) GROUP BY `month`;
  UPDATE `scheduled_notification` SET `tally` = NULL, `apart` = (
    SELECT c.`own` FROM `counted_notification` c WHERE c.`user_id` = `scheduled_notification`.`user_id` AND c.`survey_id` = `scheduled_notification`.`survey_id`
      AND c.`revision` = `scheduled_notification`.`revision` AND c.`occurs_on` = `scheduled_notification`.`occurs_on`)
  WHERE OLD.`tally` IS NOT NULL AND `user_id` = OLD.`user_id` AND `survey_id` = OLD.`survey_id` AND `revision` = OLD.`revision`
    AND `occurs_on` > OLD.`occurs_on` AND `tally` IS NOT NULL;
  UPDATE `scheduled_notification` SET `tally` = NULL, `apart` = NULL WHERE `user_id` = OLD.`user_id` AND `survey_id` = OLD.`survey_id` AND `revision` = OLD.`revision` AND `occurs_on` = OLD.`occurs_on`;
END;--> statement-breakpoint
CREATE TRIGGER `notification_purged` AFTER DELETE ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND OLD.`tally` IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM `survey` s JOIN `deleted_study` d ON d.`investigation_id` = s.`investigation_id` WHERE s.`id` = OLD.`survey_id`) BEGIN
  INSERT INTO `compliance_change` VALUES (OLD.`user_id`, OLD.`survey_id`, OLD.`occurs_on`, '', iif(OLD.`state` = 'skipped', 'skipped:' || coalesce(OLD.`reason`, 'unknown'), OLD.`state`), (OLD.`shown_at` IS NOT NULL), (OLD.`opened_at` IS NOT NULL), (OLD.`answered_at` IS NOT NULL), 0, 1);
  INSERT INTO `participant_compliance_change`
  SELECT OLD.`user_id`, OLD.`survey_id`, substr(OLD.`occurs_on`, 1, 7), json_group_object(substr(OLD.`occurs_on`, 9, 2) || ' ' || a.`key`, -a.`value`)
  FROM json_each(OLD.`apart`) a WHERE OLD.`apart` IS NOT NULL HAVING count(*) > 0;
END;--> statement-breakpoint
CREATE TRIGGER `notification_answered` AFTER UPDATE OF `answered_at` ON `scheduled_notification`
WHEN OLD.`answered_at` IS NULL AND NEW.`answered_at` IS NOT NULL AND NEW.`state` IS NOT NULL BEGIN
  DELETE FROM `silent_participant` WHERE `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `attention_of_new_member` AFTER INSERT ON `member` BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'unreachable', NEW.`user_id`
  WHERE NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = NEW.`user_id` AND d.`enabled`) ON CONFLICT DO NOTHING;
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'paused', NEW.`user_id`
  WHERE NEW.`paused_until` IS NOT NULL OR (SELECT u.`paused_until` FROM `user` u WHERE u.`id` = NEW.`user_id`) IS NOT NULL ON CONFLICT DO NOTHING;
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'never-downloaded', NEW.`user_id`
  WHERE NOT EXISTS (SELECT 1 FROM `survey` s JOIN `survey_download` d ON d.`user_id` = NEW.`user_id` AND d.`survey_id` = s.`id`
    WHERE s.`investigation_id` = NEW.`investigation_id`) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `attention_of_former_member` AFTER DELETE ON `member` BEGIN
  DELETE FROM `member_attention` WHERE `investigation_id` = OLD.`investigation_id`
    AND `reason` IN ('unreachable', 'paused', 'never-downloaded') AND `user_id` = OLD.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `device_added` AFTER INSERT ON `device` WHEN NEW.`enabled` BEGIN
  DELETE FROM `member_attention` WHERE (`investigation_id`, `reason`, `user_id`) IN (
    SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`user_id`) AND EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = NEW.`user_id` AND d.`enabled`);
END;--> statement-breakpoint
CREATE TRIGGER `device_removed` AFTER DELETE ON `device` WHEN OLD.`enabled` BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m WHERE m.`user_id` = OLD.`user_id`
    AND NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = OLD.`user_id` AND d.`enabled`) ON CONFLICT DO NOTHING;
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
CREATE TRIGGER `user_paused` AFTER UPDATE OF `paused_until` ON `user` WHEN (OLD.`paused_until` IS NULL) <> (NEW.`paused_until` IS NULL) BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'paused', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`id` AND NEW.`paused_until` IS NOT NULL ON CONFLICT DO NOTHING;
  DELETE FROM `member_attention` WHERE NEW.`paused_until` IS NULL AND (`investigation_id`, `reason`, `user_id`) IN (
    SELECT m.`investigation_id`, 'paused', m.`user_id` FROM `member` m WHERE m.`user_id` = NEW.`id` AND m.`paused_until` IS NULL);
END;--> statement-breakpoint
CREATE TRIGGER `member_paused` AFTER UPDATE OF `paused_until` ON `member` WHEN (OLD.`paused_until` IS NULL) <> (NEW.`paused_until` IS NULL) BEGIN
  INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT NEW.`investigation_id`, 'paused', NEW.`user_id` WHERE NEW.`paused_until` IS NOT NULL ON CONFLICT DO NOTHING;
  DELETE FROM `member_attention` WHERE NEW.`paused_until` IS NULL AND `investigation_id` = NEW.`investigation_id` AND `reason` = 'paused' AND `user_id` = NEW.`user_id`
    AND (SELECT u.`paused_until` FROM `user` u WHERE u.`id` = NEW.`user_id`) IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `survey_downloaded` AFTER INSERT ON `survey_download` BEGIN
  DELETE FROM `member_attention` WHERE `reason` = 'never-downloaded' AND `user_id` = NEW.`user_id`
    AND `investigation_id` = (SELECT s.`investigation_id` FROM `survey` s WHERE s.`id` = NEW.`survey_id`);
END;--> statement-breakpoint
INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'unreachable', m.`user_id` FROM `member` m
WHERE NOT EXISTS (SELECT 1 FROM `device` d WHERE d.`user_id` = m.`user_id` AND d.`enabled`);--> statement-breakpoint
INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'paused', m.`user_id` FROM `member` m
WHERE m.`paused_until` IS NOT NULL OR (SELECT u.`paused_until` FROM `user` u WHERE u.`id` = m.`user_id`) IS NOT NULL;--> statement-breakpoint
INSERT INTO `member_attention` (`investigation_id`, `reason`, `user_id`) SELECT m.`investigation_id`, 'never-downloaded', m.`user_id` FROM `member` m
WHERE NOT EXISTS (SELECT 1 FROM `survey` s JOIN `survey_download` d ON d.`user_id` = m.`user_id` AND d.`survey_id` = s.`id`
  WHERE s.`investigation_id` = m.`investigation_id`);