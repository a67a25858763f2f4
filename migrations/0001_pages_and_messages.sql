CREATE TABLE "newsletter_subscribers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "newsletter_subscribers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"locale" text NOT NULL,
	"consent_version" text NOT NULL,
	"consented_at" timestamp (3) with time zone NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"unsubscribed_at" timestamp (3) with time zone,
	CONSTRAINT "newsletter_subscribers_email_unique" UNIQUE("email"),
	CONSTRAINT "newsletter_email" CHECK ("newsletter_subscribers"."email" = lower("newsletter_subscribers"."email")),
	CONSTRAINT "newsletter_locale" CHECK ("newsletter_subscribers"."locale" in ('ta', 'en'))
);
--> statement-breakpoint
CREATE TABLE "limit_counts" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"recipient" text NOT NULL,
	"template" text NOT NULL,
	"locale" text NOT NULL,
	"subject" text,
	"body" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"failed_at" timestamp (3) with time zone,
	"last_error" text,
	CONSTRAINT "outbox_channel" CHECK ("outbox"."channel" in ('sms', 'email')),
	CONSTRAINT "outbox_locale" CHECK ("outbox"."locale" in ('ta', 'en')),
	CONSTRAINT "outbox_subject" CHECK (("outbox"."subject" is not null) = ("outbox"."channel" = 'email'))
);
--> statement-breakpoint
CREATE TABLE "page_changes" (
	"txid" "xid8" PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("due_at","id") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
-- Written by hand from here: who changes what an anonymous page shows leaves a line for the page cache (docs/decisions/0012).
-- One line per transaction, without a lock that others would wait for.
CREATE FUNCTION note_page_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO page_changes (txid) VALUES (pg_current_xact_id()) ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON listings FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON listing_photos FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON vaccinations FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON vet_checks FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON seller_reviews FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER UPDATE OF name, phone, degree, is_verified, is_active ON users FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER UPDATE OF taluk, district, state, is_deliverable ON pincodes FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
