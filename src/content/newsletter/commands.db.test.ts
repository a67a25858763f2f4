import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { m } from '#src/paraglide/messages.js'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { newsletterSubscribers } from '#src/content/tables.ts'
import { confirmNewsletter, requestNewsletter, stopNewsletter } from './commands.server.ts'
import { linkPath, linkToken } from './newsletter-links.server.ts'
import { findSubscriber } from './queries.server.ts'
import { ASK_AGAIN_HOURS, CONSENT_VERSION, UNCONFIRMED_DAYS } from './schemas.ts'

let market: TestMarket
let ctx: Ctx
const secret = 's'.repeat(32)
const email = 'selvi@example.com'
const HOUR = 3_600_000

shareMarket((opened) => (market = opened))
beforeAll(() => {
  ctx = market.ctx
})
beforeEach(async () => {
  await ctx.db.delete(outbox)
  await ctx.db.delete(newsletterSubscribers)
})

const later = (hours: number, changes: Partial<Ctx> = {}): Ctx => ({ ...ctx, now: new Date(ctx.now.getTime() + hours * HOUR), ...changes })
const ask = (as: Ctx = ctx, address = email) => requestNewsletter(as, { email: address, consent: true }, { secret, canSendEmail: true })
const mails = () => ctx.db.select().from(outbox).orderBy(outbox.id)
const rows = () => ctx.db.select().from(newsletterSubscribers)
const row = async (address = email) => (await rows()).find((each) => each.email === address)!
/** The link in the mail. */
async function linkOf(purpose: 'confirm' | 'unsubscribe', address = email) {
  const { body } = (await mails()).findLast(({ recipient }) => recipient === address)!
  const url = new URL(new RegExp(`https://\\S+/newsletter/${purpose}\\S+`).exec(body)![0])
  return { purpose, id: url.searchParams.get('id')!, token: url.searchParams.get('token')! }
}
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    (error: unknown) => (error instanceof Problem ? error.code : Promise.reject(error as Error)),
  )

describe('a request for the newsletter', () => {
  test('sends one confirmation mail in the requested language, and records the consent with wording and time', async () => {
    await ask({ ...ctx, locale: 'ta' })
    await ask(ctx, 'bala@example.com')
    expect(await mails()).toMatchObject([
      { channel: 'email', recipient: email, template: 'newsletter-confirm', locale: 'ta', subject: 'சந்தை செய்தி மடல்: உறுதிப்படுத்துங்கள்' },
      { recipient: 'bala@example.com', locale: 'en', subject: 'Sandhai newsletter: please confirm' },
    ])
    const [tamil, english] = await mails()
    expect(tamil!.body).toMatch(/^https:\/\/sandhai\.test\/newsletter\/confirm\?id=\d+&token=[\w-]{43}$/m)
    expect(english!.body).toMatch(/^https:\/\/sandhai\.test\/en\/newsletter\/unsubscribe\?id=\d+&token=[\w-]{43}$/m)
    expect(await row()).toMatchObject({
      locale: 'ta',
      consentVersion: CONSENT_VERSION,
      consentedAt: ctx.now,
      confirmedAt: null,
      unsubscribedAt: null,
    })
  })

  test('sends no second mail for some hours when repeated, then one', async () => {
    await ask()
    await ask(later(1))
    await ask(later(ASK_AGAIN_HOURS))
    expect(await mails()).toHaveLength(1)
    expect((await row()).consentedAt).toEqual(ctx.now)
    await ask(later(ASK_AGAIN_HOURS + 1, { locale: 'ta' }))
    expect((await mails()).map(({ locale }) => locale)).toEqual(['en', 'ta'])
    expect(await row()).toMatchObject({ locale: 'ta', consentedAt: later(ASK_AGAIN_HOURS + 1).now })
  })

  test('sends one mail for twenty concurrent requests', async () => {
    await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(await mails()).toHaveLength(1)
    expect(await rows()).toHaveLength(1)
  })

  test('sends nothing to a subscriber and changes nothing', async () => {
    await ask()
    await confirmNewsletter(ctx, await linkOf('confirm'), secret)
    const before = await row()
    await ask(later(1000, { locale: 'ta' }))
    expect(await mails()).toHaveLength(1)
    expect(await row()).toEqual(before)
  })

  test('is refused and not recorded when no mail can be sent', async () => {
    expect(await refusal(requestNewsletter(ctx, { email, consent: true }, { secret, canSendEmail: false }))).toBe('UNAVAILABLE')
    expect(await rows()).toEqual([])
    expect(await mails()).toEqual([])
  })

  test('is deleted after some weeks without confirmation; a confirmed one is not', async () => {
    await ask()
    await ask(ctx, 'bala@example.com')
    await confirmNewsletter(ctx, await linkOf('confirm', 'bala@example.com'), secret)
    await ask(later(UNCONFIRMED_DAYS * 24 + 1), 'kavitha@example.com')
    expect((await rows()).map((each) => each.email).sort()).toEqual(['bala@example.com', 'kavitha@example.com'])
  })
})

describe('a link from the mail', () => {
  test('confirms once and stops once; an old link does not restore a withdrawn consent', async () => {
    await ask()
    const [confirm, stop] = [await linkOf('confirm'), await linkOf('unsubscribe')]
    expect(await findSubscriber(ctx, confirm, secret)).toMatchObject({ email, state: 'waiting' })
    await confirmNewsletter(later(1), confirm, secret)
    await confirmNewsletter(later(2), confirm, secret)
    expect(await row()).toMatchObject({ confirmedAt: later(1).now, unsubscribedAt: null })
    expect(await findSubscriber(ctx, stop, secret)).toMatchObject({ state: 'subscribed', hasStopped: false })

    await stopNewsletter(later(3), stop, secret)
    await stopNewsletter(later(4), stop, secret)
    expect(await row()).toMatchObject({ confirmedAt: later(1).now, unsubscribedAt: later(3).now, consentVersion: CONSENT_VERSION })
    const before = await row()
    expect(await findSubscriber(ctx, confirm, secret)).toMatchObject({ state: 'left', hasStopped: true })
    expect(await refusal(confirmNewsletter(later(5), confirm, secret))).toBe('NOT_FOUND')
    expect(await row()).toEqual(before)

    await ask(later(6))
    await confirmNewsletter(later(7), confirm, secret)
    expect(await row()).toMatchObject({ confirmedAt: later(7).now, unsubscribedAt: null })
  })

  test('changes nothing when it is only opened', async () => {
    await ask()
    const before = await row()
    await findSubscriber(ctx, await linkOf('confirm'), secret)
    await findSubscriber(ctx, await linkOf('unsubscribe'), secret)
    expect(await row()).toEqual(before)
  })

  test('a former subscriber may return at once, and must confirm again before anything is sent', async () => {
    await ask()
    await confirmNewsletter(ctx, await linkOf('confirm'), secret)
    await stopNewsletter(later(1), await linkOf('unsubscribe'), secret)
    await ask(later(1.1))
    expect(await mails()).toHaveLength(2)
    expect(await findSubscriber(ctx, await linkOf('confirm'), secret)).toMatchObject({ state: 'waiting', hasStopped: false })
    // Repeated requests for this address are not abuse.
    await ask(later(1.2))
    expect(await mails()).toHaveLength(2)
    await confirmNewsletter(later(2), await linkOf('confirm'), secret)
    expect(await findSubscriber(ctx, await linkOf('confirm'), secret)).toMatchObject({ state: 'subscribed' })
  })

  test('a returning subscriber who declines the confirmation is unsubscribed again', async () => {
    await ask()
    await confirmNewsletter(ctx, await linkOf('confirm'), secret)
    await stopNewsletter(later(1), await linkOf('unsubscribe'), secret)
    await ask(later(2))
    await stopNewsletter(later(3), await linkOf('unsubscribe'), secret)
    expect(await findSubscriber(ctx, await linkOf('confirm'), secret)).toMatchObject({ state: 'left' })
    expect(await refusal(confirmNewsletter(later(4), await linkOf('confirm'), secret))).toBe('NOT_FOUND')
  })

  test('an address that declined the first mail gets no second one, whoever asks', async () => {
    await ask()
    await stopNewsletter(ctx, await linkOf('unsubscribe'), secret)
    for (const hours of [1, 24, 24 * 20]) await ask(later(hours))
    expect(await mails()).toHaveLength(1)
  })

  test('is refused and changes nothing when it is for another person, purpose or secret, truncated or made up', async () => {
    await ask()
    await ask(ctx, 'bala@example.com')
    const good = await linkOf('confirm')
    const before = await rows()
    const wrong = [
      { ...good, token: (await linkOf('confirm', 'bala@example.com')).token },
      { ...good, id: (await linkOf('confirm', 'bala@example.com')).id },
      { ...good, token: (await linkOf('unsubscribe')).token },
      { ...good, token: linkToken('t'.repeat(32), 'confirm', { id: Number(good.id), email }) },
      { ...good, token: good.token.slice(0, -1) },
      { ...good, token: `${good.token}x` },
      { ...good, token: '' },
      { ...good, token: 'மாடு'.repeat(20) },
      ...['', '0', '-1', '1e3', ' 1', `${good.id}.0`, '9'.repeat(15), '9'.repeat(30), "1' or 1=1", '\u0000'].map((id) => ({ ...good, id })),
    ]
    for (const link of wrong) {
      expect(await findSubscriber(ctx, link, secret)).toBeNull()
      expect(await refusal(confirmNewsletter(ctx, link, secret))).toBe('NOT_FOUND')
    }
    const confirmAsStop = { ...good, purpose: 'unsubscribe' as const }
    expect(await refusal(stopNewsletter(ctx, confirmAsStop, secret))).toBe('NOT_FOUND')
    expect(await rows()).toEqual(expect.arrayContaining(before))
  })

  test('is refused for a deleted address', async () => {
    await ask()
    const link = await linkOf('confirm')
    await ctx.db.delete(newsletterSubscribers).where(eq(newsletterSubscribers.email, email))
    await ask(ctx, email)
    expect(await refusal(confirmNewsletter(ctx, link, secret))).toBe('NOT_FOUND')
  })

  test('needs no URL decoding', () => {
    expect(linkPath(secret, 'confirm', { id: 7, email })).toMatch(/^\/newsletter\/confirm\?id=7&token=[\w-]{43}$/)
  })
})

test('the consent wording matches its version: a new wording needs a new version', () => {
  const wordings: Record<string, [string, string]> = {
    '2026-11': [
      'சந்தை செய்தி மடலை இந்த முகவரிக்கு அனுப்பலாம்; எப்போது வேண்டுமானாலும் நிறுத்திக்கொள்ளலாம்.',
      'Sandhai may send its newsletter to this address; I can stop it at any time.',
    ],
  }
  expect([m.newsletter_consent({}, { locale: 'ta' }), m.newsletter_consent({}, { locale: 'en' })]).toEqual(wordings[CONSENT_VERSION])
})
