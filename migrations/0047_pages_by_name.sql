ALTER TABLE "page_changes" ADD COLUMN "names" text[];
--> statement-breakpoint
-- Written by hand from here: a change says which pages it concerns where that is plain (docs/decisions/0102), and every page else.
CREATE OR REPLACE FUNCTION note_page_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO page_changes AS c (txid) VALUES (pg_current_xact_id()) ON CONFLICT (txid) DO UPDATE SET names = NULL WHERE c.names IS NOT NULL;
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- Once a transaction concerns every page, it stays so.
CREATE FUNCTION note_names(added text[]) RETURNS void LANGUAGE sql AS $$
	INSERT INTO page_changes AS c (txid, names) VALUES (pg_current_xact_id(), added) ON CONFLICT (txid) DO UPDATE SET names = c.names || added
		WHERE c.names IS NOT NULL
$$;
--> statement-breakpoint
-- An order changes the stock and nothing else of an animal. Left with some, the animal is where it was; without any it also leaves its lists, counts and
-- the usual price of its breed, and is one more that its seller has sold. Whatever else changes of a listing, or comes to a list, concerns every page.
CREATE FUNCTION note_listing_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	added text[];
BEGIN
	IF (SELECT count(*) FROM after) > 50 OR EXISTS (
		SELECT 1 FROM before o FULL JOIN after n USING (id)
		WHERE o.stock IS NULL OR n.stock IS NULL OR (o.stock = 0 AND n.stock > 0)
			OR to_jsonb(o) - '{stock,version}'::text[] IS DISTINCT FROM to_jsonb(n) - '{stock,version}'::text[])
	THEN
		INSERT INTO page_changes AS c (txid) VALUES (pg_current_xact_id()) ON CONFLICT (txid) DO UPDATE SET names = NULL WHERE c.names IS NOT NULL;
		RETURN NULL;
	END IF;
	SELECT array_agg(DISTINCT concerned.name) INTO added FROM before o JOIN after n USING (id),
		unnest(ARRAY['animal ' || id] || CASE WHEN o.stock > 0 AND n.stock = 0
			THEN ARRAY['counts', 'breed ' || coalesce(n.breed_id, 0), 'seller ' || n.seller_id] ELSE '{}' END) AS concerned(name);
	IF added IS NOT NULL THEN PERFORM note_names(added); END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
DROP TRIGGER page_change ON listings;
--> statement-breakpoint
CREATE TRIGGER page_change AFTER INSERT OR DELETE OR TRUNCATE ON listings FOR EACH STATEMENT EXECUTE FUNCTION note_page_change();
--> statement-breakpoint
CREATE TRIGGER page_change_of_listing AFTER UPDATE ON listings REFERENCING OLD TABLE AS before NEW TABLE AS after
	FOR EACH STATEMENT EXECUTE FUNCTION note_listing_change();
