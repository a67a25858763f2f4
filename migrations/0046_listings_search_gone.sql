-- `listings_keys` finds words, too: of the two, each change of a listing writes one.
DROP INDEX IF EXISTS "listings_search";
