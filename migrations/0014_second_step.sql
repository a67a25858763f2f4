CREATE TABLE "recovery_codes" (
	"user_id" bigint NOT NULL,
	"mac" "bytea" NOT NULL,
	"used_at" timestamp (3) with time zone,
	CONSTRAINT "recovery_codes_user_id_mac_pk" PRIMARY KEY("user_id","mac")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "is_by_password" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "enrol_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;