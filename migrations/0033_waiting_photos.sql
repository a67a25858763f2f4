CREATE TABLE "waiting_photos" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "waiting_photos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"key" text NOT NULL,
	"position" smallint NOT NULL,
	"media_key" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"thumbhash" text NOT NULL,
	"average_color" text NOT NULL,
	"dhash" text NOT NULL,
	"sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waiting_photos_media_key_unique" UNIQUE("media_key"),
	CONSTRAINT "waiting_photos_place" UNIQUE("owner_id","key","position"),
	CONSTRAINT "waiting_photos_three" CHECK ("waiting_photos"."position" between 0 and 2)
);
--> statement-breakpoint
ALTER TABLE "waiting_photos" ADD CONSTRAINT "waiting_photos_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "waiting_photos_created" ON "waiting_photos" USING btree ("created_at");