CREATE TABLE "settlements" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "settlements_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"invoice_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"method" text NOT NULL,
	"reference" text NOT NULL,
	"paid_on" date NOT NULL,
	"by_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "settlements_amount" CHECK ("settlements"."amount" >= 0),
	CONSTRAINT "settlements_method" CHECK ("settlements"."method" in ('cash', 'upi', 'bank'))
);
--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "first_stock" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_by_id_users_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "settlements_invoice" ON "settlements" USING btree ("invoice_id","id");--> statement-breakpoint
CREATE INDEX "settlements_by" ON "settlements" USING btree ("by_id");--> statement-breakpoint
CREATE INDEX "orders_unrecorded" ON "orders" USING btree ("id") WHERE status = 6 and payment_method is null;--> statement-breakpoint
-- Written by hand: where only the amount stands, nobody stated a payment; it was what was to be paid.
UPDATE orders SET amount_paid = NULL WHERE payment_method IS NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment" CHECK (("orders"."payment_method" is null) = ("orders"."amount_paid" is null));--> statement-breakpoint
-- Written by hand from here. What is left and what was ordered is what was offered.
UPDATE listings l SET first_stock = least(10000, l.stock + (SELECT coalesce(sum(o.count), 0) FROM orders o WHERE o.listing_id = l.id AND o.status < 100));
--> statement-breakpoint
CREATE TRIGGER settlement_kept BEFORE UPDATE OR DELETE ON settlements FOR EACH ROW EXECUTE FUNCTION keep_row();
