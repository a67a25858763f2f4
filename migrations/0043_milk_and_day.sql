CREATE TABLE "day_photos" (
	"listing_id" bigint PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"word" smallint NOT NULL,
	"number" smallint NOT NULL,
	"media_key" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"thumbhash" text NOT NULL,
	"average_color" text NOT NULL,
	"dhash" text NOT NULL,
	"sha256" text NOT NULL,
	"added_by_id" bigint NOT NULL,
	"seen_revision" integer,
	"is_refused" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "day_photos_media_key_unique" UNIQUE("media_key")
);
--> statement-breakpoint
CREATE TABLE "milkings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "milkings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"listing_id" bigint NOT NULL,
	"milked_on" date NOT NULL,
	"time" text NOT NULL,
	"litres" numeric(4, 1) NOT NULL,
	"media_key" text,
	"format" text,
	"bytes" integer,
	"millis" integer,
	"width" smallint,
	"height" smallint,
	"still_key" text,
	"added_by_id" bigint NOT NULL,
	"seen_revision" integer,
	"is_refused" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "milkings_media_key_unique" UNIQUE("media_key"),
	CONSTRAINT "milkings_still_key_unique" UNIQUE("still_key"),
	CONSTRAINT "milkings_once" UNIQUE("listing_id","milked_on","time"),
	CONSTRAINT "milkings_time" CHECK ("milkings"."time" in ('morning', 'evening')),
	CONSTRAINT "milkings_litres" CHECK ("milkings"."litres" > 0 and "milkings"."litres" <= 100),
	CONSTRAINT "milkings_clip_whole" CHECK (("milkings"."media_key" is null) = ("milkings"."format" is null) and ("milkings"."media_key" is null) = ("milkings"."bytes" is null) and ("milkings"."media_key" is null) = ("milkings"."millis" is null))
);
--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "has_video" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "milkings_shown" date[] DEFAULT '{}'::date[] NOT NULL;--> statement-breakpoint
ALTER TABLE "day_photos" ADD CONSTRAINT "day_photos_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "day_photos" ADD CONSTRAINT "day_photos_added_by_id_users_id_fk" FOREIGN KEY ("added_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milkings" ADD CONSTRAINT "milkings_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "milkings" ADD CONSTRAINT "milkings_added_by_id_users_id_fk" FOREIGN KEY ("added_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "day_photos_added_by" ON "day_photos" USING btree ("added_by_id");--> statement-breakpoint
CREATE INDEX "day_photos_sha256" ON "day_photos" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "day_photos_waiting" ON "day_photos" USING btree ("created_at") WHERE not is_refused;--> statement-breakpoint
CREATE INDEX "milkings_added_by" ON "milkings" USING btree ("added_by_id");--> statement-breakpoint
CREATE INDEX "milkings_clips" ON "milkings" USING btree ("created_at") WHERE media_key is not null and not is_refused;
--> statement-breakpoint
-- Written by hand from here (docs/decisions/0053 and 0098): whether a listing has a video of its own, and the days of its milkings that an admin
-- has seen, stand in its row. Who writes it first holds the row, then reads, as in 0030.
CREATE FUNCTION fold_video(listing bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM listings WHERE id = listing FOR NO KEY UPDATE;
	UPDATE listings l SET has_video = EXISTS (SELECT 1 FROM listing_clips c WHERE c.listing_id = listing AND c.kind = 'video') WHERE l.id = listing;
END
$$;
--> statement-breakpoint
CREATE FUNCTION clip_of_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	-- A clip waits without a listing first, and never goes from one listing to another.
	IF TG_OP <> 'INSERT' AND OLD.listing_id IS NOT NULL THEN PERFORM fold_video(OLD.listing_id); END IF;
	IF TG_OP <> 'DELETE' AND NEW.listing_id IS NOT NULL THEN PERFORM fold_video(NEW.listing_id); END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER clip_of_listing AFTER INSERT OR DELETE ON listing_clips FOR EACH ROW EXECUTE FUNCTION clip_of_listing();
--> statement-breakpoint
CREATE TRIGGER clip_to_listing AFTER UPDATE OF listing_id ON listing_clips FOR EACH ROW
	WHEN (OLD.listing_id IS DISTINCT FROM NEW.listing_id) EXECUTE FUNCTION clip_of_listing();
--> statement-breakpoint
CREATE FUNCTION milkings_shown(listing bigint, of_revision integer) RETURNS date[] LANGUAGE sql AS $$
	SELECT coalesce(array_agg(k.milked_on ORDER BY k.milked_on DESC), '{}') FROM milkings k
	WHERE k.listing_id = listing AND k.media_key IS NOT NULL AND NOT k.is_refused AND k.seen_revision = of_revision
$$;
--> statement-breakpoint
CREATE FUNCTION milking_of_listing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE listing bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.listing_id ELSE NEW.listing_id END;
BEGIN
	PERFORM 1 FROM listings WHERE id = listing FOR NO KEY UPDATE;
	UPDATE listings l SET milkings_shown = milkings_shown(l.id, l.revision) WHERE l.id = listing;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER milking_of_listing AFTER INSERT OR UPDATE OR DELETE ON milkings FOR EACH ROW EXECUTE FUNCTION milking_of_listing();
--> statement-breakpoint
CREATE FUNCTION revision_of_milkings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.milkings_shown := milkings_shown(NEW.id, NEW.revision);
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER revision_of_milkings BEFORE UPDATE OF revision ON listings FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION revision_of_milkings();
--> statement-breakpoint
UPDATE listings l SET has_video = true WHERE EXISTS (SELECT 1 FROM listing_clips c WHERE c.listing_id = l.id AND c.kind = 'video');
--> statement-breakpoint
-- Both appear on pages for everybody (0001).
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON milkings FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON day_photos FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
