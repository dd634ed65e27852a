-- The present triggers, as the migrations leave them: `test/db/triggers.node.test.ts` compares both.

-- The feed of changes. Each change of a study's things gives them the study's next sequence, in its batch, and wakes its webhooks.

CREATE TRIGGER `change_noted` INSTEAD OF INSERT ON `new_change` BEGIN
  INSERT INTO `change` VALUES (
    NEW.`investigation_id`,
    (SELECT coalesce(max(`sequence`), 0) + 1 FROM `change` WHERE `investigation_id` = NEW.`investigation_id`),
    NEW.`kind`, NEW.`identifier`, NEW.`state`,
    coalesce(
      NEW.`at`,
      (SELECT `at` FROM `activity` WHERE `investigation_id` = NEW.`investigation_id` ORDER BY `position` DESC LIMIT 1),
      0),
    NEW.`revision_id`, NULL)
  ON CONFLICT (`identifier`, `investigation_id`, `kind`) DO UPDATE SET
    `sequence` = excluded.`sequence`, `state` = excluded.`state`, `at` = excluded.`at`, `revision_id` = excluded.`revision_id`,
    `properties` = NULL;
  UPDATE `webhook` SET `next_attempt_at` = 0
    WHERE `investigation_id` = NEW.`investigation_id` AND next_attempt_at is null and status = 'active';
END;

CREATE TRIGGER `study_changed`
AFTER UPDATE OF `name`, `time_zone`, `starts_on`, `archived_at`, `frozen_at`, `lock_policy`, `information`, `course` ON `investigation` BEGIN
  INSERT INTO `new_change` VALUES (
    NEW.`id`, 'study', NEW.`id`,
    CASE WHEN NEW.`frozen_at` IS NOT NULL THEN 'locked' WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END,
    NULL, NEW.`revision_id`);
END;

-- Members are counted, since a study may have too many to count for each that joins. The tokens of programs end with their own
-- membership, and with that of the owner who made them.

CREATE TRIGGER `member_added` AFTER INSERT ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`;
  UPDATE `member` SET `participant_since` = NEW.`created_at`
    WHERE `investigation_id` = NEW.`investigation_id` AND `user_id` = NEW.`user_id` AND `participant_since` IS NULL
    AND EXISTS (
      SELECT 1 FROM `participant` p WHERE p.`investigation_id` = NEW.`investigation_id` AND p.`user_id` = NEW.`user_id`);
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'member', NEW.`user_id`, 'active', NEW.`created_at`, NULL);
END;

CREATE TRIGGER `member_removed` AFTER DELETE ON `member` BEGIN
  UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`;
  INSERT INTO `new_change` VALUES (OLD.`investigation_id`, 'member', OLD.`user_id`, 'removed', NULL, NULL);
  UPDATE `change` SET `properties` = OLD.`properties`
    WHERE `identifier` = OLD.`user_id` AND `investigation_id` = OLD.`investigation_id` AND `kind` = 'member'
      AND `properties` IS NOT OLD.`properties`;
  UPDATE `user` SET `issuer` = NULL, `subject` = NULL WHERE `id` = OLD.`user_id` AND `made_by` IS NOT NULL AND OLD.`role` = 'monitor';
  UPDATE `user` SET `issuer` = NULL, `subject` = NULL WHERE OLD.`role` = 'owner' AND `made_by` = OLD.`user_id`
    AND `id` IN (SELECT p.`user_id` FROM `member` p WHERE p.`investigation_id` = OLD.`investigation_id` AND p.`role` = 'monitor' AND p.`role` <> 'responder');
END;

-- A frozen study refuses every new or edited case, response and survey. Locks of items are entries of the log, as the freeze is.

CREATE TRIGGER `survey_added` AFTER INSERT ON `survey` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'survey', NEW.`id`, 'active', NEW.`created_at`, NEW.`revision_id`);
END;

CREATE TRIGGER `survey_changed` AFTER UPDATE OF `name`, `items`, `reminders`, `archived_at` ON `survey` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation` WHERE `id` = NEW.`investigation_id` AND `frozen_at` IS NOT NULL;
  INSERT INTO `new_change` VALUES (
    NEW.`investigation_id`, 'survey', NEW.`id`,
    CASE WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END,
    NULL, NEW.`revision_id`);
END;

CREATE TRIGGER `case_added` AFTER INSERT ON `study_case` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = NEW.`properties` -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'case', NEW.`id`, 'active', NEW.`created_at`, NEW.`revision_id`);
END;

CREATE TRIGGER `case_changed`
AFTER UPDATE OF `label`, `hidden`, `properties`, `revision_id`, `locked_at`, `archived_at`, `deleted_at` ON `study_case` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND (NEW.`revision_id` <> OLD.`revision_id` OR NEW.`properties` IS NOT OLD.`properties`)
    AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g, json_each(json_array(OLD.`properties`, NEW.`properties`)) p WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = p.value -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (
    NEW.`investigation_id`, 'case', NEW.`id`,
    CASE WHEN NEW.`deleted_at` IS NOT NULL THEN 'deleted' WHEN NEW.`locked_at` IS NOT NULL THEN 'locked'
      WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END,
    iif(NEW.`revision_id` <> OLD.`revision_id`, NEW.`edited_at`, NULL), NEW.`revision_id`);
END;

CREATE TRIGGER `response_added` AFTER INSERT ON `response` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = (SELECT c.`properties` FROM `study_case` c WHERE c.`id` = NEW.`case_id`) -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (NEW.`investigation_id`, 'response', NEW.`id`, 'active', NEW.`revised_at`, NEW.`revision_id`);
END;

CREATE TRIGGER `response_changed`
AFTER UPDATE OF `items`, `reasons`, `revision_id`, `locked_at`, `archived_at`, `deleted_at` ON `response` BEGIN
  SELECT RAISE(ABORT, 'study.frozen') FROM `investigation`
    WHERE `id` = NEW.`investigation_id` AND NEW.`revision_id` <> OLD.`revision_id` AND (`frozen_at` IS NOT NULL OR `frozen_groups` IS NOT NULL AND EXISTS (
      SELECT 1 FROM json_each(`frozen_groups`) g WHERE NOT EXISTS (
        SELECT 1 FROM json_each(g.value) f WHERE NOT EXISTS (
          SELECT 1 FROM json_each(f.value) v WHERE v.value = (SELECT c.`properties` FROM `study_case` c WHERE c.`id` = NEW.`case_id`) -> f.key ->> 0))));
  INSERT INTO `new_change` VALUES (
    NEW.`investigation_id`, 'response', NEW.`id`,
    CASE WHEN NEW.`deleted_at` IS NOT NULL THEN 'deleted' WHEN NEW.`locked_at` IS NOT NULL THEN 'locked'
      WHEN NEW.`archived_at` IS NOT NULL THEN 'archived' ELSE 'active' END,
    iif(NEW.`revision_id` <> OLD.`revision_id`, NEW.`revised_at`, NULL), NEW.`revision_id`);
END;

-- Compliance: the new row's outcome is added, and the old row's is taken off. Deleted rows stay counted, since only the purge
-- deletes rows that count.

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
END;

CREATE TRIGGER `notification_changed`
AFTER UPDATE OF `state`, `reason`, `shown_at`, `opened_at`, `answered_at`, `answered_late` ON `notification`
WHEN (OLD.`outcome`, OLD.`shown_at` IS NULL, OLD.`opened_at` IS NULL, OLD.`answered_at` IS NULL, OLD.`answered_late`)
  IS NOT (NEW.`outcome`, NEW.`shown_at` IS NULL, NEW.`opened_at` IS NULL, NEW.`answered_at` IS NULL, NEW.`answered_late`) BEGIN
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
END;

-- A phone makes owners and editors participants, in `participant_since`.

CREATE TRIGGER `device_added` AFTER INSERT ON `device` WHEN NEW.`user_id` IS NOT NULL BEGIN
  UPDATE `member` SET `participant_since` = NEW.`created_at` WHERE `user_id` = NEW.`user_id` AND `participant_since` IS NULL AND `role` <> 'monitor';
END;

CREATE TRIGGER `device_left` AFTER UPDATE OF `user_id` ON `device` WHEN OLD.`user_id` IS NOT NEW.`user_id` BEGIN
  UPDATE `member` SET `participant_since` = NULL WHERE `user_id` = OLD.`user_id` AND `participant_since` IS NOT NULL
    AND NOT EXISTS (
      SELECT 1 FROM `participant` p
      WHERE p.`investigation_id` = `member`.`investigation_id` AND p.`user_id` = `member`.`user_id`);
END;
