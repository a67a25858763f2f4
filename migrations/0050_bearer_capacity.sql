ALTER TABLE "bearers" ADD COLUMN "capacity" smallint;--> statement-breakpoint
ALTER TABLE "bearers" ADD CONSTRAINT "bearers_capacity" CHECK ("bearers"."capacity" between 1 and 20);