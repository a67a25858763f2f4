import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import type { OwnListing } from './own-listings.server.ts'
import { reasonText } from '#src/selling/owners/owner-messages.server.ts'
import { closesAt, freshnessOf } from './renew-rules.ts'

/**
 * A listing's state from its seller's view: passed splits into passed, asked ("still for sale?") and closed; a draft may wait for its
 * owner.
 */
export type Standing = 'draft' | 'owner' | 'pending' | 'failed' | 'passed' | 'asked' | 'closed' | 'withdrawn' | 'sold'

/** One of the seller's listings with its notices, in the viewer's language. */
export function shownListing(ctx: Ctx, listing: OwnListing) {
  const { card, code, version, views, asked, seller, question, owner } = listing
  const standing = standingOf(listing, ctx.now)
  // Word joiners keep the date on one line of a narrow card.
  const day = formatDay(closesAt(listing.touchedAt), ctx.locale).replaceAll('-', '\u2060-\u2060')
  const next = nextText(standing, listing, day, ctx)
  const isLookedAt = listing.hasSecondLook && (standing === 'passed' || standing === 'asked')
  const shownOwner = owner && { name: owner.name, fee: owner.fee }
  return { card, code, version, views, asked, seller, standing, next, isLookedAt, question, owner: shownOwner }
}
export type ShownListing = ReturnType<typeof shownListing>

function standingOf({ state, touchedAt, owner, hasPhoto }: OwnListing, now: Date): Standing {
  if (state === 'draft' && owner && !owner.agreed && hasPhoto) return 'owner'
  if (state !== 'passed') return state
  const freshness = freshnessOf(touchedAt, now)
  return freshness === 'fresh' ? 'passed' : freshness
}

/** The reason of the owner who refused or pulled the listing; null when it was not the owner. */
function ownersNo(owner: OwnListing['owner'], { locale }: Ctx): string | null {
  if (!owner || owner.agreed) return null
  const values = { owner: owner.name, reason: owner.reason ? reasonText(owner.reason, locale) : m.owner_reason_none({}, { locale }) }
  if (owner.state === 'refused') return m.own_next_refused(values, { locale })
  if (owner.state === 'pulled') return m.own_next_pulled(values, { locale })
  return owner.state === 'silent' ? m.own_next_silent(values, { locale }) : null
}

function nextText(standing: Standing, { comment, soldThroughSandhai, owner }: OwnListing, day: string, ctx: Ctx): string {
  const { locale } = ctx
  const inLocale = { locale }
  switch (standing) {
    case 'draft':
      return m.own_next_draft({}, inLocale)
    case 'owner':
      return m.own_next_owner({ owner: owner!.name, day: formatDay(owner!.until, locale) }, inLocale)
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
      return ownersNo(owner, ctx) ?? m.own_next_withdrawn({}, inLocale)
    case 'sold':
      if (soldThroughSandhai === null) return m.own_next_sold_out({}, inLocale)
      return soldThroughSandhai ? m.own_next_sold_sandhai({}, inLocale) : m.own_next_sold_others({}, inLocale)
  }
}
