import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { isLinkToken, type LinkPurpose } from '#src/content/newsletter/newsletter-links.server.ts'
import { newsletterSubscribers } from './tables.ts'

export interface Subscriber {
  id: number
  email: string
  /** `waiting` for the first or a new confirmation; `left`: had confirmed, has withdrawn it, and has not asked again since. */
  state: 'waiting' | 'subscribed' | 'left'
  /** Said no, whether the newsletter ever came or not, and has not asked again since. */
  hasStopped: boolean
}

/** The values in a link from a mail: whose it is, and the token that proves it. As they stand in the URL or the form. */
export interface MailLink {
  purpose: LinkPurpose
  id: string
  token: string
}

/** Null when the link is cut short, made up, or its address was forgotten: the same answer for all. */
export async function findSubscriber(ctx: Ctx, link: MailLink, secret: string): Promise<Subscriber | null> {
  if (!/^[1-9]\d{0,14}$/.test(link.id)) return null
  const [row] = await ctx.db
    .select()
    .from(newsletterSubscribers)
    .where(eq(newsletterSubscribers.id, Number(link.id)))
  if (!row || !isLinkToken(secret, link.purpose, row, link.token)) return null
  const hasStopped = row.unsubscribedAt !== null && row.unsubscribedAt >= row.consentedAt
  const state = row.confirmedAt === null ? 'waiting' : row.unsubscribedAt === null ? 'subscribed' : hasStopped ? 'left' : 'waiting'
  return { id: row.id, email: row.email, state, hasStopped }
}
