CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "listing_drafts_form" ON "listing_drafts" USING btree ("owner_id","listing_id") NULLS NOT DISTINCT;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "listing_drafts_listing" ON "listing_drafts" USING btree ("listing_id");
