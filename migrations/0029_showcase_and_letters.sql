CREATE TABLE "newsletter_letters" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "newsletter_letters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subject_ta" text NOT NULL,
	"subject_en" text NOT NULL,
	"body_ta" text NOT NULL,
	"body_en" text NOT NULL,
	"version" smallint DEFAULT 1 NOT NULL,
	"changed_by_id" bigint NOT NULL,
	"changed_at" timestamp (3) with time zone NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"sent_by_id" bigint,
	"receivers" integer,
	CONSTRAINT "newsletter_letters_sent" CHECK (("newsletter_letters"."sent_at" is null) = ("newsletter_letters"."receivers" is null) and ("newsletter_letters"."sent_at" is null) = ("newsletter_letters"."sent_by_id" is null))
);
--> statement-breakpoint
CREATE TABLE "showcase_items" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "showcase_items_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"title_ta" text NOT NULL,
	"title_en" text NOT NULL,
	"text_ta" text NOT NULL,
	"text_en" text NOT NULL,
	"place_ta" text DEFAULT '' NOT NULL,
	"place_en" text DEFAULT '' NOT NULL,
	"path" text,
	"weekday" smallint,
	"from_day" date,
	"to_day" date,
	"position" smallint DEFAULT 0 NOT NULL,
	"is_shown" boolean DEFAULT true NOT NULL,
	"version" smallint DEFAULT 1 NOT NULL,
	"changed_by_id" bigint,
	"changed_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "showcase_items_kind" CHECK ("showcase_items"."kind" in ('banner', 'voice', 'market_day')),
	CONSTRAINT "showcase_items_path" CHECK (("showcase_items"."path" is not null) = ("showcase_items"."kind" = 'banner')),
	CONSTRAINT "showcase_items_weekday" CHECK ("showcase_items"."weekday" is null or ("showcase_items"."weekday" between 0 and 6 and "showcase_items"."kind" = 'market_day')),
	CONSTRAINT "showcase_items_day" CHECK ("showcase_items"."kind" <> 'market_day' or ("showcase_items"."weekday" is null) = ("showcase_items"."from_day" is not null)),
	CONSTRAINT "showcase_items_days" CHECK ("showcase_items"."from_day" <= "showcase_items"."to_day")
);
--> statement-breakpoint
ALTER TABLE "page_views" ADD COLUMN "phones" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "newsletter_letters" ADD CONSTRAINT "newsletter_letters_changed_by_id_users_id_fk" FOREIGN KEY ("changed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "newsletter_letters" ADD CONSTRAINT "newsletter_letters_sent_by_id_users_id_fk" FOREIGN KEY ("sent_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "showcase_items" ADD CONSTRAINT "showcase_items_changed_by_id_users_id_fk" FOREIGN KEY ("changed_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "newsletter_letters_changed_by" ON "newsletter_letters" USING btree ("changed_by_id");--> statement-breakpoint
CREATE INDEX "newsletter_letters_sent_by" ON "newsletter_letters" USING btree ("sent_by_id");--> statement-breakpoint
CREATE INDEX "showcase_items_kind" ON "showcase_items" USING btree ("kind","position","id");--> statement-breakpoint
CREATE INDEX "showcase_items_changed_by" ON "showcase_items" USING btree ("changed_by_id");--> statement-breakpoint
ALTER TABLE "page_views" ADD CONSTRAINT "page_views_phones" CHECK ("page_views"."phones" between 0 and "page_views"."count");--> statement-breakpoint
-- Written by hand: the home page and the market days show these rows (docs/decisions/0012).
CREATE TRIGGER page_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON showcase_items FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
