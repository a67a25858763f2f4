CREATE TABLE "invoice_series" (
	"series" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invoices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"number" text NOT NULL,
	"series" text NOT NULL,
	"serial" integer NOT NULL,
	"order_id" bigint NOT NULL,
	"owner_id" bigint NOT NULL,
	"snapshot" jsonb NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	"settled_by_id" bigint,
	CONSTRAINT "invoices_number_unique" UNIQUE("number"),
	CONSTRAINT "invoices_serial" UNIQUE("series","serial"),
	CONSTRAINT "invoices_kind" CHECK ("invoices"."kind" in ('commission', 'receipt'))
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"owner" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" "bytea" NOT NULL,
	"answer" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_owner_key_pk" PRIMARY KEY("owner","key")
);
--> statement-breakpoint
CREATE TABLE "contact_taps" (
	"listing_id" bigint NOT NULL,
	"person_id" bigint NOT NULL,
	"way" text NOT NULL,
	"tapped_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contact_taps_listing_id_person_id_way_pk" PRIMARY KEY("listing_id","person_id","way"),
	CONSTRAINT "contact_taps_way" CHECK ("contact_taps"."way" in ('call', 'whatsapp'))
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reporter_id" bigint NOT NULL,
	"seller_id" bigint NOT NULL,
	"listing_id" bigint,
	"reason" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by_id" bigint,
	"outcome" text,
	"note" text,
	CONSTRAINT "reports_reason" CHECK ("reports"."reason" in ('sold', 'wrong', 'photos', 'fraud', 'forbidden', 'cruelty', 'other')),
	CONSTRAINT "reports_outcome" CHECK ("reports"."outcome" in ('left', 'taken-down')),
	CONSTRAINT "reports_closed" CHECK (("reports"."closed_at" is null) = ("reports"."closed_by_id" is null) and ("reports"."closed_at" is null) = ("reports"."outcome" is null))
);
--> statement-breakpoint
CREATE TABLE "vet_holds" (
	"listing_id" bigint PRIMARY KEY NOT NULL,
	"vet_id" bigint NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "draft_photos" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "draft_photos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"draft_id" bigint NOT NULL,
	"position" smallint NOT NULL,
	"media_key" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"thumbhash" text NOT NULL,
	"average_color" text NOT NULL,
	"dhash" text NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "draft_photos_media_key_unique" UNIQUE("media_key"),
	CONSTRAINT "draft_photos_position" UNIQUE("draft_id","position"),
	CONSTRAINT "draft_photos_three" CHECK ("draft_photos"."position" between 0 and 2)
);
--> statement-breakpoint
CREATE TABLE "listing_drafts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "listing_drafts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" bigint NOT NULL,
	"typed" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"saved_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD COLUMN "updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD COLUMN "answer" text;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "lactation" smallint;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "girth_cm" smallint;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "length_cm" smallint;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "tag_sealed" "bytea";--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "tag_mac" "bytea";--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "submitted_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "reminded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "vet_checks" ADD COLUMN "temperature_c" numeric(3, 1);--> statement-breakpoint
ALTER TABLE "vet_checks" ADD COLUMN "body_condition" numeric(2, 1);--> statement-breakpoint
ALTER TABLE "vet_checks" ADD COLUMN "teeth" text;--> statement-breakpoint
ALTER TABLE "vet_checks" ADD COLUMN "udder" text;--> statement-breakpoint
ALTER TABLE "vet_checks" ADD COLUMN "gait" text;--> statement-breakpoint
ALTER TABLE "vet_checks" ADD COLUMN "skin" text;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_series_invoice_series_series_fk" FOREIGN KEY ("series") REFERENCES "public"."invoice_series"("series") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_settled_by_id_users_id_fk" FOREIGN KEY ("settled_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_taps" ADD CONSTRAINT "contact_taps_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_taps" ADD CONSTRAINT "contact_taps_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reports" ADD CONSTRAINT "reports_closed_by_id_users_id_fk" FOREIGN KEY ("closed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vet_holds" ADD CONSTRAINT "vet_holds_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vet_holds" ADD CONSTRAINT "vet_holds_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "draft_photos" ADD CONSTRAINT "draft_photos_draft_id_listing_drafts_id_fk" FOREIGN KEY ("draft_id") REFERENCES "public"."listing_drafts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_drafts" ADD CONSTRAINT "listing_drafts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_of_order" ON "invoices" USING btree ("order_id","kind");--> statement-breakpoint
CREATE INDEX "invoices_owner" ON "invoices" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "idempotency_created" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "reports_open_listing" ON "reports" USING btree ("reporter_id","listing_id") WHERE closed_at is null and listing_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "reports_open_seller" ON "reports" USING btree ("reporter_id","seller_id") WHERE closed_at is null and listing_id is null;--> statement-breakpoint
CREATE INDEX "reports_open" ON "reports" USING btree ("created_at","id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "vet_holds_vet" ON "vet_holds" USING btree ("vet_id");--> statement-breakpoint
CREATE UNIQUE INDEX "listing_drafts_owner" ON "listing_drafts" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "listing_drafts_saved" ON "listing_drafts" USING btree ("saved_at");--> statement-breakpoint
ALTER TABLE "breeds" ADD CONSTRAINT "breeds_of_category" UNIQUE("id","category_id");--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_breed_of_category" FOREIGN KEY ("breed_id","category_id") REFERENCES "public"."breeds"("id","category_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "listing_photos_sha256" ON "listing_photos" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "listings_waiting" ON "listings" USING btree ("submitted_at","id") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "listings_tag" ON "listings" USING btree ("tag_mac") WHERE tag_mac is not null;--> statement-breakpoint
CREATE INDEX "listings_touched" ON "listings" USING btree ("touched_at") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "vet_checks_vet" ON "vet_checks" USING btree ("vet_id","id");--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_answer" CHECK (("seller_reviews"."answer" is null) = ("seller_reviews"."answered_at" is null));--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_tape" CHECK ("listings"."girth_cm" between 20 and 350 and "listings"."length_cm" between 20 and 350 and "listings"."lactation" between 0 and 15);--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_tag_whole" CHECK (("listings"."tag_sealed" is null) = ("listings"."tag_mac" is null));--> statement-breakpoint
ALTER TABLE "vet_checks" ADD CONSTRAINT "vet_checks_findings" CHECK ("vet_checks"."teeth" in ('good', 'watch', 'bad') and "vet_checks"."udder" in ('good', 'watch', 'bad') and "vet_checks"."gait" in ('good', 'watch', 'bad') and "vet_checks"."skin" in ('good', 'watch', 'bad'));--> statement-breakpoint
ALTER TABLE "vet_checks" ADD CONSTRAINT "vet_checks_temperature" CHECK ("vet_checks"."temperature_c" between 30 and 45);--> statement-breakpoint
ALTER TABLE "vet_checks" ADD CONSTRAINT "vet_checks_condition" CHECK ("vet_checks"."body_condition" between 1 and 5 and "vet_checks"."body_condition" * 2 = trunc("vet_checks"."body_condition" * 2));--> statement-breakpoint
-- Written by hand from here. What stood here before was sent in, and described, when it was made.
UPDATE listings SET submitted_at = created_at, changed_at = created_at;
--> statement-breakpoint
UPDATE seller_reviews SET updated_at = created_at;
--> statement-breakpoint
-- Whatever waits for its verification, or passed it, has a picture; asked at the end of the transaction that says so.
CREATE FUNCTION require_listing_photo() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	shown bigint;
BEGIN
	IF TG_TABLE_NAME = 'listings' THEN shown := NEW.id; ELSE shown := OLD.listing_id; END IF;
	IF EXISTS (SELECT 1 FROM listings WHERE id = shown AND state IN ('pending', 'passed'))
		AND NOT EXISTS (SELECT 1 FROM listing_photos WHERE listing_id = shown) THEN
		RAISE EXCEPTION 'listing % has no picture', shown USING ERRCODE = 'check_violation', CONSTRAINT = 'listings_photo';
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER listings_photo AFTER INSERT OR UPDATE OF state ON listings DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (NEW.state IN ('pending', 'passed')) EXECUTE FUNCTION require_listing_photo();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER listings_photo AFTER DELETE OR UPDATE OF listing_id ON listing_photos DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW EXECUTE FUNCTION require_listing_photo();
--> statement-breakpoint
-- Verdicts, findings and documents are only added.
CREATE FUNCTION keep_row() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER verification_kept BEFORE UPDATE OR DELETE ON verifications FOR EACH ROW EXECUTE FUNCTION keep_row();
--> statement-breakpoint
CREATE TRIGGER vet_check_kept BEFORE UPDATE OR DELETE ON vet_checks FOR EACH ROW EXECUTE FUNCTION keep_row();
--> statement-breakpoint
-- The one thing a document may be told later is that it was settled, once.
CREATE FUNCTION keep_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL
		AND (NEW.id, NEW.kind, NEW.number, NEW.series, NEW.serial, NEW.order_id, NEW.owner_id, NEW.snapshot, NEW.issued_at)
			= (OLD.id, OLD.kind, OLD.number, OLD.series, OLD.serial, OLD.order_id, OLD.owner_id, OLD.snapshot, OLD.issued_at) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'an issued document does not change' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER invoice_kept BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION keep_invoice();
