-- The key of listings whose words say that the animal is pregnant (listings/browse/search.server.ts). Until a listing is
-- written again its title decides, as the filter did before; a later change of its words sets the key from all of them.
UPDATE "listings" SET "search_keys" = "search_keys" || '''+pregnant'':1B'::tsvector
WHERE "gender_id" = 0 AND "search_keys" @@ '''cinai'':A | ''preknant'':A'::tsquery;
