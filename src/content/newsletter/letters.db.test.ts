import { eq, inArray } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { stopNewsletter } from './commands.server.ts'
import { newsletterLetters, newsletterSubscribers } from '../tables.ts'
import {
  changeLetter,
  countSubscribers,
  getLetter,
  listLetters,
  MAILS_A_MINUTE,
  previewOf,
  sendLetter,
  testLetter,
  writeLetter,
} from './letters.server.ts'
import { linkToken } from './newsletter-links.server.ts'

const PASSWORD = 'a quiet evening'
const secret = 's'.repeat(32)

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, passwordHash: await hashPassword(market.ctx.vault, PASSWORD) })
})
beforeEach(async () => {
  await market.ctx.db.delete(outbox)
  await market.ctx.db.delete(newsletterSubscribers)
  await market.ctx.db.delete(newsletterLetters)
})

const text = { subjectTa: 'பொங்கல்', subjectEn: 'Pongal', bodyTa: 'காளைகள் வந்தன.', bodyEn: 'The bulls are here.' }
const as = () => market.as(admin)
const first = { version: 1 }
const mails = () => market.ctx.db.select().from(outbox).orderBy(outbox.id)

async function subscribe(email: string, facts: Partial<typeof newsletterSubscribers.$inferInsert> = {}): Promise<number> {
  const now = new Date()
  const [row] = await market.ctx.db
    .insert(newsletterSubscribers)
    .values({ email, locale: 'ta', consentVersion: '2026-11', consentedAt: now, confirmedAt: now, ...facts })
    .returning({ id: newsletterSubscribers.id })
  return row!.id
}

describe('sending a letter', () => {
  test('sends one mail to each confirmed address, in its language, with its own unsubscribe link', async () => {
    const selvi = await subscribe('selvi@example.com')
    await subscribe('john@example.com', { locale: 'en' })
    await subscribe('waiting@example.com', { confirmedAt: null })
    await subscribe('left@example.com', { unsubscribedAt: new Date() })
    expect(await countSubscribers(as())).toEqual({ ta: 1, en: 1, waiting: 1 })
    const id = await writeLetter(as(), text)
    expect(await sendLetter(as(), { id, ...first }, { password: PASSWORD, secret })).toBe(2)
    const sent = await mails()
    expect(sent.map(({ recipient, subject, locale }) => [recipient, subject, locale])).toEqual([
      ['selvi@example.com', 'பொங்கல்', 'ta'],
      ['john@example.com', 'Pongal', 'en'],
    ])
    const stop = `/newsletter/unsubscribe?id=${selvi}&token=${linkToken(secret, 'unsubscribe', { id: selvi, email: 'selvi@example.com' })}`
    expect(sent[0]!.body).toContain('காளைகள் வந்தன.')
    expect(sent[0]!.body).toContain(stop)
    expect(sent[0]!.variables).toEqual({ stop: expect.stringContaining(stop) as string })
    expect(sent[1]!.body).toContain('/en/newsletter/unsubscribe?')
    expect(await getLetter(as(), id)).toMatchObject({ receivers: 2, sentById: admin.id })
  })

  test('a sent letter cannot be sent again, changed or tested', async () => {
    await subscribe('selvi@example.com')
    const id = await writeLetter(as(), text)
    const send = (ctx = as()) => refusalOf(sendLetter(ctx, { id, ...first }, { password: PASSWORD, secret }))
    const other = market.as(await makeUser(market.ctx, { typeId: 9, passwordHash: await hashPassword(market.ctx.vault, PASSWORD) }))
    // The same admin's form may arrive twice.
    expect([await send(), await send(), await send(other)]).toEqual(['taken', 'taken', 'VERSION'])
    expect(await mails()).toHaveLength(1)
    expect(await refusalOf(changeLetter(as(), { id, ...first }, text))).toBe('VERSION')
    expect(await refusalOf(testLetter(as(), { id, ...first }, { email: 'a@example.com', secret }))).toBe('VERSION')
  })

  test('needs the sender’s password', async () => {
    await subscribe('selvi@example.com')
    const id = await writeLetter(as(), text)
    expect(await refusalOf(sendLetter(as(), { id, ...first }, { password: 'wrong', secret }))).toBe('PASSWORD_WRONG')
    expect(await refusalOf(sendLetter(as(), { id, ...first }, { password: undefined, secret }))).toBe('VALIDATION')
    expect(await mails()).toEqual([])
  })

  test('reaches everybody in several batches, a few hundred a minute', async () => {
    const many = Array.from({ length: 2 * MAILS_A_MINUTE + 1 }, (_, n) => n)
    const now = new Date()
    await market.ctx.db.insert(newsletterSubscribers).values(
      many.map((n) => ({
        email: `reader${n}@example.com`,
        locale: 'ta' as const,
        consentVersion: '2026-11',
        consentedAt: now,
        confirmedAt: now,
      })),
    )
    const id = await writeLetter(as(), text)
    expect(await sendLetter(as(), { id, ...first }, { password: PASSWORD, secret })).toBe(many.length)
    const sent = await mails()
    expect(new Set(sent.map(({ recipient }) => recipient)).size).toBe(many.length)
    const delay = (index: number) => Math.round((sent[index]!.dueAt.getTime() - sent[index]!.createdAt.getTime()) / 1000)
    expect([delay(0), delay(MAILS_A_MINUTE), delay(2 * MAILS_A_MINUTE)]).toEqual([0, 60, 120])
  })

  test('skips a subscriber who unsubscribes before their mail is sent', async () => {
    const id = await subscribe('selvi@example.com')
    await subscribe('bala@example.com')
    const letter = await writeLetter(as(), text)
    await sendLetter(as(), { id: letter, ...first }, { password: PASSWORD, secret })
    const token = linkToken(secret, 'unsubscribe', { id, email: 'selvi@example.com' })
    await stopNewsletter(market.ctx, { purpose: 'unsubscribe', id: String(id), token }, secret)
    expect((await mails()).map(({ recipient }) => recipient)).toEqual(['bala@example.com'])
  })
})

test('an admin changes a draft from the version they saw, tests it on one address in both languages, and previews it', async () => {
  const id = await writeLetter(as(), text)
  await changeLetter(as(), { id, version: 1 }, { ...text, subjectEn: 'Pongal fair' })
  expect(await refusalOf(changeLetter(as(), { id, version: 1 }, text))).toBe('VERSION')
  await subscribe('selvi@example.com')
  await testLetter(as(), { id, version: 2 }, { email: 'admin@example.com', secret })
  expect((await mails()).map(({ recipient, subject }) => [recipient, subject])).toEqual([
    ['admin@example.com', 'சோதனை: பொங்கல்'],
    ['admin@example.com', 'Test: Pongal fair'],
  ])
  expect((await getLetter(as(), id)).sentAt).toBeNull()
  expect(previewOf(await getLetter(as(), id), 'en')).toMatchObject({
    subject: 'Pongal fair',
    text: expect.stringContaining(text.bodyEn) as string,
  })
})

test('only admins read, write and send letters', async () => {
  const id = await writeLetter(as(), text)
  const buyer = market.as(await makeUser(market.ctx, { typeId: 1, passwordHash: await hashPassword(market.ctx.vault, PASSWORD) }))
  for (const act of [
    () => listLetters(buyer),
    () => getLetter(buyer, id),
    () => countSubscribers(buyer),
    () => writeLetter(buyer, text),
    () => changeLetter(buyer, { id, ...first }, text),
    () => testLetter(buyer, { id, ...first }, { email: 'a@example.com', secret }),
    () => sendLetter(buyer, { id, ...first }, { password: PASSWORD, secret }),
  ])
    expect(await refusalOf(act())).toBe('ROLE_FORBIDDEN')
  expect(await market.ctx.db.select().from(newsletterLetters).where(eq(newsletterLetters.id, id))).toMatchObject([{ sentAt: null }])
  expect(
    await market.ctx.db
      .select()
      .from(outbox)
      .where(inArray(outbox.template, ['newsletter'])),
  ).toEqual([])
})
