import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import type { OwnListing } from './own-listings.server.ts'
import { closesAt, freshnessOf } from './renew-rules.ts'

/** A listing's state, as its seller thinks of it: a passed one may be about to close, or closed. */
export type Standing = 'draft' | 'pending' | 'failed' | 'passed' | 'asked' | 'closed' | 'withdrawn' | 'sold'

/** One of the seller's own listings with its notices, in the reader's language. */
export function shownListing(ctx: Ctx, listing: OwnListing) {
  const { card, code, comment, soldThroughSandhai, version, views, asked, seller, question } = listing
  const standing = standingOf(listing, ctx.now)
  // A sentence on a narrow card must not break within its date.
  const day = formatDay(closesAt(listing.touchedAt), ctx.locale).replaceAll('-', '\u2060-\u2060')
  const next = nextText(standing, { day, comment, soldThroughSandhai }, ctx)
  const isLookedAt = listing.hasSecondLook && (standing === 'passed' || standing === 'asked')
  return { card, code, version, views, asked, seller, standing, next, isLookedAt, question }
}
export type ShownListing = ReturnType<typeof shownListing>

function standingOf({ state, touchedAt }: OwnListing, now: Date): Standing {
  if (state !== 'passed') return state
  const freshness = freshnessOf(touchedAt, now)
  return freshness === 'fresh' ? 'passed' : freshness
}

interface Facts {
  day: string
  comment: string | null
  soldThroughSandhai: boolean | null
}

function nextText(standing: Standing, { day, comment, soldThroughSandhai }: Facts, { locale }: Ctx): string {
  const inLocale = { locale }
  switch (standing) {
    case 'draft':
      return m.own_next_draft({}, inLocale)
    case 'pending':
      return m.own_next_pending({}, inLocale)
    case 'failed':
      return comment ? m.own_next_failed({ comment }, inLocale) : m.own_next_failed_plain({}, inLocale)
    case 'passed':
      return m.own_next_passed({ day }, inLocale)
    case 'asked':
      return m.own_next_asked({ day }, inLocale)
    case 'closed':
      return m.own_next_closed({ day }, inLocale)
    case 'withdrawn':
      return m.own_next_withdrawn({}, inLocale)
    case 'sold':
      if (soldThroughSandhai === null) return m.own_next_sold_out({}, inLocale)
      return soldThroughSandhai ? m.own_next_sold_sandhai({}, inLocale) : m.own_next_sold_others({}, inLocale)
  }
}
