CREATE TABLE "review_networks" (
	"review_id" bigint PRIMARY KEY NOT NULL,
	"network" "bytea" NOT NULL,
	"written_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD COLUMN "is_hidden" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD COLUMN "hidden_reason" text;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD COLUMN "decided_by_id" bigint;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "review_networks" ADD CONSTRAINT "review_networks_review_id_seller_reviews_id_fk" FOREIGN KEY ("review_id") REFERENCES "public"."seller_reviews"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_hidden" CHECK ("seller_reviews"."is_hidden" = ("seller_reviews"."hidden_reason" is not null));--> statement-breakpoint
ALTER TABLE "seller_reviews" ADD CONSTRAINT "seller_reviews_decided" CHECK (("seller_reviews"."decided_by_id" is null) = ("seller_reviews"."decided_at" is null));