CREATE TABLE "photo_prints" (
	"photo_id" bigint PRIMARY KEY NOT NULL,
	"print" "bytea" NOT NULL,
	"keys" integer[] NOT NULL
);
--> statement-breakpoint
CREATE INDEX "photo_prints_keys" ON "photo_prints" USING gin ("keys");