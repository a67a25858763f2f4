CREATE TABLE "vault_keys" (
	"number" smallint PRIMARY KEY NOT NULL,
	"proof" text NOT NULL,
	"before" "bytea" NOT NULL,
	"since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "vault_keys_number" CHECK ("vault_keys"."number" between 2 and 255)
);
