CREATE TABLE "fresh_verdicts" (
	"verification_id" bigint PRIMARY KEY NOT NULL,
	"listing_id" bigint NOT NULL,
	"state" text NOT NULL,
	"verification_comment" text,
	"editor_id" bigint,
	"version" integer NOT NULL,
	"stock" integer NOT NULL,
	"second_look" jsonb,
	"message_id" bigint,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listing_questions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "listing_questions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"listing_id" bigint NOT NULL,
	"admin_id" bigint NOT NULL,
	"question" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "seen_listings" (
	"verification_id" bigint PRIMARY KEY NOT NULL,
	"listing_id" bigint NOT NULL,
	"seen" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verification_claims" (
	"admin_id" bigint PRIMARY KEY NOT NULL,
	"listing_id" bigint NOT NULL,
	"claimed_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verification_skips" (
	"admin_id" bigint NOT NULL,
	"listing_id" bigint NOT NULL,
	"skipped_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "verification_skips_admin_id_listing_id_pk" PRIMARY KEY("admin_id","listing_id")
);
--> statement-breakpoint
ALTER TABLE "fresh_verdicts" ADD CONSTRAINT "fresh_verdicts_verification_id_verifications_id_fk" FOREIGN KEY ("verification_id") REFERENCES "public"."verifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fresh_verdicts" ADD CONSTRAINT "fresh_verdicts_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_questions" ADD CONSTRAINT "listing_questions_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_questions" ADD CONSTRAINT "listing_questions_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seen_listings" ADD CONSTRAINT "seen_listings_verification_id_verifications_id_fk" FOREIGN KEY ("verification_id") REFERENCES "public"."verifications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seen_listings" ADD CONSTRAINT "seen_listings_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_claims" ADD CONSTRAINT "verification_claims_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_claims" ADD CONSTRAINT "verification_claims_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_skips" ADD CONSTRAINT "verification_skips_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification_skips" ADD CONSTRAINT "verification_skips_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fresh_verdicts_listing" ON "fresh_verdicts" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "listing_questions_listing" ON "listing_questions" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "seen_listings_listing" ON "seen_listings" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "verification_claims_listing" ON "verification_claims" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "verification_skips_listing" ON "verification_skips" USING btree ("listing_id");
--> statement-breakpoint
-- A verdict stays, unless it is taken back within seconds: then what it has replaced is still on record.
CREATE FUNCTION keep_verdict() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'DELETE' AND EXISTS (
		SELECT FROM fresh_verdicts f WHERE f.verification_id = OLD.id AND f.created_at > now() - interval '1 minute'
	) THEN
		RETURN OLD;
	END IF;
	RAISE EXCEPTION '% only grows', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
$$;
--> statement-breakpoint
DROP TRIGGER verification_kept ON verifications;
--> statement-breakpoint
CREATE TRIGGER verification_kept BEFORE UPDATE OR DELETE ON verifications FOR EACH ROW EXECUTE FUNCTION keep_verdict();
