import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'

/** One SQL dialect, two engines: PostgreSQL behind a pool, or PGlite in this process. */
export type Db = PgDatabase<PgQueryResultHKT>
