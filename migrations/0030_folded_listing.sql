ALTER TABLE "listings" ADD COLUMN "seller_active" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "seller_verified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "vet_passed_on" date;--> statement-breakpoint
ALTER TABLE "listings" ADD COLUMN "is_vaccinated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Written by hand from here (docs/decisions/0053): what lists ask of each row about its seller, its last finding and its vaccinations stands
-- in the row. Who writes it first holds the row that could change it meanwhile, then reads: a statement that waits sees what it waited for.
CREATE FUNCTION listing_of_seller() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	SELECT u.is_active AND u.type_id IN (2, 3, 4), u.is_verified INTO NEW.seller_active, NEW.seller_verified
	FROM users u WHERE u.id = NEW.seller_id FOR NO KEY UPDATE;
	NEW.seller_active := coalesce(NEW.seller_active, false);
	NEW.seller_verified := coalesce(NEW.seller_verified, false);
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER listing_of_seller BEFORE INSERT OR UPDATE OF seller_id ON listings FOR EACH ROW EXECUTE FUNCTION listing_of_seller();
--> statement-breakpoint
CREATE FUNCTION seller_of_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM listings WHERE seller_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
	UPDATE listings SET seller_active = NEW.is_active AND NEW.type_id IN (2, 3, 4), seller_verified = NEW.is_verified WHERE seller_id = NEW.id;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER seller_of_listings AFTER UPDATE OF is_active, type_id, is_verified ON users FOR EACH ROW
	WHEN ((OLD.is_active, OLD.type_id, OLD.is_verified) IS DISTINCT FROM (NEW.is_active, NEW.type_id, NEW.is_verified)) EXECUTE FUNCTION seller_of_listings();
--> statement-breakpoint
-- The day of the last finding of a listing, if that is a good one and of this revision.
CREATE FUNCTION vet_passed_on(listing bigint, of_revision integer) RETURNS date LANGUAGE sql AS $$
	SELECT CASE WHEN v.approved AND v.revision = of_revision THEN v.checked_on END FROM vet_checks v WHERE v.listing_id = listing ORDER BY v.id DESC LIMIT 1
$$;
--> statement-breakpoint
CREATE FUNCTION finding_of_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM listings WHERE id = NEW.listing_id FOR NO KEY UPDATE;
	UPDATE listings l SET vet_passed_on = vet_passed_on(l.id, l.revision) WHERE l.id = NEW.listing_id;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER finding_of_listing AFTER INSERT ON vet_checks FOR EACH ROW EXECUTE FUNCTION finding_of_listing();
--> statement-breakpoint
CREATE FUNCTION revision_of_listing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.vet_passed_on := vet_passed_on(NEW.id, NEW.revision);
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER revision_of_listing BEFORE UPDATE OF revision ON listings FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION revision_of_listing();
--> statement-breakpoint
CREATE FUNCTION vaccination_of_listing() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE listing bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.listing_id ELSE NEW.listing_id END;
BEGIN
	PERFORM 1 FROM listings WHERE id = listing FOR NO KEY UPDATE;
	UPDATE listings l SET is_vaccinated = EXISTS (SELECT 1 FROM vaccinations c WHERE c.listing_id = listing) WHERE l.id = listing;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER vaccination_of_listing AFTER INSERT OR DELETE ON vaccinations FOR EACH ROW EXECUTE FUNCTION vaccination_of_listing();
--> statement-breakpoint
UPDATE listings l SET seller_active = u.is_active AND u.type_id IN (2, 3, 4), seller_verified = u.is_verified, vet_passed_on = vet_passed_on(l.id, l.revision),
	is_vaccinated = EXISTS (SELECT 1 FROM vaccinations c WHERE c.listing_id = l.id)
FROM users u WHERE u.id = l.seller_id;
