import { sql, type SQL } from 'drizzle-orm'
import type { Locale } from '#src/kit/text/locale.ts'

/** SQL for the name of listing `l` in the reader's language; English falls back to Tamil. */
export const nameIn = (locale: Locale): SQL => (locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`)
