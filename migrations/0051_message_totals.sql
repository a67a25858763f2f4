CREATE TABLE "message_totals" (
	"day" date NOT NULL,
	"channel" text NOT NULL,
	"way" text,
	"is_sent" boolean NOT NULL,
	"is_failed" boolean NOT NULL,
	"messages" integer NOT NULL,
	"parts" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "is_push_first" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "outbox" SET "is_push_first" = true WHERE "id" IN (SELECT "stands_before" FROM "outbox" WHERE "stands_before" IS NOT NULL);--> statement-breakpoint
-- The change of the totals when `o` comes (1) or goes (-1); no row while it waits. A text with Tamil has parts of 70 characters, or 67 each in a longer
-- one; any other text has 160, or 153.
CREATE FUNCTION message_total(o "outbox", change integer) RETURNS SETOF "message_totals" LANGUAGE sql STABLE AS $$
	SELECT (coalesce(o.sent_at, o.failed_at, o.shown_at) AT TIME ZONE 'Asia/Kolkata')::date, o.channel,
		CASE WHEN o.stands_before IS NOT NULL THEN NULL WHEN o.shown_at IS NOT NULL THEN 'shown'
			WHEN o.is_push_first THEN 'push-first' ELSE o.channel END,
		o.sent_at IS NOT NULL, o.failed_at IS NOT NULL, change,
		change * CASE WHEN o.channel <> 'sms' THEN 0
			WHEN o.body ~ '[^[:ascii:]]' THEN CASE WHEN length(o.body) <= 70 THEN 1 ELSE ceil(length(o.body) / 67.0)::integer END
			WHEN length(o.body) <= 160 THEN 1 ELSE ceil(length(o.body) / 153.0)::integer END
	WHERE coalesce(o.sent_at, o.failed_at, o.shown_at) IS NOT NULL
$$;
--> statement-breakpoint
CREATE FUNCTION note_message_total() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN INSERT INTO message_totals SELECT * FROM message_total(OLD, -1); END IF;
	IF TG_OP <> 'DELETE' THEN INSERT INTO message_totals SELECT * FROM message_total(NEW, 1); END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER message_total AFTER INSERT OR UPDATE OR DELETE ON "outbox" FOR EACH ROW EXECUTE FUNCTION note_message_total();--> statement-breakpoint
INSERT INTO message_totals
	SELECT t.day, t.channel, t.way, t.is_sent, t.is_failed, sum(t.messages), sum(t.parts)
	FROM "outbox" o CROSS JOIN LATERAL message_total(o, 1) t GROUP BY 1, 2, 3, 4, 5;
