CREATE TABLE "alert_days" (
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	"day" date NOT NULL,
	CONSTRAINT "alert_days_user_id_kind_day_pk" PRIMARY KEY("user_id","kind","day"),
	CONSTRAINT "alert_days_kind" CHECK ("alert_days"."kind" in ('wanted', 'saved'))
);
--> statement-breakpoint
CREATE TABLE "alerts_off" (
	"user_id" bigint NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "alerts_off_user_id_kind_pk" PRIMARY KEY("user_id","kind"),
	CONSTRAINT "alerts_off_kind" CHECK ("alerts_off"."kind" in ('wanted', 'saved'))
);
--> statement-breakpoint
CREATE TABLE "saved_listings" (
	"user_id" bigint NOT NULL,
	"listing_id" bigint NOT NULL,
	"known_price" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_listings_user_id_listing_id_pk" PRIMARY KEY("user_id","listing_id")
);
--> statement-breakpoint
CREATE TABLE "saved_searches" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_searches_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"category" bigint NOT NULL,
	"query" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"looked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_searches_once" UNIQUE("user_id","category","query")
);
--> statement-breakpoint
CREATE TABLE "page_views" (
	"day" date NOT NULL,
	"route" text NOT NULL,
	"locale" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "page_views_day_route_locale_pk" PRIMARY KEY("day","route","locale"),
	CONSTRAINT "page_views_locale" CHECK ("page_views"."locale" in ('ta', 'en'))
);
--> statement-breakpoint
CREATE TABLE "tickets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tickets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint,
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"email" text,
	"topic" text NOT NULL,
	"content" text NOT NULL,
	"locale" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by_id" bigint,
	"note" text,
	CONSTRAINT "tickets_topic" CHECK ("tickets"."topic" in ('order', 'listing', 'account', 'grievance', 'privacy', 'other')),
	CONSTRAINT "tickets_locale" CHECK ("tickets"."locale" in ('ta', 'en')),
	CONSTRAINT "tickets_closed" CHECK (("tickets"."closed_at" is null) = ("tickets"."closed_by_id" is null))
);
--> statement-breakpoint
CREATE TABLE "enquiries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enquiries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"poster_id" bigint NOT NULL,
	"posted_for" text NOT NULL,
	"contact" text NOT NULL,
	"category_type_id" smallint NOT NULL,
	"category_id" smallint,
	"breed_id" smallint,
	"age_id" smallint,
	"gender_id" smallint,
	"color_id" smallint,
	"description" text NOT NULL,
	"required_count" smallint NOT NULL,
	"acceptable_price" bigint NOT NULL,
	"weight_kg" numeric(7, 2) NOT NULL,
	"pincode" text NOT NULL,
	"city" text NOT NULL,
	"district" text NOT NULL,
	"state_name" text NOT NULL,
	"location" "point",
	"is_verified" boolean,
	"verified_by_id" bigint,
	"verification_comment" text,
	"verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"renewed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by_id" bigint,
	CONSTRAINT "enquiries_count" CHECK ("enquiries"."required_count" between 0 and 10),
	CONSTRAINT "enquiries_price" CHECK ("enquiries"."acceptable_price" >= 0 and "enquiries"."acceptable_price" < 1000000000000),
	CONSTRAINT "enquiries_weight" CHECK ("enquiries"."weight_kg" between 0 and 5000),
	CONSTRAINT "enquiries_category" CHECK ("enquiries"."category_type_id" not in (1, 2) or "enquiries"."category_id" is not null),
	CONSTRAINT "enquiries_verdict" CHECK (("enquiries"."is_verified" is null) = ("enquiries"."verified_by_id" is null))
);
--> statement-breakpoint
CREATE TABLE "enquiry_matches" (
	"enquiry_id" bigint NOT NULL,
	"seller_id" bigint NOT NULL,
	"told_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "enquiry_matches_enquiry_id_seller_id_pk" PRIMARY KEY("enquiry_id","seller_id")
);
--> statement-breakpoint
CREATE TABLE "enquiry_offers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enquiry_offers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"enquiry_id" bigint NOT NULL,
	"listing_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp (3) with time zone,
	CONSTRAINT "enquiry_offers_once" UNIQUE("enquiry_id","listing_id")
);
--> statement-breakpoint
CREATE TABLE "enquiry_verdicts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "enquiry_verdicts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"enquiry_id" bigint NOT NULL,
	"admin_id" bigint NOT NULL,
	"passed" boolean NOT NULL,
	"comment" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "flags" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "flags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"reporter_id" bigint NOT NULL,
	"thread_id" bigint,
	"reply_id" bigint,
	"reason" text NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"closed_by_id" bigint,
	"outcome" text,
	CONSTRAINT "flags_one" CHECK (("flags"."thread_id" is null) <> ("flags"."reply_id" is null)),
	CONSTRAINT "flags_reason" CHECK ("flags"."reason" in ('hate', 'explicit', 'harassment', 'fraud', 'advertising', 'other')),
	CONSTRAINT "flags_outcome" CHECK ("flags"."outcome" in ('left', 'hidden')),
	CONSTRAINT "flags_closed" CHECK (("flags"."closed_at" is null) = ("flags"."closed_by_id" is null) and ("flags"."closed_at" is null) = ("flags"."outcome" is null))
);
--> statement-breakpoint
CREATE TABLE "replies" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "replies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"author_id" bigint,
	"content" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_by_id" bigint,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	"thread_id" bigint NOT NULL,
	CONSTRAINT "replies_state" CHECK ("replies"."state" in ('shown', 'review', 'hidden', 'deleted'))
);
--> statement-breakpoint
CREATE TABLE "thread_likes" (
	"thread_id" bigint NOT NULL,
	"user_id" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "thread_likes_thread_id_user_id_pk" PRIMARY KEY("thread_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "threads" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "threads_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"author_id" bigint,
	"content" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_by_id" bigint,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	"likes_count" integer DEFAULT 0 NOT NULL,
	"replies_count" integer DEFAULT 0 NOT NULL,
	"last_post_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search_keys" "tsvector" NOT NULL,
	CONSTRAINT "threads_state" CHECK ("threads"."state" in ('shown', 'review', 'hidden', 'deleted'))
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "user_id" bigint;--> statement-breakpoint
ALTER TABLE "alert_days" ADD CONSTRAINT "alert_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alerts_off" ADD CONSTRAINT "alerts_off_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_listings" ADD CONSTRAINT "saved_listings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_listings" ADD CONSTRAINT "saved_listings_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_searches" ADD CONSTRAINT "saved_searches_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_closed_by_id_users_id_fk" FOREIGN KEY ("closed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_poster_id_users_id_fk" FOREIGN KEY ("poster_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_category_type_id_category_types_id_fk" FOREIGN KEY ("category_type_id") REFERENCES "public"."category_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_category_id_categories_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."categories"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_breed_id_breeds_id_fk" FOREIGN KEY ("breed_id") REFERENCES "public"."breeds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_age_id_livestock_ages_id_fk" FOREIGN KEY ("age_id") REFERENCES "public"."livestock_ages"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_gender_id_genders_id_fk" FOREIGN KEY ("gender_id") REFERENCES "public"."genders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_color_id_colors_id_fk" FOREIGN KEY ("color_id") REFERENCES "public"."colors"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_verified_by_id_users_id_fk" FOREIGN KEY ("verified_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_closed_by_id_users_id_fk" FOREIGN KEY ("closed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiries" ADD CONSTRAINT "enquiries_breed_of_category" FOREIGN KEY ("breed_id","category_id") REFERENCES "public"."breeds"("id","category_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiry_matches" ADD CONSTRAINT "enquiry_matches_enquiry_id_enquiries_id_fk" FOREIGN KEY ("enquiry_id") REFERENCES "public"."enquiries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiry_matches" ADD CONSTRAINT "enquiry_matches_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiry_offers" ADD CONSTRAINT "enquiry_offers_enquiry_id_enquiries_id_fk" FOREIGN KEY ("enquiry_id") REFERENCES "public"."enquiries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiry_offers" ADD CONSTRAINT "enquiry_offers_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiry_verdicts" ADD CONSTRAINT "enquiry_verdicts_enquiry_id_enquiries_id_fk" FOREIGN KEY ("enquiry_id") REFERENCES "public"."enquiries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "enquiry_verdicts" ADD CONSTRAINT "enquiry_verdicts_admin_id_users_id_fk" FOREIGN KEY ("admin_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flags" ADD CONSTRAINT "flags_reporter_id_users_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flags" ADD CONSTRAINT "flags_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flags" ADD CONSTRAINT "flags_reply_id_replies_id_fk" FOREIGN KEY ("reply_id") REFERENCES "public"."replies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flags" ADD CONSTRAINT "flags_closed_by_id_users_id_fk" FOREIGN KEY ("closed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replies" ADD CONSTRAINT "replies_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replies" ADD CONSTRAINT "replies_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replies" ADD CONSTRAINT "replies_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_likes" ADD CONSTRAINT "thread_likes_thread_id_threads_id_fk" FOREIGN KEY ("thread_id") REFERENCES "public"."threads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "thread_likes" ADD CONSTRAINT "thread_likes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "threads" ADD CONSTRAINT "threads_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alert_days_day" ON "alert_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "saved_listings_listing" ON "saved_listings" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "saved_searches_looked" ON "saved_searches" USING btree ("looked_at","id");--> statement-breakpoint
CREATE INDEX "tickets_open" ON "tickets" USING btree ("created_at","id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "tickets_user" ON "tickets" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "enquiries_open" ON "enquiries" USING btree ("created_at","id") WHERE is_verified and closed_at is null;--> statement-breakpoint
CREATE INDEX "enquiries_open_category" ON "enquiries" USING btree ("category_type_id","category_id","created_at","id") WHERE is_verified and closed_at is null;--> statement-breakpoint
CREATE INDEX "enquiries_waiting" ON "enquiries" USING btree ("created_at","id") WHERE is_verified is null and closed_at is null;--> statement-breakpoint
CREATE INDEX "enquiries_poster" ON "enquiries" USING btree ("poster_id","id");--> statement-breakpoint
CREATE INDEX "enquiries_verified_at" ON "enquiries" USING btree ("verified_at") WHERE is_verified and closed_at is null;--> statement-breakpoint
CREATE INDEX "enquiry_matches_seller" ON "enquiry_matches" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "enquiry_offers_listing" ON "enquiry_offers" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "enquiry_offers_untold" ON "enquiry_offers" USING btree ("id") WHERE told_at is null;--> statement-breakpoint
CREATE INDEX "enquiry_verdicts_enquiry" ON "enquiry_verdicts" USING btree ("enquiry_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "flags_open_thread" ON "flags" USING btree ("reporter_id","thread_id") WHERE closed_at is null and thread_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "flags_open_reply" ON "flags" USING btree ("reporter_id","reply_id") WHERE closed_at is null and reply_id is not null;--> statement-breakpoint
CREATE INDEX "flags_open" ON "flags" USING btree ("created_at","id") WHERE closed_at is null;--> statement-breakpoint
CREATE INDEX "flags_thread" ON "flags" USING btree ("thread_id");--> statement-breakpoint
CREATE INDEX "flags_reply" ON "flags" USING btree ("reply_id");--> statement-breakpoint
CREATE INDEX "replies_thread" ON "replies" USING btree ("thread_id","id");--> statement-breakpoint
CREATE INDEX "replies_author" ON "replies" USING btree ("author_id","created_at");--> statement-breakpoint
CREATE INDEX "replies_review" ON "replies" USING btree ("created_at","id") WHERE state = 'review';--> statement-breakpoint
CREATE INDEX "thread_likes_user" ON "thread_likes" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "threads_newest" ON "threads" USING btree ("created_at","id") WHERE state = 'shown';--> statement-breakpoint
CREATE INDEX "threads_liked" ON "threads" USING btree ("likes_count","id") WHERE state = 'shown';--> statement-breakpoint
CREATE INDEX "threads_search" ON "threads" USING gin ("search_keys") WHERE state = 'shown';--> statement-breakpoint
CREATE INDEX "threads_author" ON "threads" USING btree ("author_id","created_at");--> statement-breakpoint
CREATE INDEX "threads_review" ON "threads" USING btree ("created_at","id") WHERE state = 'review';--> statement-breakpoint
CREATE INDEX "outbox_user" ON "outbox" USING btree ("user_id","id") WHERE user_id is not null;--> statement-breakpoint
CREATE TRIGGER enquiry_verdict_kept BEFORE UPDATE ON enquiry_verdicts FOR EACH ROW EXECUTE FUNCTION keep_row();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT ON settings FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
