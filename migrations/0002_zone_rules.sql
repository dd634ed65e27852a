CREATE TABLE `zone_rules` (
	`id` integer PRIMARY KEY NOT NULL,
	`release` text NOT NULL,
	`step` integer NOT NULL,
	`upgrade` text,
	`since` integer NOT NULL,
	`rules` text NOT NULL
);
