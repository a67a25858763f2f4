CREATE TABLE "erased_phones" (
	"phone_hash" "bytea" PRIMARY KEY NOT NULL,
	"erased_at" timestamp (3) with time zone NOT NULL,
	"had_first_order" boolean DEFAULT false NOT NULL,
	"had_referral" boolean DEFAULT false NOT NULL,
	"was_referred" boolean DEFAULT false NOT NULL,
	"user_id" bigint,
	CONSTRAINT "erased_phones_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"token_hash" "bytea" NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_devices_token_hash_user_id_pk" PRIMARY KEY("token_hash","user_id")
);
--> statement-breakpoint
DROP INDEX "otps_live";--> statement-breakpoint
ALTER TABLE "otps" ADD COLUMN "asker" text DEFAULT 'stranger' NOT NULL;--> statement-breakpoint
ALTER TABLE "otps" ADD COLUMN "ladder" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "otps" ADD COLUMN "address_hash" "bytea";--> statement-breakpoint
ALTER TABLE "otps" ADD COLUMN "device_hash" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device_hash" "bytea";--> statement-breakpoint
ALTER TABLE "erased_phones" ADD CONSTRAINT "erased_phones_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erased_phones_at" ON "erased_phones" USING btree ("erased_at");--> statement-breakpoint
CREATE INDEX "known_devices_user" ON "known_devices" USING btree ("user_id","seen_at");--> statement-breakpoint
CREATE INDEX "discount_uses_buyer" ON "discount_uses" USING btree ("buyer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "otps_live" ON "otps" USING btree ("phone","purpose","asker") WHERE ended_at is null;
--> statement-breakpoint
-- Counts by phone stand under its keyed hash from now on; the old ones name the number, and nothing would ever find them again.
DELETE FROM "limit_counts" WHERE key ~ '\+[1-9][0-9]{11,14}';
--> statement-breakpoint
DELETE FROM "failure_ladders" WHERE key ~ '\+[1-9][0-9]{11,14}';
