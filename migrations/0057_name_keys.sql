-- A search finds a listing by its seller's name (docs/decisions/0132): `search_keys` also has the sounds of the name's words, each after a tilde. Only
-- these triggers write them, as the other columns about the seller (docs/decisions/0053). The rules are those of `wholeKeyOf` in
-- src/kit/text/sound-keys.ts. From the inside out: accents, Latin sounds of two letters and of one, Tamil letters, then what folds alike.
CREATE FUNCTION name_keys(name text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	WITH plain AS (SELECT normalize(lower(regexp_replace(normalize(name, NFD), '[\u0300-\u036f\u200b-\u200d\ufeff]', '', 'g')), NFC) AS t),
	pairs AS (SELECT regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(t,
		'ksh|x', 'kC', 'g'), 'tch|cch|chh|ch|sh', 'C', 'g'), 'zh', 'l', 'g'), '[td]h', 't', 'g'), '[gk]h|ck', 'k', 'g') AS t FROM plain),
	latin AS (SELECT translate(replace(replace(regexp_replace(t, '[pb]h', 'p', 'g'), 'ee', 'i'), 'oo', 'u'), 'cqsjzdgbfwh', 'kkCCCtkppv') AS t FROM pairs),
	tamil AS (SELECT translate(replace(replace(regexp_replace(regexp_replace(t, '([க-ஹ])(?![ா-்])', '\1a', 'g'), '[ஐை]', 'ai', 'g'), 'ஔ', 'au'), 'ௌ', 'au'),
		'Cகஙசஞடணதநபமயரலவழளறனஜஷஸஶஅஆஇஈஉஊஎஏஒஓாிீுூெேொோ்ஹஃ', 'ckncntntnpmyrlvllrnccccaaiiuueeooaiiuueeoo') AS t FROM latin),
	single AS (SELECT regexp_replace(regexp_replace(t, '[^a-z0-9]+', ' ', 'g'), '([a-z])\1+', '\1', 'g') AS t FROM tamil),
	folded AS (SELECT regexp_replace(regexp_replace(regexp_replace(replace(replace(t, 'ntr', 'nr'), 'aiy', 'ay'),
		'ay(?![aeiou])', 'ai', 'g'), 'ey( |$)', 'i\1', 'g'), '([^aeiou ])y( |$)', '\1i\2', 'g') AS t FROM single)
	SELECT array_to_tsvector(ARRAY(SELECT '~' || left(word, 40) FROM folded, string_to_table(t, ' ') word WHERE length(word) > 1))
$$;
--> statement-breakpoint
CREATE FUNCTION name_keys_in(keys tsvector) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
	SELECT ARRAY(SELECT lexeme FROM unnest(keys) WHERE lexeme LIKE '~%')
$$;
--> statement-breakpoint
-- As in 0030, and the name.
CREATE OR REPLACE FUNCTION listing_of_seller() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	names tsvector;
BEGIN
	SELECT u.is_active AND u.type_id IN (2, 3, 4), u.is_verified, name_keys(u.name) INTO NEW.seller_active, NEW.seller_verified, names
	FROM users u WHERE u.id = NEW.seller_id FOR NO KEY UPDATE;
	NEW.seller_active := coalesce(NEW.seller_active, false);
	NEW.seller_verified := coalesce(NEW.seller_verified, false);
	NEW.search_keys := ts_delete(NEW.search_keys, name_keys_in(NEW.search_keys)) || coalesce(names, '');
	RETURN NEW;
END
$$;
--> statement-breakpoint
-- The code that writes the keys of a listing knows no names.
CREATE FUNCTION keep_name_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.search_keys := NEW.search_keys || array_to_tsvector(name_keys_in(OLD.search_keys));
	RETURN NEW;
END
$$;
--> statement-breakpoint
-- Triggers run in the order of their names: for a new seller, `listing_of_seller` comes after it.
CREATE TRIGGER keep_name_keys BEFORE UPDATE OF search_keys ON listings FOR EACH ROW EXECUTE FUNCTION keep_name_keys();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION seller_of_listings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM 1 FROM listings WHERE seller_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
	UPDATE listings SET seller_id = seller_id WHERE seller_id = NEW.id;
	RETURN NULL;
END
$$;
--> statement-breakpoint
DROP TRIGGER seller_of_listings ON users;
--> statement-breakpoint
CREATE TRIGGER seller_of_listings AFTER UPDATE OF is_active, type_id, is_verified, name ON users FOR EACH ROW
	WHEN ((OLD.is_active, OLD.type_id, OLD.is_verified, OLD.name) IS DISTINCT FROM (NEW.is_active, NEW.type_id, NEW.is_verified, NEW.name))
	EXECUTE FUNCTION seller_of_listings();
--> statement-breakpoint
WITH names AS MATERIALIZED (SELECT id, name_keys(name) AS keys FROM users WHERE id IN (SELECT seller_id FROM listings))
UPDATE listings l SET search_keys = search_keys || keys FROM names n WHERE n.id = l.seller_id;
