CREATE TABLE "payees" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payees_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" bigint NOT NULL,
	"sealed" "bytea" NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payees_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "payout_lines" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payout_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"payout_id" bigint NOT NULL,
	"seller_id" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"payee_sealed" "bytea",
	"account" text NOT NULL,
	"sales" jsonb NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"reference" text DEFAULT '' NOT NULL,
	"decided_by_id" bigint,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "payout_lines_amount" CHECK ("payout_lines"."amount" > 0 and "payout_lines"."amount" % 100 = 0),
	CONSTRAINT "payout_lines_state" CHECK ("payout_lines"."state" in ('open', 'paid', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"by_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payees" ADD CONSTRAINT "payees_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_payout_id_payouts_id_fk" FOREIGN KEY ("payout_id") REFERENCES "public"."payouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_seller_id_users_id_fk" FOREIGN KEY ("seller_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payout_lines" ADD CONSTRAINT "payout_lines_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_by_id_users_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payout_lines_payout" ON "payout_lines" USING btree ("payout_id");--> statement-breakpoint
CREATE INDEX "payout_lines_seller" ON "payout_lines" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "payout_lines_decided_by" ON "payout_lines" USING btree ("decided_by_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payout_lines_open" ON "payout_lines" USING btree ("seller_id") WHERE state = 'open';--> statement-breakpoint
CREATE INDEX "payouts_by" ON "payouts" USING btree ("by_id");