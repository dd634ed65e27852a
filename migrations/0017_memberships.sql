ALTER TABLE `user` ADD `membership_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `user` SET `membership_count` = (SELECT count(*) FROM `member` WHERE `user_id` = `user`.`id`);--> statement-breakpoint
CREATE TRIGGER `membership_added` AFTER INSERT ON `member` BEGIN UPDATE `user` SET `membership_count` = `membership_count` + 1 WHERE `id` = NEW.`user_id`; END;--> statement-breakpoint
CREATE TRIGGER `membership_removed` AFTER DELETE ON `member` BEGIN UPDATE `user` SET `membership_count` = `membership_count` - 1 WHERE `id` = OLD.`user_id`; END;
