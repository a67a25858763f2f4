import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { users } from '../accounts/tables.ts'
import type { Ctx, Viewer } from '../kit/context.ts'
import { setSetting } from '#src/kit/records/settings.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { defaultSettings } from '../kit/settings.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { makeListing } from '../listings/makers.server.ts'
import { untilLockWait } from '#tools/test-kit/lock-wait.ts'
import { meetingOf, signal } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { vetChecks, vetHolds } from './tables.ts'
import { takeAnimal } from './holds.server.ts'
import { recordVetCheck, type CheckInput } from './record-check.server.ts'
import { holdEndsAt } from './rules.ts'
import { takeEach } from './taking.server.ts'

const VETS = 50
const MOST_HELD = defaultSettings.vetDay.holds
const MOST_CHECKED = defaultSettings.vetDay.checks

let market: TestMarket
let vets: Viewer[]
let animal: () => Promise<number>

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  vets = []
  for (let n = 0; n < VETS; n++) vets.push(await makeUser(market.ctx, { typeId: 5, vetApproved: true }))
  const { id: sellerId } = await makeUser(market.ctx, { typeId: 2 })
  const pickupAddressId = await makeAddress(market.ctx, sellerId)
  animal = () => makeListing(market.ctx, { sellerId, pickupAddressId })
})
beforeEach(() => market.ctx.db.delete(vetHolds))

type Take = (ctx: Ctx, id: number) => Promise<unknown>
const endOf = (act: Promise<unknown>) => act.then(String, (error: unknown) => (error instanceof Problem ? error.code : String(error)))
const countOf = (ends: string[]) => Object.fromEntries([...new Set(ends)].map((end) => [end, ends.filter((each) => each === end).length]))

/** Race control: checks whether the animal is free, then takes it without a lock. */
const naive =
  (allHaveChecked: () => Promise<void>): Take =>
  async (ctx, listingId) => {
    const vetId = ctx.viewer!.id
    const [held] = await ctx.db.select().from(vetHolds).where(eq(vetHolds.listingId, listingId))
    if (held) throw new Problem('ANIMAL_HELD')
    if ((await ctx.db.$count(vetHolds, eq(vetHolds.vetId, vetId))) >= MOST_HELD) return 'full'
    await allHaveChecked()
    const heldUntil = holdEndsAt(ctx.now)
    await ctx.db
      .insert(vetHolds)
      .values({ listingId, vetId, heldUntil })
      .onConflictDoUpdate({ target: vetHolds.listingId, set: { vetId, heldUntil } })
    return 'taken'
  }

describe(`${VETS} concurrent requests for one animal`, () => {
  const rush = async (take: Take) => {
    const id = await animal()
    return countOf(await Promise.all(vets.map((vet) => endOf(take(market.as(vet), id)))))
  }

  test('one vet gets it', async () => {
    expect(await rush(takeAnimal)).toEqual({ taken: 1, ANIMAL_HELD: VETS - 1 })
    expect(await market.ctx.db.$count(vetHolds)).toBe(1)
  })

  test('those who are late read who took it', async () => {
    const id = await animal()
    const taker = await makeUser(market.ctx, { typeId: 5, vetApproved: true, name: 'Valli' })
    await takeAnimal(market.as(taker), id)
    for (const act of [takeAnimal, (ctx: Ctx) => recordVetCheck(ctx, id, soundToday())]) {
      const refused = await act(market.as(vets[0]!), id).catch((error: unknown) => error as Problem)
      expect(problemDetail(refused as Problem, 'en')).toMatch(/“Vet took the animal” \(Valli, \d+-/)
    }
  })

  test('one vet gets it when another vet’s hold has just ended', async () => {
    const id = await animal()
    const before = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    await market.ctx.db.insert(vetHolds).values({ listingId: id, vetId: before.id, heldUntil: market.ctx.now })
    const ends = await Promise.all(vets.map((vet) => endOf(takeAnimal(market.as(vet), id))))
    expect(countOf(ends)).toEqual({ taken: 1, ANIMAL_HELD: VETS - 1 })
  })

  test.each([{ vetApproved: false }, { isActive: false }, { typeId: 1 }])(
    'one vet gets it when its holder is no longer a vet: %j',
    async (change) => {
      const id = await animal()
      const former = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
      await takeAnimal(market.as(former), id)
      await market.ctx.db.update(users).set(change).where(eq(users.id, former.id))
      const ends = await Promise.all(vets.map((vet) => endOf(takeAnimal(market.as(vet), id))))
      expect(countOf(ends)).toEqual({ taken: 1, ANIMAL_HELD: VETS - 1 })
      expect(await market.ctx.db.$count(vetHolds)).toBe(1)
    },
  )

  test('control: check, then write without a lock gives the animal to all vets', async () => {
    expect(await rush(naive(meetingOf(VETS)))).toEqual({ taken: VETS })
  })
})

describe(`${VETS} vets take the same ticked animals at once`, () => {
  /** The number of vets who read that they got each animal. */
  const winners = async (takeTicked: (ctx: Ctx, ids: number[]) => Promise<number[]>) => {
    const ids = [await animal(), await animal(), await animal()]
    const taken = (await Promise.all(vets.map((vet) => takeTicked(market.as(vet), ids)))).flat()
    return ids.map((id) => taken.filter((each) => each === id).length)
  }

  test('each animal has one vet', async () => {
    const takeTicked = async (ctx: Ctx, ids: number[]) =>
      (await takeEach(ctx, ids)).flatMap(({ id, refusal }) => (refusal === null ? [id] : []))
    expect(await winners(takeTicked)).toEqual([1, 1, 1])
    expect(await market.ctx.db.$count(vetHolds)).toBe(3)
  })

  test('control: check, then write without a lock gives an animal to all vets', async () => {
    const take = naive(meetingOf(VETS))
    const naiveTicked = async (ctx: Ctx, ids: number[]) => {
      const taken: number[] = []
      for (const id of ids) if ((await endOf(take(ctx, id))) === 'taken') taken.push(id)
      return taken
    }
    expect(Math.max(...(await winners(naiveTicked)))).toBe(VETS)
  })
})

describe('a vet takes more animals concurrently than one may hold', () => {
  const grab = async (take: Take) => {
    const ids: number[] = []
    for (let n = 0; n < MOST_HELD + 5; n++) ids.push(await animal())
    await Promise.all(ids.map((id) => endOf(take(market.as(vets[0]!), id))))
    return market.ctx.db.$count(vetHolds, eq(vetHolds.vetId, vets[0]!.id))
  }

  test(`and holds ${MOST_HELD}`, async () => {
    expect(await grab(takeAnimal)).toBe(MOST_HELD)
  })

  test('control: count, then write without a lock exceeds the limit', async () => {
    expect(await grab(naive(meetingOf(MOST_HELD + 5)))).toBe(MOST_HELD + 5)
  })
})

describe('a vet takes more animals concurrently than those of a day', () => {
  const MOST_A_DAY = 3
  beforeAll(async () => {
    const admin = await makeUser(market.ctx, { typeId: 9 })
    await setSetting(market.as(admin), 'vetDay', { holds: MOST_HELD, checks: MOST_A_DAY })
    return () => setSetting(market.as(admin), 'vetDay', defaultSettings.vetDay)
  })
  const grab = async (take: Take) => {
    const vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    const ids: number[] = []
    for (let n = 0; n < MOST_A_DAY + 5; n++) ids.push(await animal())
    return countOf(await Promise.all(ids.map((id) => endOf(take(market.as(vet), id)))))
  }

  test(`and sees the places of ${MOST_A_DAY}`, async () => {
    expect(await grab(takeAnimal)).toEqual({ taken: MOST_A_DAY, RATE_LIMITED: 5 })
  })

  test('control: count, then write without a lock exceeds the limit', async () => {
    const allHaveCounted = meetingOf(MOST_A_DAY + 5)
    const naiveDay: Take = async (ctx, listingId) => {
      const taken = and(eq(auditEvents.actorId, ctx.viewer!.id), eq(auditEvents.event, 'animal_taken'))
      if ((await ctx.db.$count(auditEvents, taken)) >= MOST_A_DAY) throw new Problem('RATE_LIMITED')
      await allHaveCounted()
      await audit(ctx, 'animal_taken', `listing:${listingId}`)
      return 'taken'
    }
    expect(await grab(naiveDay)).toEqual({ taken: MOST_A_DAY + 5 })
  })
})

const soundToday = (): CheckInput => ({ approved: true, comments: 'Sound.', checkedOn: indianDay(market.ctx.now) })

describe('two vets check the same animal at once (decisions §8.5)', () => {
  type Write = (ctx: Ctx, id: number, finding: CheckInput) => Promise<void>
  const both = async (write: Write) => {
    const id = await animal()
    const ends = await Promise.all(vets.slice(0, 2).map((vet) => endOf(write(market.as(vet), id, soundToday()))))
    return { ends: ends.sort(), written: await market.ctx.db.$count(vetChecks, eq(vetChecks.listingId, id)) }
  }

  test('one check is recorded, the other vet is refused', async () => {
    for (let round = 0; round < 10; round++) expect(await both(recordVetCheck)).toEqual({ ends: ['ANIMAL_HELD', 'undefined'], written: 1 })
  })

  test('control: look for a check, then write without a lock records both', async () => {
    const looked = [signal(), signal()]
    let arrived = 0
    const naiveWrite: Write = async (ctx, listingId, finding) => {
      if ((await ctx.db.$count(vetChecks, eq(vetChecks.listingId, listingId))) > 0) throw new Problem('ANIMAL_HELD')
      looked[arrived++]!.give()
      await Promise.all(looked.map(({ given }) => given))
      await ctx.db.insert(vetChecks).values({ listingId, vetId: ctx.viewer!.id, ...finding })
    }
    expect((await both(naiveWrite)).written).toBe(2)
  })
})

test('a vet who records checks concurrently records no more than those of a day', async () => {
  const vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  const ids: number[] = []
  for (let n = 0; n < MOST_CHECKED + 5; n++) ids.push(await animal())
  const ends = await Promise.all(ids.map((id) => endOf(recordVetCheck(market.as(vet), id, soundToday()))))
  expect(countOf(ends)).toEqual({ undefined: MOST_CHECKED, RATE_LIMITED: 5 })
})

describe('a vet loses approval while they record a finding', () => {
  type Write = (ctx: Ctx, id: number, finding: CheckInput) => Promise<void>

  /** Counts the vet's findings after the loss of approval, which happens once `first` is done. */
  const writtenLate = async (
    write: Write,
    first: (writing: Promise<unknown>) => Promise<unknown>,
    takenBack = () => {},
  ): Promise<number> => {
    const vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
    const id = await animal()
    const finding = soundToday()
    // The owner's connection does not wait behind the findings for one of the pool.
    const { owner } = market
    const count = () => owner.$count(vetChecks, eq(vetChecks.vetId, vet.id))
    const writing = Promise.all(Array.from({ length: 40 }, () => endOf(write(market.as(vet), id, finding))))
    await first(writing)
    await owner.update(users).set({ vetApproved: false }).where(eq(users.id, vet.id))
    const before = await count()
    takenBack()
    await writing
    return (await count()) - before
  }

  test('no finding follows the loss', async () => {
    expect(await writtenLate(recordVetCheck, (writing) => untilLockWait(market.owner, writing))).toBe(0)
  })

  test('control: with a check only at the start of the request, some findings do', async () => {
    const checked = signal()
    const takenBack = signal()
    const naiveWrite: Write = async (ctx, listingId, finding) => {
      const [vet] = await ctx.db.select().from(users).where(eq(users.id, ctx.viewer!.id))
      if (!vet!.vetApproved) throw new Problem('VET_NOT_APPROVED')
      checked.give()
      await takenBack.given
      await ctx.db
        .insert(vetChecks)
        .values({ listingId, vetId: vet!.id, approved: true, comments: finding.comments, checkedOn: finding.checkedOn })
    }
    expect(await writtenLate(naiveWrite, () => checked.given, takenBack.give)).toBeGreaterThan(0)
  })
})
