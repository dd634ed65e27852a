-- What a clock that was ahead has settled, or settled behind it, does not say how many in a row were not answered: behind such a notification the last three are looked at.
DROP TRIGGER `silence_changed`;--> statement-breakpoint
DROP TRIGGER `settlement_counted`;--> statement-breakpoint
DROP TRIGGER `notification_answered`;--> statement-breakpoint
DROP TRIGGER `attention_of_new_member`;--> statement-breakpoint
DROP TRIGGER `late_settlement_counted`;--> statement-breakpoint
DROP VIEW `late_settlement`;--> statement-breakpoint
DROP VIEW `running_tally`;--> statement-breakpoint
-- Of those that are counted apart it is ''. What was settled before answers were noted is left out.
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
CREATE VIEW `running_tally` AS SELECT * FROM `reached_tally` WHERE `tally` IS NOT NULL;--> statement-breakpoint
-- What was settled before answers were noted ends a row as an answer does.
CREATE VIEW `settled_answer` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `answered_at` IS NOT NULL OR coalesce(`reason`, '') = 'answered'
    OR (`tally` IS NULL AND (`apart` IS NULL OR `apart` ->> 'earlier' IS NOT NULL)) AS `answered`
  FROM `scheduled_notification` WHERE `state` IN ('sent', 'failed', 'skipped');--> statement-breakpoint
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
-- Also what has no tally yet when it is settled. One view for both: an insertion into another one is a row read, for every settlement.
CREATE VIEW `late_settlement` AS SELECT `user_id`, `survey_id`, `revision`, `occurs_on`, `outcome`, `shown`, `opened`, `answered`, `late`, `behind` FROM `settlement`;--> statement-breakpoint
CREATE TRIGGER `late_settlement_counted` INSTEAD OF INSERT ON `late_settlement` BEGIN
  INSERT INTO `compliance_change` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`occurs_on`, '', NEW.`outcome`, NEW.`shown`, NEW.`opened`, NEW.`answered`, 0, 1 WHERE NEW.`late`;
  INSERT INTO `silence_change` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on` WHERE NEW.`behind`;
  INSERT INTO `silence_change` SELECT c.`user_id`, c.`survey_id`, c.`revision`, c.`occurs_on` FROM (
    SELECT * FROM `reached_tally` b WHERE b.`user_id` = NEW.`user_id` AND b.`survey_id` = NEW.`survey_id`
      AND (b.`revision`, b.`occurs_on`) < (NEW.`revision`, NEW.`occurs_on`) ORDER BY b.`revision` DESC, b.`occurs_on` DESC LIMIT NOT NEW.`late`) c
  WHERE c.`tally` IS NULL;
END;--> statement-breakpoint
CREATE TRIGGER `settlement_counted` INSTEAD OF INSERT ON `settlement` BEGIN
  UPDATE `scheduled_notification` SET
    `tally` = iif(NEW.`late`, NULL, coalesce((SELECT t.`reached` FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` = NEW.`revision` AND t.`occurs_on` < NEW.`occurs_on` ORDER BY t.`occurs_on` DESC LIMIT 1),
    (SELECT json_patch('{}', json_object('unanswered', nullif(t.`unanswered`, 0))) FROM `running_tally` t WHERE t.`user_id` = NEW.`user_id` AND t.`survey_id` = NEW.`survey_id`
      AND t.`revision` < NEW.`revision` ORDER BY t.`revision` DESC, t.`occurs_on` DESC LIMIT 1), '{}')),
    `apart` = iif(NEW.`late`, json_patch('{}', json_object(NEW.`outcome`, 1, 'shown', nullif(NEW.`shown`, 0), 'opened', nullif(NEW.`opened`, 0), 'answered', nullif(NEW.`answered`, 0))), NULL)
  WHERE NEW.`tally` IS NULL AND `user_id` = NEW.`user_id` AND `survey_id` = NEW.`survey_id` AND `revision` = NEW.`revision` AND `occurs_on` = NEW.`occurs_on`;
  INSERT INTO `survey_compliance` (`survey_id`, `month`, `counts`) VALUES (NEW.`survey_id`, substr(NEW.`occurs_on`, 1, 7), json_patch('{}', json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`outcome`, 1,
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(NEW.`shown`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(NEW.`opened`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(NEW.`answered`, 0))))
  ON CONFLICT DO UPDATE SET `counts` = json_patch(`survey_compliance`.`counts`, json_object(
    substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`outcome`, nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || NEW.`outcome`), 0) + 1, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'shown'), 0) + NEW.`shown`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'opened'), 0) + NEW.`opened`, 0),
    substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered', nullif(coalesce(`survey_compliance`.`counts` ->> (substr(NEW.`occurs_on`, 9, 2) || ' ' || 'answered'), 0) + NEW.`answered`, 0)));
  INSERT INTO `silent_participant` (`survey_id`, `user_id`) SELECT NEW.`survey_id`, NEW.`user_id`
  WHERE NOT (NEW.`answered` OR NEW.`outcome` = 'skipped:answered') AND iif(coalesce(NEW.`tally`, (SELECT n.`tally` FROM `scheduled_notification` n
    WHERE n.`user_id` = NEW.`user_id` AND n.`survey_id` = NEW.`survey_id` AND n.`revision` = NEW.`revision` AND n.`occurs_on` = NEW.`occurs_on`)) ->> 'unanswered' = 2,
    EXISTS (SELECT 1 FROM `survey` s JOIN `member` m ON m.`investigation_id` = s.`investigation_id` AND m.`user_id` = NEW.`user_id` WHERE s.`id` = NEW.`survey_id`), 0)
  ON CONFLICT DO NOTHING;
  DELETE FROM `silent_participant` WHERE (NEW.`answered` OR NEW.`outcome` = 'skipped:answered') AND `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
  INSERT INTO `late_settlement` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`, NEW.`outcome`, NEW.`shown`, NEW.`opened`, NEW.`answered`, NEW.`late`, NEW.`behind`
  WHERE NEW.`behind` OR (NEW.`tally` IS NULL AND NOT NEW.`late`);
END;--> statement-breakpoint
-- A sweep that takes back many (`look_at` is -1) looks once for all of them.
CREATE TRIGGER `notification_taken_back` AFTER UPDATE OF `state` ON `scheduled_notification`
WHEN OLD.`state` IN ('sent', 'failed', 'skipped') AND coalesce(NEW.`state`, 'invalidated') = 'invalidated' AND NEW.`look_at` >= 0 BEGIN
  INSERT INTO `silence_change` VALUES (OLD.`user_id`, OLD.`survey_id`, OLD.`revision`, OLD.`occurs_on`);
END;--> statement-breakpoint
CREATE TRIGGER `notification_answered` AFTER UPDATE OF `answered_at` ON `scheduled_notification`
WHEN OLD.`answered_at` IS NULL AND NEW.`answered_at` IS NOT NULL AND NEW.`state` IS NOT NULL BEGIN
  DELETE FROM `silent_participant` WHERE `survey_id` = NEW.`survey_id` AND `user_id` = NEW.`user_id`;
  INSERT INTO `silence_change` SELECT NEW.`user_id`, NEW.`survey_id`, NEW.`revision`, NEW.`occurs_on`
  WHERE EXISTS (SELECT 1 FROM `scheduled_notification` l WHERE l.`user_id` = NEW.`user_id` AND l.`survey_id` = NEW.`survey_id`
    AND (l.`revision`, l.`occurs_on`) > (NEW.`revision`, NEW.`occurs_on`) AND coalesce(l.`tally`, l.`apart`) IS NOT NULL);
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
END;
