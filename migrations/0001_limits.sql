ALTER TABLE `study_case` ADD `state_revision` text;--> statement-breakpoint
ALTER TABLE `investigation` ADD `case_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `investigation` ADD `member_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `investigation` ADD `survey_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `response` ADD `state_revision` text;--> statement-breakpoint
ALTER TABLE `user` ADD `named_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `study_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `study_case` SET `state_revision` = `revision_id`;--> statement-breakpoint
UPDATE `response` SET `state_revision` = `revision_id`;--> statement-breakpoint
UPDATE `user` SET `named_at` = unixepoch() * 1000, `study_count` = (SELECT count(*) FROM `member` WHERE `user_id` = `user`.`id` AND `role` = 'owner');--> statement-breakpoint
UPDATE `investigation` SET
  `case_count` = (SELECT count(*) FROM `study_case` WHERE `investigation_id` = `investigation`.`id`),
  `survey_count` = (SELECT count(*) FROM `survey` WHERE `investigation_id` = `investigation`.`id`),
  `member_count` = (SELECT count(*) FROM `member` WHERE `investigation_id` = `investigation`.`id`)
    + (SELECT count(*) FROM `invitation` WHERE `investigation_id` = `investigation`.`id`);--> statement-breakpoint
CREATE TRIGGER `case_added` AFTER INSERT ON `study_case` BEGIN UPDATE `investigation` SET `case_count` = `case_count` + 1 WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `case_removed` AFTER DELETE ON `study_case` BEGIN UPDATE `investigation` SET `case_count` = `case_count` - 1 WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_added` AFTER INSERT ON `survey` BEGIN UPDATE `investigation` SET `survey_count` = `survey_count` + 1 WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_removed` AFTER DELETE ON `survey` BEGIN UPDATE `investigation` SET `survey_count` = `survey_count` - 1 WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `member_added` AFTER INSERT ON `member` BEGIN UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `member_removed` AFTER DELETE ON `member` BEGIN UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `invitation_added` AFTER INSERT ON `invitation` BEGIN UPDATE `investigation` SET `member_count` = `member_count` + 1 WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `invitation_removed` AFTER DELETE ON `invitation` BEGIN UPDATE `investigation` SET `member_count` = `member_count` - 1 WHERE `id` = OLD.`investigation_id`; END;
