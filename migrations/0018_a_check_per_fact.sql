-- Each optional fact has a CHECK of its own, as the field table says it. Of lactations, too, the database now knows that only females have them;
-- the checks of the input have never let another one pass.
ALTER TABLE "listings" DROP CONSTRAINT "listings_counts";--> statement-breakpoint
ALTER TABLE "listings" DROP CONSTRAINT "listings_tape";--> statement-breakpoint
ALTER TABLE "listings" DROP CONSTRAINT "listings_female";--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_girth_cm" CHECK ("listings"."girth_cm" between 20 and 350);--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_length_cm" CHECK ("listings"."length_cm" between 20 and 350);--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_teeth_pairs" CHECK ("listings"."teeth_pairs" between 0 and 10);--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_milk_litres_per_day" CHECK ("listings"."milk_litres_per_day" between 0 and 100 and ("listings"."milk_litres_per_day" is null or "listings"."gender_id" = 0));--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_pregnancies" CHECK ("listings"."pregnancies" between 0 and 10 and ("listings"."pregnancies" is null or "listings"."gender_id" = 0));--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_lactation" CHECK ("listings"."lactation" between 0 and 15 and ("listings"."lactation" is null or "listings"."gender_id" = 0));--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_offspring" CHECK ("listings"."offspring" between 0 and 100);