import { and, eq, gt, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { queueMessage } from '#src/kit/outbox.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { linkPath, linkUrl } from './newsletter-links.server.ts'
import { findSubscriber, type MailLink, type Subscriber } from './queries.server.ts'
import { ASK_AGAIN_HOURS, CONSENT_VERSION, UNCONFIRMED_DAYS, type NewsletterRequest } from './schemas.ts'
import { newsletterSubscribers } from './tables.ts'

const HOUR_MS = 3_600_000

/**
 * Notes the wish with its consent and sends one mail that asks to confirm it. The caller learns nothing of the address: new,
 * waiting and confirmed ones are answered alike, a confirmed one gets no mail, a waiting one not again for some hours.
 * UNAVAILABLE when no mail can be sent: then nothing is noted either.
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
    // One statement decides and notes, so that two requests at once send one mail.
    const [asked] = await ctx.db
      .insert(newsletterSubscribers)
      .values({ email, ...consent })
      .onConflictDoUpdate({
        target: newsletterSubscribers.email,
        set: consent,
        setWhere: and(
          // Waiting, or subscribed once and gone. Who said no to the very first mail is left in peace until he is forgotten.
          or(and(isNull(confirmedAt), isNull(unsubscribedAt)), and(isNotNull(confirmedAt), isNotNull(unsubscribedAt))),
          // Who has just left and comes back need not wait: only this mailbox's owner could leave.
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
 * The second half of the double opt-in. Confirmed twice is confirmed once. A consent that was given and withdrawn is no consent
 * any more, whoever still has its mail: NOT_FOUND, until the newsletter is asked for anew.
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

/** The row stays, as the log of a consent that was given and withdrawn; nothing is sent to it. */
export async function stopNewsletter(ctx: Ctx, link: MailLink, secret: string): Promise<void> {
  const subscriber = await requireSubscriber(ctx, link, secret)
  const { id, consentedAt, unsubscribedAt } = newsletterSubscribers
  await ctx.db
    .update(newsletterSubscribers)
    .set({ unsubscribedAt: ctx.now })
    .where(and(eq(id, subscriber.id), or(isNull(unsubscribedAt), lt(unsubscribedAt, consentedAt))))
}

async function requireSubscriber(ctx: Ctx, link: MailLink, secret: string): Promise<Subscriber> {
  const subscriber = await findSubscriber(ctx, link, secret)
  if (!subscriber) throw notFound()
  return subscriber
}
