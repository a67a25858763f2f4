CREATE TABLE "purchases" (
	"seller_id" bigint NOT NULL,
	"buyer_id" bigint NOT NULL,
	CONSTRAINT "purchases_seller_id_buyer_id_pk" PRIMARY KEY("seller_id","buyer_id")
);
--> statement-breakpoint
CREATE TABLE "cart_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cart_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"buyer_id" bigint NOT NULL,
	"listing_id" bigint NOT NULL,
	"count" integer NOT NULL,
	"seen_price" bigint NOT NULL,
	"seen_stock" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "cart_lines_once" UNIQUE("buyer_id","listing_id"),
	CONSTRAINT "cart_lines_count" CHECK ("cart_lines"."count" between 1 and 10000)
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"key" text NOT NULL,
	"value" jsonb NOT NULL,
	"set_by_id" bigint NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "discount_uses" (
	"order_id" bigint PRIMARY KEY NOT NULL,
	"buyer_id" bigint NOT NULL,
	"type_id" smallint NOT NULL,
	"returned_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "order_groups" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"buyer_id" bigint NOT NULL,
	"address_id" bigint NOT NULL,
	"code" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "order_photos" (
	"order_id" bigint NOT NULL,
	"position" smallint NOT NULL,
	"media_key" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"thumbhash" text NOT NULL,
	"average_color" text NOT NULL,
	"dhash" text NOT NULL,
	"sha256" text NOT NULL,
	CONSTRAINT "order_photos_order_id_position_pk" PRIMARY KEY("order_id","position"),
	CONSTRAINT "order_photos_media_key_unique" UNIQUE("media_key")
);
--> statement-breakpoint
CREATE TABLE "order_steps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_steps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"order_id" bigint NOT NULL,
	"from_status" smallint NOT NULL,
	"to_status" smallint NOT NULL,
	"by_id" bigint NOT NULL,
	"as" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" bigint PRIMARY KEY NOT NULL,
	"order_no" text NOT NULL,
	"group_id" bigint NOT NULL,
	"buyer_id" bigint NOT NULL,
	"seller_id" bigint NOT NULL,
	"listing_id" bigint NOT NULL,
	"count" integer NOT NULL,
	"original_price" bigint NOT NULL,
	"unit_price" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"discount_type" smallint,
	"referrer_id" bigint,
	"commission_percent" smallint NOT NULL,
	"status" smallint NOT NULL,
	"animal" jsonb NOT NULL,
	"pickup" jsonb NOT NULL,
	"delivery" jsonb NOT NULL,
	"tag_sealed" "bytea",
	"tag_matched" boolean,
	"tag_tries" smallint DEFAULT 0 NOT NULL,
	"deliver_on" date,
	"deliver_window" text,
	"handover_sealed" "bytea" NOT NULL,
	"handover_tries" smallint DEFAULT 0 NOT NULL,
	"bearer_id" bigint,
	"delivered_on" date,
	"payment_method" text,
	"amount_paid" bigint,
	"end_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "orders_order_no_unique" UNIQUE("order_no"),
	CONSTRAINT "orders_count" CHECK ("orders"."count" between 1 and 10000),
	CONSTRAINT "orders_discount" CHECK ("orders"."discount" between 0 and "orders"."unit_price" * "orders"."count"),
	CONSTRAINT "orders_discount_type" CHECK (("orders"."discount_type" is null) = ("orders"."discount" = 0)),
	CONSTRAINT "orders_status" CHECK ("orders"."status" in (1, 2, 3, 4, 5, 6, 100, 101, 102)),
	CONSTRAINT "orders_delivered" CHECK (("orders"."status" = 6) = ("orders"."delivered_on" is not null))
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchases" ADD CONSTRAINT "purchases_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "cart_lines" ADD CONSTRAINT "cart_lines_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_uses" ADD CONSTRAINT "discount_uses_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_groups" ADD CONSTRAINT "order_groups_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_photos" ADD CONSTRAINT "order_photos_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_steps" ADD CONSTRAINT "order_steps_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "order_steps" ADD CONSTRAINT "order_steps_by_id_users_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_group_id_order_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."order_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_buyer_id_users_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_listing_id_listings_id_fk" FOREIGN KEY ("listing_id") REFERENCES "public"."listings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_referrer_id_users_id_fk" FOREIGN KEY ("referrer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_bearer_id_users_id_fk" FOREIGN KEY ("bearer_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cart_lines_listing" ON "cart_lines" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "settings_key" ON "settings" USING btree ("key","id");--> statement-breakpoint
CREATE UNIQUE INDEX "discount_uses_once" ON "discount_uses" USING btree ("buyer_id","type_id") WHERE returned_at is null;--> statement-breakpoint
CREATE INDEX "order_groups_buyer" ON "order_groups" USING btree ("buyer_id","created_at");--> statement-breakpoint
CREATE INDEX "order_steps_order" ON "order_steps" USING btree ("order_id","id");--> statement-breakpoint
CREATE INDEX "orders_buyer" ON "orders" USING btree ("buyer_id","id");--> statement-breakpoint
CREATE INDEX "orders_seller" ON "orders" USING btree ("seller_id","id");--> statement-breakpoint
CREATE INDEX "orders_status" ON "orders" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "orders_listing" ON "orders" USING btree ("listing_id");--> statement-breakpoint
CREATE INDEX "orders_group" ON "orders" USING btree ("group_id");--> statement-breakpoint
CREATE INDEX "orders_bearer" ON "orders" USING btree ("bearer_id") WHERE bearer_id is not null;--> statement-breakpoint
CREATE INDEX "orders_photo" ON "orders" USING btree ((animal->>'photoKey'));--> statement-breakpoint
CREATE INDEX "orders_referrer" ON "orders" USING btree ("referrer_id") WHERE referrer_id is not null;--> statement-breakpoint
CREATE TRIGGER order_step_kept BEFORE UPDATE OR DELETE ON order_steps FOR EACH ROW EXECUTE FUNCTION keep_row();
--> statement-breakpoint
CREATE TRIGGER setting_kept BEFORE UPDATE OR DELETE ON settings FOR EACH ROW EXECUTE FUNCTION keep_row();
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR DELETE ON purchases FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
