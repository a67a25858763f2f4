import { sql, type SQL } from 'drizzle-orm'
import type { Locale } from '#src/kit/text/locale.ts'

/** The name of a listing `l` in a statement, in the reader's language: the English one where there is one. */
export const nameIn = (locale: Locale): SQL => (locale === 'en' ? sql`coalesce(l.name_en, l.name)` : sql`l.name`)
