CREATE TABLE "cash_handins" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cash_handins_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"taker" text NOT NULL,
	"amount" bigint NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"by_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "cash_handins_amount" CHECK ("cash_handins"."amount" >= 0),
	CONSTRAINT "cash_handins_taker" CHECK ("cash_handins"."taker" ~ '^(office|(listed|person):[1-9][0-9]*)$')
);
--> statement-breakpoint
CREATE TABLE "setting_call_backs" (
	"setting_id" bigint PRIMARY KEY NOT NULL,
	"by_id" bigint NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "kind" text DEFAULT 'paid' NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "effective_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "settings" ADD COLUMN "reason" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "cash_handins" ADD CONSTRAINT "cash_handins_by_id_users_id_fk" FOREIGN KEY ("by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "setting_call_backs" ADD CONSTRAINT "setting_call_backs_setting_id_settings_id_fk" FOREIGN KEY ("setting_id") REFERENCES "public"."settings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cash_handins_day" ON "cash_handins" USING btree ("day","taker","id");--> statement-breakpoint
CREATE INDEX "cash_handins_by" ON "cash_handins" USING btree ("by_id");--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_kind" CHECK ("settlements"."kind" in ('paid', 'received', 'back') and ("settlements"."kind" <> 'back' or "settlements"."amount" = 0));--> statement-breakpoint
-- Written by hand.
CREATE TRIGGER cash_handin_kept BEFORE UPDATE OR DELETE ON cash_handins FOR EACH ROW EXECUTE FUNCTION keep_row();--> statement-breakpoint
CREATE TRIGGER setting_call_back_kept BEFORE UPDATE OR DELETE ON setting_call_backs FOR EACH ROW EXECUTE FUNCTION keep_row();
