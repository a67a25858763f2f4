CREATE INDEX "users_super_admins" ON "users" USING btree ("type_id") WHERE super_admin;--> statement-breakpoint
CREATE INDEX "tickets_phone" ON "tickets" USING btree ("phone");--> statement-breakpoint
CREATE INDEX "flags_reporter" ON "flags" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("actor_id","id") WHERE actor_id is not null;--> statement-breakpoint
CREATE INDEX "outbox_recipient" ON "outbox" USING btree ("recipient","id");--> statement-breakpoint
CREATE INDEX "contact_taps_person" ON "contact_taps" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "reports_reporter" ON "reports" USING btree ("reporter_id");--> statement-breakpoint
CREATE INDEX "reports_seller" ON "reports" USING btree ("seller_id");--> statement-breakpoint
CREATE INDEX "order_steps_by" ON "order_steps" USING btree ("by_id");