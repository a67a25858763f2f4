-- What lists are filtered by beside text and price, as one number each (src/listings/traits/listing-keys.server.ts, decision 0101): an index of
-- them finds what few listings have together. Of an animal: 100 and its category, 1000 and its breed, each value of a trait that holds, and the
-- square of a quarter of a degree and the one of a whole degree in which it stands.
CREATE FUNCTION listing_keys(category smallint, breed smallint, gender smallint, age smallint, litres numeric, kg numeric, is_verified boolean,
	is_vaccinated boolean, has_video boolean, vet_passed_on date, location point) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT array_remove(ARRAY[100 + category, 1000 + breed,
		CASE WHEN gender IN (0, 3) THEN 1 END, CASE WHEN gender IN (1, 2, 3) THEN 2 END,
		CASE WHEN age BETWEEN 1 AND 4 THEN 11 WHEN age BETWEEN 5 AND 6 THEN 12 WHEN age BETWEEN 7 AND 8 THEN 13 WHEN age BETWEEN 9 AND 11 THEN 14 END,
		CASE WHEN litres > 0 THEN 21 END, CASE WHEN litres >= 5 THEN 22 END, CASE WHEN litres >= 10 THEN 23 END, CASE WHEN litres >= 15 THEN 24 END,
		CASE WHEN kg <= 0 THEN NULL WHEN kg < 10 THEN 31 WHEN kg < 30 THEN 32 WHEN kg < 100 THEN 33 WHEN kg < 300 THEN 34 ELSE 35 END,
		CASE WHEN is_verified THEN 41 END, CASE WHEN is_vaccinated THEN 42 END, CASE WHEN has_video THEN 43 END,
		CASE WHEN vet_passed_on IS NOT NULL THEN 44 END,
		1000000 + 1000 * floor(4 * location[1])::int + floor(4 * location[0])::int,
		2000000 + 1000 * floor(location[1])::int + floor(location[0])::int], NULL)
$$;
