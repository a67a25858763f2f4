CREATE EXTENSION IF NOT EXISTS btree_gist;--> statement-breakpoint
CREATE TABLE "address_types" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "addresses" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "addresses_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"type_id" smallint NOT NULL,
	"address_1" text NOT NULL,
	"address_2" text NOT NULL,
	"pincode" char(6) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contact_reveals" (
	"viewer_id" bigint NOT NULL,
	"day" date NOT NULL,
	"seller_id" bigint NOT NULL,
	"place" smallint NOT NULL,
	CONSTRAINT "contact_reveals_viewer_id_day_seller_id_pk" PRIMARY KEY("viewer_id","day","seller_id"),
	CONSTRAINT "contact_reveals_place" UNIQUE("viewer_id","day","place"),
	CONSTRAINT "contact_reveals_quota" CHECK ("contact_reveals"."place" between 1 and 50)
);
--> statement-breakpoint
CREATE TABLE "loaded_data" (
	"name" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"rows" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pincodes" (
	"pincode" char(6) PRIMARY KEY NOT NULL,
	"taluk" text NOT NULL,
	"district" text NOT NULL,
	"state" text NOT NULL,
	"lat" double precision,
	"lon" double precision,
	"is_deliverable" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "seller_reviews" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "seller_reviews_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" bigint NOT NULL,
	"reviewer_id" bigint NOT NULL,
	"stars" smallint,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "seller_reviews_once" UNIQUE("seller_id","reviewer_id"),
	CONSTRAINT "seller_reviews_stars" CHECK ("seller_reviews"."stars" between 1 and 5),
	CONSTRAINT "seller_reviews_not_empty" CHECK ("seller_reviews"."stars" is not null or "seller_reviews"."comment" <> ''),
	CONSTRAINT "seller_reviews_not_self" CHECK ("seller_reviews"."seller_id" <> "seller_reviews"."reviewer_id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_titles" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_types" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"phone" text NOT NULL,
	"name" text NOT NULL,
	"type_id" smallint NOT NULL,
	"title_id" smallint,
	"password_hash" text NOT NULL,
	"degree" text,
	"vet_approved" boolean DEFAULT false NOT NULL,
	"super_admin" boolean DEFAULT false NOT NULL,
	"is_verified" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"referral_code" char(10) NOT NULL,
	"locale" text DEFAULT 'ta' NOT NULL,
	"is_sample" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_phone_unique" UNIQUE("phone"),
	CONSTRAINT "users_referral_code_unique" UNIQUE("referral_code"),
	CONSTRAINT "users_phone" CHECK ("users"."phone" ~ '^\+[1-9][0-9]{11,14}$'),
	CONSTRAINT "users_locale" CHECK ("users"."locale" in ('ta', 'en'))
);
--> statement-breakpoint
CREATE TABLE "breeds" (
	"id" smallint PRIMARY KEY NOT NULL,
	"category_id" smallint NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL,
	"short_name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "categories" (
	"id" smallint PRIMARY KEY NOT NULL,
	"type_id" smallint NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL,
	"short_en" text NOT NULL,
	"short_ta" text NOT NULL,
	"variant_type" smallint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "category_types" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "colors" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "feed_types" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "genders" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listing_photos" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "listing_photos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"listing_id" bigint NOT NULL,
	"position" smallint NOT NULL,
	"media_key" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"thumbhash" text NOT NULL,
	"average_color" text NOT NULL,
	"dhash" text NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "listing_photos_media_key_unique" UNIQUE("media_key"),
	CONSTRAINT "listing_photos_position" UNIQUE("listing_id","position"),
	CONSTRAINT "listing_photos_three" CHECK ("listing_photos"."position" between 0 and 2)
);
--> statement-breakpoint
CREATE TABLE "listing_views" (
	"listing_id" bigint NOT NULL,
	"day" date NOT NULL,
	"viewer_key" text NOT NULL,
	"viewed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "listing_views_listing_id_day_viewer_key_pk" PRIMARY KEY("listing_id","day","viewer_key")
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "listings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"seller_id" bigint NOT NULL,
	"created_by_id" bigint NOT NULL,
	"pickup_address_id" bigint NOT NULL,
	"category_id" smallint NOT NULL,
	"breed_id" smallint,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"name_en" text,
	"description_en" text,
	"age_id" smallint,
	"gender_id" smallint,
	"color_id" smallint,
	"feed_type_id" smallint DEFAULT 2 NOT NULL,
	"weight_kg" numeric(7, 2) NOT NULL,
	"stock" integer NOT NULL,
	"original_price" bigint NOT NULL,
	"offer_price" bigint,
	"price" bigint GENERATED ALWAYS AS (coalesce(offer_price, original_price)) STORED NOT NULL,
	"teeth_pairs" smallint,
	"pregnancies" smallint,
	"milk_litres_per_day" numeric(4, 1),
	"offspring" smallint,
	"state" text NOT NULL,
	"verification_comment" text,
	"is_sold" boolean DEFAULT false NOT NULL,
	"sold_through_sandhai" boolean,
	"pincode" text NOT NULL,
	"taluk" text NOT NULL,
	"district" text NOT NULL,
	"state_name" text NOT NULL,
	"location" "point",
	"search_keys" "tsvector" NOT NULL,
	"is_sample" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "listings_stock" CHECK ("listings"."stock" between 0 and 10000),
	CONSTRAINT "listings_original_price" CHECK ("listings"."original_price" > 0 and "listings"."original_price" < 1000000000000),
	CONSTRAINT "listings_offer_price" CHECK ("listings"."offer_price" > 0 and "listings"."offer_price" < "listings"."original_price"),
	CONSTRAINT "listings_weight" CHECK ("listings"."weight_kg" between 0 and 5000),
	CONSTRAINT "listings_state" CHECK ("listings"."state" in ('draft', 'pending', 'passed', 'failed', 'withdrawn')),
	CONSTRAINT "listings_counts" CHECK ("listings"."teeth_pairs" between 0 and 10 and "listings"."pregnancies" between 0 and 10 and "listings"."offspring" between 0 and 100 and "listings"."milk_litres_per_day" between 0 and 100),
	CONSTRAINT "listings_female" CHECK (("listings"."pregnancies" is null and "listings"."milk_litres_per_day" is null) or "listings"."gender_id" = 0)
);
--> statement-breakpoint
CREATE TABLE "livestock_ages" (
	"id" smallint PRIMARY KEY NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vaccinations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vaccinations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"listing_id" bigint NOT NULL,
	"vaccine_id" smallint NOT NULL,
	"dose" smallint NOT NULL,
	"vaccinated_on" date NOT NULL,
	CONSTRAINT "vaccinations_dose" CHECK ("vaccinations"."dose" between 1 and 3)
);
--> statement-breakpoint
CREATE TABLE "vaccine_categories" (
	"vaccine_id" smallint NOT NULL,
	"category_id" smallint NOT NULL,
	CONSTRAINT "vaccine_categories_vaccine_id_category_id_pk" PRIMARY KEY("vaccine_id","category_id")
);
--> statement-breakpoint
CREATE TABLE "vaccines" (
	"id" smallint PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"en" text NOT NULL,
	"ta" text NOT NULL,
	CONSTRAINT "vaccines_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "verifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"listing_id" bigint NOT NULL,
	"admin_id" bigint NOT NULL,
	"passed" boolean NOT NULL,
	"comment" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vet_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "vet_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"listing_id" bigint NOT NULL,
	"vet_id" bigint NOT NULL,
	"approved" boolean NOT NULL,
	"comments" text NOT NULL,
	"comments_en" text,
	"checked_on" date NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_type_id_address_types_id_fk" FOREIGN KEY ("type_id") REFERENCES "public"."address_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "addresses" ADD CONSTRAINT "addresses_pincode_pincodes_pincode_fk" FOREIGN KEY ("pincode") REFERENCES "public"."pincodes"("pincode") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_reveals" ADD CONSTRAINT "contact_reveals_viewer_id_users_id_fk" FOREIGN KEY ("viewer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contact_reveals" ADD CONSTRAINT "contact_reveals_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_reviewer_id_users_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_type_id_user_types_id_fk" FOREIGN KEY ("type_id") REFERENCES "public"."user_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_title_id_user_titles_id_fk" FOREIGN KEY ("title_id") REFERENCES "public"."user_titles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "breeds" ADD CONSTRAINT "breeds_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_type_id_category_types_id_fk" FOREIGN KEY ("type_id") REFERENCES "public"."category_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_photos" ADD CONSTRAINT "listing_photos_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listing_views" ADD CONSTRAINT "listing_views_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_created_by_id_users_id_fk" FOREIGN KEY ("created_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_pickup_address_id_addresses_id_fk" FOREIGN KEY ("pickup_address_id") REFERENCES "public"."addresses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_breed_id_breeds_id_fk" FOREIGN KEY ("breed_id") REFERENCES "public"."breeds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_age_id_livestock_ages_id_fk" FOREIGN KEY ("age_id") REFERENCES "public"."livestock_ages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_gender_id_genders_id_fk" FOREIGN KEY ("gender_id") REFERENCES "public"."genders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_color_id_colors_id_fk" FOREIGN KEY ("color_id") REFERENCES "public"."colors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_feed_type_id_feed_types_id_fk" FOREIGN KEY ("feed_type_id") REFERENCES "public"."feed_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vaccinations" ADD CONSTRAINT "vaccinations_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vaccinations" ADD CONSTRAINT "vaccinations_vaccine_id_vaccines_id_fk" FOREIGN KEY ("vaccine_id") REFERENCES "public"."vaccines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vaccine_categories" ADD CONSTRAINT "vaccine_categories_vaccine_id_vaccines_id_fk" FOREIGN KEY ("vaccine_id") REFERENCES "public"."vaccines"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vaccine_categories" ADD CONSTRAINT "vaccine_categories_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verifications" ADD CONSTRAINT "verifications_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vet_checks" ADD CONSTRAINT "vet_checks_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "vet_checks" ADD CONSTRAINT "vet_checks_vet_id_users_id_fk" FOREIGN KEY ("vet_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "addresses_user" ON "addresses" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "pincodes_district" ON "pincodes" USING btree ("district");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "listings_newest" ON "listings" USING btree ("created_at","id") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_category_newest" ON "listings" USING btree ("category_id","created_at","id") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_breed_newest" ON "listings" USING btree ("breed_id","created_at","id") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_breed_price" ON "listings" USING btree ("breed_id","price","id") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_price" ON "listings" USING btree ("price","id") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_category_price" ON "listings" USING btree ("category_id","price","id") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_location" ON "listings" USING gist ("location") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_category_location" ON "listings" USING gist ("category_id","location") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_breed_location" ON "listings" USING gist ("breed_id","location") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_search" ON "listings" USING gin ("search_keys") WHERE state = 'passed' and not is_sold and stock > 0;--> statement-breakpoint
CREATE INDEX "listings_seller" ON "listings" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "vaccinations_listing" ON "vaccinations" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "verifications_listing" ON "verifications" USING btree ("listing_id","id");--> statement-breakpoint
CREATE INDEX "vet_checks_listing" ON "vet_checks" USING btree ("listing_id","id");