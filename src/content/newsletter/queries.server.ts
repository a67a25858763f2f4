import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { isLinkToken, type LinkPurpose } from './newsletter-links.server.ts'
import { newsletterSubscribers } from '#src/content/tables.ts'
import { parseId } from '#src/kit/ids.ts'

export interface Subscriber {
  id: number
  email: string
  /** `waiting`: for the first or a new confirmation; `left`: unsubscribed after a confirmation, without a new request since. */
  state: 'waiting' | 'subscribed' | 'left'
  /** Declined or unsubscribed, without a new request since. */
  hasStopped: boolean
}

/** The values of a link from a mail, as in the URL or the form: whose it is, and the token that proves it. */
export interface MailLink {
  purpose: LinkPurpose
  id: string
  token: string
}

/** Null when the link is truncated or made up, or its address was deleted: the same answer for all. */
export async function findSubscriber(ctx: Ctx, link: MailLink, secret: string): Promise<Subscriber | null> {
  if (parseId(link.id) === null) return null
  const [row] = await ctx.db
    .select()
    .from(newsletterSubscribers)
    .where(eq(newsletterSubscribers.id, Number(link.id)))
  if (!row || !isLinkToken(secret, link.purpose, row, link.token)) return null
  const hasStopped = row.unsubscribedAt !== null && row.unsubscribedAt >= row.consentedAt
  const state = row.confirmedAt === null ? 'waiting' : row.unsubscribedAt === null ? 'subscribed' : hasStopped ? 'left' : 'waiting'
  return { id: row.id, email: row.email, state, hasStopped }
}
