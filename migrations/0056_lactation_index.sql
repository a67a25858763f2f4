CREATE INDEX CONCURRENTLY IF NOT EXISTS "listings_calvings" ON "listings" USING btree ("lactation") WHERE state = 'passed' and not is_sold and stock > 0 and lactation > 0;
