import { and, desc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { decidedBy } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { queueMessages } from '#src/kit/messages/outbox.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { newsletterLetters, newsletterSubscribers } from '../tables.ts'
import type { LetterInput } from './letter-schema.ts'
import { linkPath, linkUrl } from './newsletter-links.server.ts'

export type Letter = typeof newsletterLetters.$inferSelect

/** A letter and its version. */
interface Seen {
  id: number
  version: number
}

const TEMPLATE = 'newsletter'
const SHOWN = 50
/** Subscribers read and queued per round. */
const BATCH = 500
/** Mail servers throttle faster senders, and a confirmation mail must not wait behind a whole letter. */
export const MAILS_A_MINUTE = 300

/** The last letters, including drafts. For admins. */
export async function listLetters(ctx: Ctx): Promise<Letter[]> {
  requireCan(ctx, 'operate')
  return ctx.db.select().from(newsletterLetters).orderBy(desc(newsletterLetters.id)).limit(SHOWN)
}

/** Raises NOT_FOUND. For admins. */
export async function getLetter(ctx: Ctx, id: number): Promise<Letter> {
  requireCan(ctx, 'operate')
  const [letter] = await ctx.db.select().from(newsletterLetters).where(eq(newsletterLetters.id, id))
  if (!letter) throw notFound()
  return letter
}

/** The number of receivers of the next letter by language, and of unconfirmed addresses. For admins. */
export async function countSubscribers(ctx: Ctx): Promise<Record<Locale | 'waiting', number>> {
  requireCan(ctx, 'operate')
  const { locale, confirmedAt, unsubscribedAt } = newsletterSubscribers
  const count = (what: ReturnType<typeof sql>) => sql<number>`(count(*) filter (where ${what}))::int`
  const [counts] = await ctx.db
    .select({
      ta: count(sql`${locale} = 'ta' and ${isSubscribed}`),
      en: count(sql`${locale} = 'en' and ${isSubscribed}`),
      waiting: count(sql`${confirmedAt} is null and ${unsubscribedAt} is null`),
    })
    .from(newsletterSubscribers)
  return counts!
}

const isSubscribed = and(isNotNull(newsletterSubscribers.confirmedAt), isNull(newsletterSubscribers.unsubscribedAt))!

/** Returns the id of a new draft. */
export async function writeLetter(ctx: Ctx, input: LetterInput): Promise<number> {
  requireCan(ctx, 'operate')
  return inTransaction(ctx, async (ctx) => {
    const { id: changedById } = await holdAdmin(ctx)
    const [added] = await ctx.db
      .insert(newsletterLetters)
      .values({ ...input, changedById, changedAt: ctx.now })
      .returning({ id: newsletterLetters.id })
    return added!.id
  })
}

/** Raises NOT_FOUND, and VERSION when it was changed or sent meanwhile. The same admin may repeat it. */
export async function changeLetter(ctx: Ctx, seen: Seen, input: LetterInput): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: changedById } = await holdAdmin(ctx)
    const letter = await lockLetter(ctx, seen.id)
    const isSame = (Object.keys(input) as (keyof LetterInput)[]).every((name) => letter[name] === input[name])
    if (isSame && letter.changedById === changedById && !letter.sentAt && letter.version === seen.version + 1) return
    await ensureDraft(ctx, letter, seen)
    await ctx.db
      .update(newsletterLetters)
      .set({ ...input, version: seen.version + 1, changedById, changedAt: ctx.now })
      .where(eq(newsletterLetters.id, seen.id))
  })
}

/** Sends both languages to one address, marked as a test. Raises the same as `changeLetter`. */
export async function testLetter(ctx: Ctx, seen: Seen, { email, secret }: { email: string; secret: string }): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    await holdAdmin(ctx)
    const letter = await lockLetter(ctx, seen.id)
    await ensureDraft(ctx, letter, seen)
    const mails = (['ta', 'en'] as const).map((locale) => mailOf(ctx, letter, { id: 0, email, locale }, secret))
    await queueMessages(
      ctx,
      mails.map((mail) => ({ ...mail, subject: m.newsletter_test_subject({ subject: mail.subject }, { locale: mail.locale }) })),
    )
  })
}

/**
 * Sends a draft to every subscriber in their language and returns their number. The same transaction marks the letter as sent, so nobody
 * gets it twice; the same admin may repeat it. Raises NOT_FOUND, VERSION when it was changed or sent meanwhile (decision 0112), and the refusals of
 * `requireOwnPassword`.
 */
export async function sendLetter(
  ctx: Ctx,
  seen: Seen,
  { password, secret }: { password: string | undefined; secret: string },
): Promise<number> {
  requireCan(ctx, 'operate')
  await requireOwnPassword(ctx, password)
  return inTransaction(ctx, async (ctx) => {
    const { id: sentById } = await holdAdmin(ctx)
    const letter = await lockLetter(ctx, seen.id)
    if (letter.version === seen.version && letter.sentById === sentById) return letter.receivers ?? 0
    await ensureDraft(ctx, letter, seen)
    const receivers = await queueForAll(ctx, letter, secret)
    await ctx.db.update(newsletterLetters).set({ sentAt: ctx.now, sentById, receivers }).where(eq(newsletterLetters.id, letter.id))
    await audit(ctx, 'newsletter_sent', `newsletter:${letter.id}`, { receivers, subject: letter.subjectEn })
    return receivers
  })
}

async function queueForAll(ctx: Ctx, letter: Letter, secret: string): Promise<number> {
  const { id, email, locale } = newsletterSubscribers
  let count = 0
  for (let last = 0; ;) {
    const some = await ctx.db
      .select({ id, email, locale })
      .from(newsletterSubscribers)
      .where(and(gt(id, last), isSubscribed))
      .orderBy(id)
      .limit(BATCH)
    const delayOf = (index: number) => Math.floor(((count + index) * 60) / MAILS_A_MINUTE)
    await queueMessages(
      ctx,
      some.map((subscriber, index) => ({ ...mailOf(ctx, letter, subscriber, secret), delaySeconds: delayOf(index) })),
    )
    count += some.length
    if (some.length < BATCH) return count
    last = some.at(-1)!.id
  }
}

/** A letter as the mail to one subscriber. */
function mailOf(ctx: Ctx, letter: Letter, { id, email, locale }: { id: number; email: string; locale: Locale }, secret: string) {
  const stop = linkUrl(ctx.publicOrigin, locale, linkPath(secret, 'unsubscribe', { id, email }))
  const [subject, text] = locale === 'ta' ? [letter.subjectTa, letter.bodyTa] : [letter.subjectEn, letter.bodyEn]
  return {
    channel: 'email' as const,
    to: email,
    template: TEMPLATE,
    locale,
    subject,
    body: m.newsletter_letter({ text, stop }, { locale }),
    variables: { stop },
  }
}

/** The mail's texts, for the desk's preview. */
export const previewOf = (letter: Letter, locale: Locale) => ({
  locale,
  subject: locale === 'ta' ? letter.subjectTa : letter.subjectEn,
  text: m.newsletter_letter(
    { text: locale === 'ta' ? letter.bodyTa : letter.bodyEn, stop: m.newsletter_stop_sample({}, { locale }) },
    { locale },
  ),
})

/** Deletes queued letters to an address that has unsubscribed. */
export async function takeBackLetters(ctx: Ctx, email: string): Promise<void> {
  await ctx.db
    .delete(outbox)
    .where(
      and(
        eq(outbox.recipient, email),
        eq(outbox.template, TEMPLATE),
        eq(outbox.channel, 'email'),
        isNull(outbox.sentAt),
        isNull(outbox.failedAt),
      ),
    )
}

async function lockLetter(ctx: Ctx, id: number): Promise<Letter> {
  const [letter] = await ctx.db.select().from(newsletterLetters).where(eq(newsletterLetters.id, id)).for('update')
  if (!letter) throw notFound()
  return letter
}

async function ensureDraft(ctx: Ctx, { version, sentAt, sentById, changedAt, changedById }: Letter, seen: Seen): Promise<void> {
  const sent = (locale: Locale) => m.trail_event_newsletter_sent({}, { locale })
  if (sentAt) throw await decidedBy(ctx, { what: sent, byId: sentById, at: sentAt })
  if (version !== seen.version)
    throw await decidedBy(ctx, { what: (locale) => m.newsletter_desk_changed({}, { locale }), byId: changedById, at: changedAt })
}
