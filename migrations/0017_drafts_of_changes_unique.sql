DROP INDEX "listing_drafts_owner";--> statement-breakpoint
ALTER TABLE "listing_drafts" ADD CONSTRAINT "listing_drafts_form" UNIQUE USING INDEX "listing_drafts_form";
