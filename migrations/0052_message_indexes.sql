CREATE INDEX CONCURRENTLY IF NOT EXISTS "outbox_ended" ON "outbox" USING btree ((coalesce(sent_at, failed_at, shown_at)),"id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "outbox_failed" ON "outbox" USING btree ("failed_at","id") WHERE failed_at is not null;
