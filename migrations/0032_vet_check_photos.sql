CREATE TABLE "vet_check_photos" (
	"check_id" bigint NOT NULL,
	"position" smallint NOT NULL,
	"media_key" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"thumbhash" text NOT NULL,
	"average_color" text NOT NULL,
	"dhash" text NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "vet_check_photos_check_id_position_pk" PRIMARY KEY("check_id","position"),
	CONSTRAINT "vet_check_photos_media_key_unique" UNIQUE("media_key"),
	CONSTRAINT "vet_check_photos_three" CHECK ("vet_check_photos"."position" between 0 and 2)
);
--> statement-breakpoint
ALTER TABLE "vet_check_photos" ADD CONSTRAINT "vet_check_photos_check_id_vet_checks_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."vet_checks"("id") ON DELETE cascade ON UPDATE no action;