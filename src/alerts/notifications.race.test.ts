import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import type { Ctx } from '../kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { DAY, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { makeListing } from '../listings/makers.server.ts'
import { listings } from '../listings/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { MAX_SAVED_SEARCHES } from './rules.ts'
import { saveListing, saveSearch } from './saved.server.ts'
import { alertDays, savedSearches } from './tables.ts'
import { notifySavers } from './notifications.server.ts'

const PEOPLE = 12
const PROCESSES = 6

let market: TestMarket
shareMarket((opened) => (market = opened))

const NOON = new Date(`${new Date(Date.now() + DAY).toISOString().slice(0, 10)}T06:30:00Z`)
const notified = async (phone: string) => market.ctx.db.$count(outbox, eq(outbox.recipient, phone))

describe('several processes in the same hour', () => {
  test('notify each person once', async () => {
    const id = await makeListing(market.ctx)
    const people = []
    for (let n = 0; n < PEOPLE; n++) {
      const person = await makeUser(market.ctx)
      await saveListing(market.as(person), id)
      people.push(person)
    }
    await market.ctx.db
      .update(listings)
      .set({ originalPrice: rupees(70_000) })
      .where(eq(listings.id, id))
    const counts = await Promise.all(Array.from({ length: PROCESSES }, () => notifySavers(market.as(null, { now: NOON }))))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(PEOPLE)
    for (const { phone } of people) expect(await notified(phone)).toBe(1)
  })

  test('control: checking first and sending afterwards notifies a person twice', async () => {
    const person = await makeUser(market.ctx)
    const meet = meetingOf(2)
    const naive = (ctx: Ctx) =>
      inTransaction(ctx, async (ctx) => {
        if ((await ctx.db.$count(alertDays, eq(alertDays.userId, person.id))) > 0) return
        await meet()
        await ctx.db
          .insert(alertDays)
          .values({ userId: person.id, kind: 'saved', day: indianDay(NOON) })
          .onConflictDoNothing()
        await queueMessage(ctx, { channel: 'sms', to: person.phone, userId: person.id, template: 'x', locale: 'ta', body: 'x' })
      })
    await Promise.all([naive(market.as(null)), naive(market.as(null))])
    expect(await notified(person.phone)).toBe(2)
  })
})

describe('the last free place for a search', () => {
  test('is taken once', async () => {
    const person = await makeUser(market.ctx)
    for (let n = 1; n < MAX_SAVED_SEARCHES; n++) await saveSearch(market.as(person), `/buy/1?max=${1000 + n}`)
    const ends = await Promise.all(Array.from({ length: 5 }, (_, n) => refusalOf(saveSearch(market.as(person), `/buy/2?max=${1000 + n}`))))
    expect(ends.toSorted()).toEqual(['SAVED_FULL', 'SAVED_FULL', 'SAVED_FULL', 'SAVED_FULL', 'taken'])
    expect(await market.ctx.db.$count(savedSearches, eq(savedSearches.userId, person.id))).toBe(MAX_SAVED_SEARCHES)
  })

  test('control: counting without the lock lets two in', async () => {
    const person = await makeUser(market.ctx)
    const meet = meetingOf(2)
    const naive = async (query: string) => {
      if ((await market.ctx.db.$count(savedSearches, eq(savedSearches.userId, person.id))) >= 1) return
      await meet()
      await market.ctx.db.insert(savedSearches).values({ userId: person.id, category: 1, query })
    }
    await Promise.all([naive('max=1'), naive('max=2')])
    expect(await market.ctx.db.$count(savedSearches, eq(savedSearches.userId, person.id))).toBe(2)
  })
})
