-- Browsers known until now keep their places: nothing says which of them proved a code.
ALTER TABLE "known_devices" ADD COLUMN "is_proved" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "known_devices" ALTER COLUMN "is_proved" SET DEFAULT false;
