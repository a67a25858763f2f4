import { and, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { newsletterSubscribers } from '#src/content/tables.ts'
import { takeBackLetters } from './letters.server.ts'
import { linkPath, linkUrl } from './newsletter-links.server.ts'
import { findSubscriber, type MailLink, type Subscriber } from './queries.server.ts'
import { ASK_AGAIN_HOURS, CONSENT_VERSION, UNCONFIRMED_DAYS, type NewsletterRequest } from './schemas.ts'

const HOUR_MS = 3_600_000

/**
 * Records the request with its consent and sends one confirmation mail. The caller learns nothing about the address: new, waiting and
 * confirmed ones get the same answer; a confirmed one gets no mail, a waiting one none for some hours. Raises UNAVAILABLE when no mail can
 * be sent, and records nothing.
 */
export async function requestNewsletter(
  ctx: Ctx,
  { email }: NewsletterRequest,
  site: { secret: string; canSendEmail: boolean },
): Promise<void> {
  if (!site.canSendEmail) throw new Problem('UNAVAILABLE')
  const { locale, now } = ctx
  const before = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
  const { consentedAt, confirmedAt, unsubscribedAt } = newsletterSubscribers
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.delete(newsletterSubscribers).where(and(isNull(confirmedAt), lt(consentedAt, before(UNCONFIRMED_DAYS * 24))))
    const consent = { locale, consentVersion: CONSENT_VERSION, consentedAt: now }
    // One statement checks and writes, so that two concurrent requests send one mail.
    const [asked] = await ctx.db
      .insert(newsletterSubscribers)
      .values({ email, ...consent })
      .onConflictDoUpdate({
        target: newsletterSubscribers.email,
        set: consent,
        setWhere: and(
          // Waiting addresses and former subscribers. An address that declined the very first mail gets no other until it is deleted.
          or(and(isNull(confirmedAt), isNull(unsubscribedAt)), and(isNotNull(confirmedAt), isNotNull(unsubscribedAt))),
          // A subscriber who has just left may return at once: only this mailbox's owner could leave.
          or(lt(consentedAt, before(ASK_AGAIN_HOURS)), gt(unsubscribedAt, consentedAt)),
        ),
      })
      .returning({ id: newsletterSubscribers.id })
    if (!asked) return
    const subscriber = { id: asked.id, email }
    const url = (purpose: MailLink['purpose']) => linkUrl(ctx.publicOrigin, locale, linkPath(site.secret, purpose, subscriber))
    await queueMessage(ctx, {
      channel: 'email',
      to: email,
      template: 'newsletter-confirm',
      locale,
      subject: m.newsletter_mail_subject({}, { locale }),
      body: m.newsletter_mail_text({ confirm: url('confirm'), stop: url('unsubscribe') }, { locale }),
    })
  })
}

/**
 * The second half of the double opt-in; idempotent. An old mail does not restore a withdrawn consent: NOT_FOUND until the person asks for
 * the newsletter again.
 */
export async function confirmNewsletter(ctx: Ctx, link: MailLink, secret: string): Promise<void> {
  const subscriber = await requireSubscriber(ctx, link, secret)
  if (subscriber.state === 'left') throw notFound()
  const { id, consentedAt, confirmedAt, unsubscribedAt } = newsletterSubscribers
  await ctx.db
    .update(newsletterSubscribers)
    .set({ confirmedAt: ctx.now, unsubscribedAt: null })
    .where(and(eq(id, subscriber.id), or(isNull(confirmedAt), lt(unsubscribedAt, consentedAt))))
}

/** Withdraws the consent. The row stays as its log; nothing is sent to it. */
export async function stopNewsletter(ctx: Ctx, link: MailLink, secret: string): Promise<void> {
  const subscriber = await requireSubscriber(ctx, link, secret)
  const { id, consentedAt, unsubscribedAt } = newsletterSubscribers
  await ctx.db
    .update(newsletterSubscribers)
    .set({ unsubscribedAt: ctx.now })
    .where(and(eq(id, subscriber.id), or(isNull(unsubscribedAt), lt(unsubscribedAt, consentedAt))))
  await takeBackLetters(ctx, subscriber.email)
}

async function requireSubscriber(ctx: Ctx, link: MailLink, secret: string): Promise<Subscriber> {
  const subscriber = await findSubscriber(ctx, link, secret)
  if (!subscriber) throw notFound()
  return subscriber
}
