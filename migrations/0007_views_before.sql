ALTER TABLE "listings" ADD COLUMN "views_before" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "listing_views_day" ON "listing_views" USING btree ("day");