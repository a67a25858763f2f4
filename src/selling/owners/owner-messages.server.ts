import { eq } from 'drizzle-orm'
import { notify, SMS_NAME } from '#src/accounts/notifications/receivers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { makeCode, phoneOf, type Owner } from './owners.server.ts'

interface ListingInSms {
  id: number
  name: string
}

/**
 * Asks the owner about a listing, or without one sends the link to their page. The caller holds the owner's row lock. Sends nothing beyond
 * the daily limit, because the page of an earlier SMS shows everything.
 */
export async function askBySms(
  ctx: Ctx,
  owner: Owner,
  listing: (ListingInSms & { sellerId: number; price: bigint }) | null,
): Promise<boolean> {
  const code = await makeCode(ctx, owner.id, listing?.sellerId ?? null)
  if (code === null) return false
  const { locale } = owner
  const link = `${ctx.publicOrigin}${localized(`/owner/${code}`, locale)}`
  const to = { channel: 'sms', to: phoneOf(ctx, owner), locale, isSecret: true } as const
  if (!listing) {
    await queueMessage(ctx, { ...to, template: 'owner-link', variables: { link }, body: m.sms_owner_link({ link }, { locale }) })
    return true
  }
  const [agent] = await ctx.db.select({ name: users.name }).from(users).where(eq(users.id, listing.sellerId))
  const variables = {
    agent: shorten(agent?.name ?? '', SMS_NAME),
    name: shorten(listing.name, SMS_NAME),
    price: formatRupees(listing.price),
    link,
  }
  await queueMessage(ctx, { ...to, template: 'owner-asked', variables, body: m.sms_owner_asked(variables, { locale }) })
  return true
}

const texts = {
  'owner-agreed': m.sms_owner_agreed,
  'owner-refused': m.sms_owner_refused,
  'owner-pulled': m.sms_owner_pulled,
  'owner-silent': m.sms_owner_silent,
}
export type AgentTemplate = keyof typeof texts

export const REASONS = ['unknown', 'price', 'fee', 'sold'] as const
export type Reason = (typeof REASONS)[number]

const reasonTexts = {
  unknown: m.owner_reason_unknown,
  price: m.owner_reason_price,
  fee: m.owner_reason_fee,
  sold: m.owner_reason_sold,
} satisfies Record<Reason, unknown>

export const reasonText = (reason: Reason, locale: Locale): string => reasonTexts[reason]({}, { locale })

/** Tells the agent the result for a listing that they made for an owner, and the reason. */
export const notifyAgent = (ctx: Ctx, agentId: number, listing: ListingInSms, template: AgentTemplate, reason?: Reason): Promise<void> =>
  notify(ctx, agentId, template, texts[template], (locale) => ({
    name: shorten(listing.name, SMS_NAME),
    reason: reason ? reasonText(reason, locale) : m.owner_reason_none({}, { locale }),
    link: ctx.publicOrigin + localized(`/seller-product/?listing=${listing.id}`, locale),
  }))

/** Tells the agent that the owner has registered and sells these listings themselves. */
export const notifyOfTakeOver = (ctx: Ctx, agentId: number, owner: string, count: number): Promise<void> =>
  notify(ctx, agentId, 'owner-took-over', m.sms_owner_took_over, (locale) => ({
    owner: shorten(owner, SMS_NAME),
    count: String(count),
    link: ctx.publicOrigin + localized('/seller-product', locale),
  }))
