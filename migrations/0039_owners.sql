CREATE TABLE "owner_codes" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"owner_id" bigint NOT NULL,
	"agent_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "owner_consents" (
	"listing_id" bigint PRIMARY KEY NOT NULL,
	"owner_id" bigint NOT NULL,
	"agent_id" bigint NOT NULL,
	"fee" bigint,
	"fee_percent" smallint,
	"price" bigint NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"answered_at" timestamp (3) with time zone,
	CONSTRAINT "owner_consents_fee" CHECK (("owner_consents"."fee" is null) <> ("owner_consents"."fee_percent" is null)),
	CONSTRAINT "owner_consents_state" CHECK ("owner_consents"."state" in ('asked', 'agreed', 'refused', 'pulled', 'silent', 'taken'))
);
--> statement-breakpoint
CREATE TABLE "owner_refusals" (
	"owner_id" bigint NOT NULL,
	"agent_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "owner_refusals_owner_id_agent_id_pk" PRIMARY KEY("owner_id","agent_id")
);
--> statement-breakpoint
CREATE TABLE "owners" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "owners_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"phone_sealed" "bytea" NOT NULL,
	"phone_mac" "bytea" NOT NULL,
	"locale" text DEFAULT 'ta' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "owners_phone_mac_unique" UNIQUE("phone_mac"),
	CONSTRAINT "owners_locale" CHECK ("owners"."locale" in ('ta', 'en'))
);
--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "owner_name" text;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "owner_agreed" boolean;--> statement-breakpoint
ALTER TABLE "owner_codes" ADD CONSTRAINT "owner_codes_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_codes" ADD CONSTRAINT "owner_codes_agent_id_users_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_consents" ADD CONSTRAINT "owner_consents_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_consents" ADD CONSTRAINT "owner_consents_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_consents" ADD CONSTRAINT "owner_consents_agent_id_users_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_refusals" ADD CONSTRAINT "owner_refusals_owner_id_owners_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."owners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "owner_refusals" ADD CONSTRAINT "owner_refusals_agent_id_users_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "owner_codes_owner" ON "owner_codes" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "owner_codes_agent" ON "owner_codes" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "owner_codes_created" ON "owner_codes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "owner_consents_owner" ON "owner_consents" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "owner_consents_agent" ON "owner_consents" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "owner_consents_asked" ON "owner_consents" USING btree ("asked_at") WHERE state = 'asked';--> statement-breakpoint
CREATE INDEX "owner_refusals_agent" ON "owner_refusals" USING btree ("agent_id");--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_owner" CHECK (("listings"."owner_name" is null) = ("listings"."owner_agreed" is null));--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_owner_agreed" CHECK ("listings"."owner_agreed" is not false or "listings"."state" in ('draft', 'failed', 'withdrawn'));