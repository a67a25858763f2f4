CREATE TABLE "heartbeat" (
	"id" smallint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "heartbeat_one" CHECK ("heartbeat"."id" = 1)
);

--> statement-breakpoint
-- Written by hand: the one row.
INSERT INTO "heartbeat" ("id", "at") VALUES (1, now());
