ALTER TABLE `study_case` ADD `locked_in` integer;--> statement-breakpoint
ALTER TABLE `response` ADD `locked_in` integer;