CREATE TABLE "bearers" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bearers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"phone" text NOT NULL,
	"picture_key" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bearers_picture_key_unique" UNIQUE("picture_key")
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "listed_bearer_id" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "bearers_phone" ON "bearers" USING btree ("phone") WHERE phone <> '';--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_listed_bearer_id_bearers_id_fk" FOREIGN KEY ("listed_bearer_id") REFERENCES "public"."bearers"("id") ON DELETE no action ON UPDATE no action;