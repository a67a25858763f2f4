ALTER TABLE "listings" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "described_weight_kg" numeric(7, 2);--> statement-breakpoint
UPDATE "listings" SET "described_weight_kg" = "weight_kg";--> statement-breakpoint
ALTER TABLE "listings" ALTER COLUMN "described_weight_kg" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "editor_id" bigint;--> statement-breakpoint
ALTER TABLE "verifications" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "vet_checks" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_editor_id_users_id_fk" FOREIGN KEY ("editor_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;