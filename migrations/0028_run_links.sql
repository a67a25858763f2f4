CREATE TABLE "run_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "run_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"token_hash" "bytea" NOT NULL,
	"bearer_id" bigint NOT NULL,
	"day" date NOT NULL,
	"made_by_id" bigint NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "run_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "run_links" ADD CONSTRAINT "run_links_bearer_id_bearers_id_fk" FOREIGN KEY ("bearer_id") REFERENCES "public"."bearers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_links" ADD CONSTRAINT "run_links_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_links_bearer" ON "run_links" USING btree ("bearer_id","day");--> statement-breakpoint
CREATE INDEX "run_links_made_by" ON "run_links" USING btree ("made_by_id");