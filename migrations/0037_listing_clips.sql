CREATE TABLE "listing_clips" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "listing_clips_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"listing_id" bigint,
	"owner_id" bigint NOT NULL,
	"form" text,
	"kind" text NOT NULL,
	"position" smallint NOT NULL,
	"media_key" text NOT NULL,
	"format" text NOT NULL,
	"bytes" integer NOT NULL,
	"millis" integer NOT NULL,
	"width" smallint,
	"height" smallint,
	"still_key" text,
	"caption" text DEFAULT '' NOT NULL,
	"upload_id" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "listing_clips_media_key_unique" UNIQUE("media_key"),
	CONSTRAINT "listing_clips_still_key_unique" UNIQUE("still_key"),
	CONSTRAINT "listing_clips_upload_id_unique" UNIQUE("upload_id"),
	CONSTRAINT "listing_clips_place" UNIQUE("listing_id","kind","position"),
	CONSTRAINT "listing_clips_form_place" UNIQUE("owner_id","form","kind","position"),
	CONSTRAINT "listing_clips_somewhere" CHECK (("listing_clips"."listing_id" is null) <> ("listing_clips"."form" is null)),
	CONSTRAINT "listing_clips_places" CHECK ("listing_clips"."kind" = 'video' and "listing_clips"."position" in (0, 1) or "listing_clips"."kind" = 'voice' and "listing_clips"."position" = 0),
	CONSTRAINT "listing_clips_format" CHECK ("listing_clips"."format" in ('mp4', 'webm')),
	CONSTRAINT "listing_clips_caption" CHECK (length("listing_clips"."caption") <= 120)
);
--> statement-breakpoint
CREATE TABLE "clip_upload_parts" (
	"upload_id" text NOT NULL,
	"start" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "clip_upload_parts_upload_id_start_pk" PRIMARY KEY("upload_id","start")
);
--> statement-breakpoint
CREATE TABLE "clip_uploads" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" bigint NOT NULL,
	"length" integer NOT NULL,
	"received" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "clip_uploads_received" CHECK ("clip_uploads"."received" between 0 and "clip_uploads"."length")
);
--> statement-breakpoint
ALTER TABLE "listing_clips" ADD CONSTRAINT "listing_clips_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_clips" ADD CONSTRAINT "listing_clips_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clip_upload_parts" ADD CONSTRAINT "clip_upload_parts_upload_id_clip_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."clip_uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "clip_uploads" ADD CONSTRAINT "clip_uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listing_clips_waiting" ON "listing_clips" USING btree ("created_at") WHERE form is not null;--> statement-breakpoint
CREATE INDEX "clip_uploads_owner" ON "clip_uploads" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "clip_uploads_created" ON "clip_uploads" USING btree ("created_at");--> statement-breakpoint
-- A clip appears on pages for everybody (0001).
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON listing_clips FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
