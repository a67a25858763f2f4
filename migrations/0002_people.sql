CREATE TABLE "consents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "consents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"purpose" text NOT NULL,
	"version" text NOT NULL,
	"locale" text NOT NULL,
	"given_at" timestamp (3) with time zone NOT NULL,
	"withdrawn_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "otps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "otps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"phone" text NOT NULL,
	"purpose" text NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"salt" "bytea" NOT NULL,
	"mac" "bytea" NOT NULL,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"was_used" boolean DEFAULT false NOT NULL,
	CONSTRAINT "otps_tries" CHECK ("otps"."attempts" between 0 and 5)
);
--> statement-breakpoint
CREATE TABLE "pending_registrations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pending_registrations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"browser_hash" "bytea" NOT NULL,
	"phone" text NOT NULL,
	"name" text NOT NULL,
	"title_id" smallint,
	"type_id" smallint NOT NULL,
	"password_hash" text NOT NULL,
	"pan_sealed" "bytea",
	"degree" text,
	"referral_code" text,
	"locale" text NOT NULL,
	"consent_version" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "pending_registrations_browser_hash_unique" UNIQUE("browser_hash")
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"actor_id" bigint,
	"event" text NOT NULL,
	"object" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text NOT NULL,
	"position" bigint,
	"seal" "bytea",
	CONSTRAINT "audit_events_position_unique" UNIQUE("position")
);
--> statement-breakpoint
CREATE TABLE "failure_ladders" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"blocked_until" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "addresses" ADD COLUMN "removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "id" bigint NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "sessions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "awaits_totp" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "vet_registration" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "pan_sealed" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "picture_key" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "requested_type_id" smallint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "requested_type_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_staff" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "is_admin" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "verified_note" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_sealed" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_step" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "referred_by_id" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "erased_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "variables" jsonb;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "sealed" "bytea";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "max_attempts" smallint DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "consents" ADD CONSTRAINT "consents_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_registrations" ADD CONSTRAINT "pending_registrations_title_id_user_titles_id_fk" FOREIGN KEY ("title_id") REFERENCES "public"."user_titles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_registrations" ADD CONSTRAINT "pending_registrations_type_id_user_types_id_fk" FOREIGN KEY ("type_id") REFERENCES "public"."user_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "consents_user" ON "consents" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "otps_live" ON "otps" USING btree ("phone","purpose") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "otps_created" ON "otps" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "pending_registrations_expiry" ON "pending_registrations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_events_object" ON "audit_events" USING btree ("object","id");--> statement-breakpoint
CREATE INDEX "audit_events_unsealed" ON "audit_events" USING btree ("id") WHERE seal is null;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_requested_type_id_user_types_id_fk" FOREIGN KEY ("requested_type_id") REFERENCES "public"."user_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_referred_by_id_users_id_fk" FOREIGN KEY ("referred_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "users_referred_by" ON "users" USING btree ("referred_by_id");--> statement-breakpoint
CREATE INDEX "users_waiting" ON "users" USING btree ("id") WHERE requested_type_id is not null or (type_id = 5 and not vet_approved);--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_id_unique" UNIQUE("id");--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_internal" CHECK ("users"."is_staff"::int + "users"."is_admin"::int + "users"."super_admin"::int <= 1);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_super_admin" CHECK (not "users"."super_admin" or "users"."type_id" = 9);--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_not_self_referred" CHECK ("users"."referred_by_id" <> "users"."id");--> statement-breakpoint
-- Written by hand from here. The audit trail only grows: the single change a row may see is its seal, once.
CREATE FUNCTION keep_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' AND OLD.seal IS NULL AND NEW.seal IS NOT NULL
		AND (NEW.id, NEW.at, NEW.event, NEW.object, NEW.details, NEW.request_id) = (OLD.id, OLD.at, OLD.event, OLD.object, OLD.details, OLD.request_id)
		AND NEW.actor_id IS NOT DISTINCT FROM OLD.actor_id THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION 'audit events are only added' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER audit_event_kept BEFORE UPDATE OR DELETE ON audit_events FOR EACH ROW EXECUTE FUNCTION keep_audit_event();
--> statement-breakpoint
CREATE TRIGGER audit_events_kept BEFORE TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_event();
--> statement-breakpoint
-- A seller's picture and badges stand on pages for everybody, too.
DROP TRIGGER page_change ON users;
--> statement-breakpoint
CREATE TRIGGER page_change AFTER UPDATE OF name, phone, degree, is_verified, is_active, type_id, vet_approved, picture_key ON users FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER UPDATE OF pincode ON addresses FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
