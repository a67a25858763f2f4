import { sql } from 'drizzle-orm'
import { bigint, check, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const moment = (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' })

/** Who asked for the newsletter, with what consent; nothing but the confirmation is ever sent before `confirmedAt`. */
export const newsletterSubscribers = pgTable(
  'newsletter_subscribers',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** Lower case. */
    email: text().notNull().unique(),
    /** The language asked in: of the confirmation and of the newsletter. */
    locale: text({ enum: ['ta', 'en'] }).notNull(),
    /** Which wording was ticked, and when. */
    consentVersion: text('consent_version').notNull(),
    consentedAt: moment('consented_at').notNull(),
    confirmedAt: moment('confirmed_at'),
    unsubscribedAt: moment('unsubscribed_at'),
  },
  (t) => [check('newsletter_email', sql`${t.email} = lower(${t.email})`), check('newsletter_locale', sql`${t.locale} in ('ta', 'en')`)],
)
