DROP INDEX `case_by_investigation`;--> statement-breakpoint
CREATE INDEX `case_by_state` ON `study_case` (`investigation_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `case_edited` ON `study_case` (`investigation_id`,`edited_at`) WHERE edited_at > created_at;--> statement-breakpoint
DROP INDEX `response_by_investigation`;--> statement-breakpoint
CREATE INDEX `response_by_state` ON `response` (`investigation_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_of_case` ON `response` (`case_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_of_survey` ON `response` (`survey_id`,(case when deleted_at is not null then 4 else (archived_at is not null) * 2 + (locked_at is not null) end),`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `response_edited` ON `response` (`investigation_id`,`revised_at`) WHERE revised_at > created_at;--> statement-breakpoint
ALTER TABLE `investigation` ADD `stored_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `investigation` ADD `largest_response` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `response_revision` ADD `base` integer;--> statement-breakpoint
ALTER TABLE `response_revision` ADD `weight` integer;--> statement-breakpoint
ALTER TABLE `response_revision` ADD `size` integer;--> statement-breakpoint
UPDATE `investigation` SET
  `stored_bytes` = (SELECT coalesce(sum(200 + octet_length(`created_with`)), 0) FROM `study_case` WHERE `investigation_id` = `investigation`.`id`)
    + (SELECT coalesce(sum(200 + octet_length(`name`) + octet_length(`items`) + coalesce(octet_length(`reminders`), 0)), 0) FROM `survey` WHERE `investigation_id` = `investigation`.`id`)
    + (SELECT coalesce(sum(200 + octet_length(`items`) + octet_length(`reasons`)), 0) FROM `response` WHERE `investigation_id` = `investigation`.`id`)
    + (SELECT coalesce(sum(200 + octet_length(`v`.`items`) + octet_length(`v`.`reasons`)), 0) FROM `response` `r` JOIN `response_revision` `v` ON `v`.`response_id` = `r`.`id` WHERE `r`.`investigation_id` = `investigation`.`id`)
    + (SELECT coalesce(sum(200 + octet_length(`details`)), 0) FROM `activity` WHERE `investigation_id` = `investigation`.`id` AND octet_length(`details`) > 1000),
  `largest_response` = (SELECT coalesce(max(octet_length(`items`) + octet_length(`reasons`)), 0) FROM `response` WHERE `investigation_id` = `investigation`.`id`);--> statement-breakpoint
DROP TRIGGER `case_added`;--> statement-breakpoint
DROP TRIGGER `case_removed`;--> statement-breakpoint
DROP TRIGGER `survey_added`;--> statement-breakpoint
DROP TRIGGER `survey_removed`;--> statement-breakpoint
CREATE TRIGGER `case_added` AFTER INSERT ON `study_case` BEGIN UPDATE `investigation` SET `case_count` = `case_count` + 1, `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`created_with`) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `case_removed` AFTER DELETE ON `study_case` BEGIN UPDATE `investigation` SET `case_count` = `case_count` - 1, `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`created_with`) WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_added` AFTER INSERT ON `survey` BEGIN UPDATE `investigation` SET `survey_count` = `survey_count` + 1, `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`name`) + octet_length(NEW.`items`) + coalesce(octet_length(NEW.`reminders`), 0) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_removed` AFTER DELETE ON `survey` BEGIN UPDATE `investigation` SET `survey_count` = `survey_count` - 1, `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`name`) - octet_length(OLD.`items`) - coalesce(octet_length(OLD.`reminders`), 0) WHERE `id` = OLD.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `survey_changed` AFTER UPDATE OF `name`, `items`, `reminders` ON `survey` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + octet_length(NEW.`name`) + octet_length(NEW.`items`) + coalesce(octet_length(NEW.`reminders`), 0) - octet_length(OLD.`name`) - octet_length(OLD.`items`) - coalesce(octet_length(OLD.`reminders`), 0) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `activity_details_added` AFTER INSERT ON `activity` WHEN octet_length(NEW.`details`) > 1000 BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`details`) WHERE `id` = NEW.`investigation_id`; END;--> statement-breakpoint
CREATE TRIGGER `revision_added` AFTER INSERT ON `response_revision` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` + 200 + octet_length(NEW.`items`) + octet_length(NEW.`reasons`) + coalesce(NEW.`size`, octet_length(NEW.`items`) + octet_length(NEW.`reasons`)) - coalesce((SELECT coalesce(`size`, octet_length(`items`) + octet_length(`reasons`)) FROM `response_revision` WHERE `response_id` = NEW.`response_id` AND `number` = NEW.`number` - 1), -200), `largest_response` = max(`largest_response`, coalesce(NEW.`size`, octet_length(NEW.`items`) + octet_length(NEW.`reasons`))) WHERE `id` = (SELECT `investigation_id` FROM `response` WHERE `id` = NEW.`response_id`); END;--> statement-breakpoint
CREATE TRIGGER `revision_removed` AFTER DELETE ON `response_revision` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`items`) - octet_length(OLD.`reasons`) WHERE `id` = (SELECT `investigation_id` FROM `response` WHERE `id` = OLD.`response_id`); END;--> statement-breakpoint
CREATE TRIGGER `response_removed` AFTER DELETE ON `response` BEGIN UPDATE `investigation` SET `stored_bytes` = `stored_bytes` - 200 - octet_length(OLD.`items`) - octet_length(OLD.`reasons`) WHERE `id` = OLD.`investigation_id`; END;
