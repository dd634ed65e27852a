CREATE TABLE `leaving_endpoint` (
	`endpoint` text PRIMARY KEY NOT NULL,
	`noted_at` integer NOT NULL
) WITHOUT ROWID;
