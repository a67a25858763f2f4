import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { queueMessages } from '#src/kit/messages/outbox.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { newsletterLetters, newsletterSubscribers } from '../tables.ts'
import { getLetter, previewOf, sendLetter, writeLetter } from './letters.server.ts'

const PASSWORD = 'a quiet evening'
const ADMINS = 6
const READER = 'selvi@example.com'

let market: TestMarket
let admins: Viewer[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const passwordHash = await hashPassword(market.ctx.vault, PASSWORD)
  admins = await Promise.all(Array.from({ length: ADMINS }, () => makeUser(market.ctx, { typeId: 9, passwordHash })))
  const now = new Date()
  await market.ctx.db
    .insert(newsletterSubscribers)
    .values({ email: READER, locale: 'ta', consentVersion: '2026-11', consentedAt: now, confirmedAt: now })
})

type Send = (ctx: Ctx, id: number) => Promise<unknown>

const send: Send = (ctx, id) => sendLetter(ctx, { id, version: 1 }, { password: PASSWORD, secret: 's'.repeat(32) })

/** Race control: check that the letter is a draft, then send without a lock. Concurrent callers all pass the check and all send. */
const naive =
  (allHaveChecked: () => Promise<void>): Send =>
  async (ctx, id) => {
    const letter = await getLetter(ctx, id)
    if (letter.sentAt) throw new Problem('VERSION')
    await allHaveChecked()
    const { subject, text } = previewOf(letter, 'ta')
    await queueMessages(ctx, [{ channel: 'email', to: READER, template: 'newsletter', locale: 'ta', subject, body: text, variables: {} }])
    await ctx.db
      .update(newsletterLetters)
      .set({ sentAt: ctx.now, sentById: ctx.viewer!.id, receivers: 1 })
      .where(eq(newsletterLetters.id, id))
  }

async function sendAtOnce(how: Send) {
  await market.ctx.db.delete(outbox)
  const id = await writeLetter(market.as(admins[0]!), {
    subjectTa: 'பொங்கல்',
    subjectEn: 'Pongal',
    bodyTa: 'காளைகள் வந்தன.',
    bodyEn: 'The bulls are here.',
  })
  const ends = await Promise.all(admins.map((admin) => refusalOf(how(market.as(admin), id))))
  return { sent: ends.filter((end) => end === 'taken').length, mails: await market.ctx.db.$count(outbox, eq(outbox.recipient, READER)) }
}

test('of admins who send one letter at once, one succeeds, and each reader gets it once', async () => {
  for (let round = 0; round < 5; round++) expect(await sendAtOnce(send)).toEqual({ sent: 1, mails: 1 })
})

test('control: checking and then sending without a lock sends the letter once for each admin', async () => {
  expect(await sendAtOnce(naive(meetingOf(ADMINS)))).toEqual({ sent: ADMINS, mails: ADMINS })
})
