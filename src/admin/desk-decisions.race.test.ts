import { setTimeout as sleep } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { seenUsers } from '#src/accounts/people/seen-user.server.ts'
import { getLetter, changeLetter, sendLetter, writeLetter } from '#src/content/newsletter/letters.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'
import { auditEvents, settingCallBacks } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { daysBefore, indianDayIn } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { milkings } from '#src/listings/proofs/tables.ts'
import { changeBearer, forgetBearer, seenBearer } from '#src/orders/bearers/bearers.server.ts'
import { planDelivery } from '#src/orders/steps/handover.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { bearers, orders } from '#src/orders/tables.ts'
import { saveAnswers, seenOf } from '#src/ready-answers/commands.server.ts'
import { listAnswers } from '#src/ready-answers/queries.server.ts'
import { changeShowcaseItem, removeShowcaseItem } from '#src/storefront/showcase/commands.server.ts'
import { showcaseItems } from '#src/storefront/tables.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { decideProof } from '#src/verification/proofs/decide-proof.server.ts'
import { type BulkAct, reasonsOf } from './bulk/bulk-acts.ts'
import { actOnUsers } from './bulk/bulk-users.server.ts'
import { changeDelivery, lastDeliveryChange, listPincodes, readDistrict } from './places/delivery.server.ts'
import { callSettingBack, listPlanned, planSetting } from './settings.server.ts'

// Decision 0112 for the desks whose decisions stand in no test of their own. Both admins opened the same page; each decides otherwise.

const PASSWORD = 'a quiet evening'
const ROUNDS = often(4, 40)
const PEOPLE = often(4, 40)
const NAMES = ['Meena', 'Kumar']

let market: TestMarket
let admins: Viewer[]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const passwordHash = await hashPassword(testVault, PASSWORD)
  admins = await Promise.all(NAMES.map((name) => makeUser(market.ctx, { typeId: 9, superAdmin: true, name, passwordHash })))
})

type Decide = (ctx: Ctx) => Promise<unknown>
interface Case {
  /** Makes a fresh object. Returns the two decisions about it, how to read it, and how it ends if the first or the second counts. */
  open: () => Promise<{ decisions: [Decide, Decide]; read: () => Promise<unknown>; ends: [unknown, unknown] }>
  /** The decision that the refusal names, by the first or the second admin. */
  what: [RegExp, RegExp]
  /** The table that a decision changes first. */
  table: string
  /** A constraint that refuses the second decision. */
  constraint?: string
}

const letterTexts = { subjectTa: 'பொங்கல்', subjectEn: 'Pongal', bodyTa: 'காளைகள் வந்தன.', bodyEn: 'The bulls are here.' }
const answers = (text: string) => [{ ta: text, en: text }]
const same = (what: RegExp): [RegExp, RegExp] => [what, what]
const SALEM = 'tamil-nadu_salem'
const isTaken = (refusal: Problem | null) => refusal === null
const firstOf = async <T>(rows: PromiseLike<T[]>): Promise<T> => (await rows)[0]!

/** The money setting without a planned change. */
async function withoutPlan() {
  const ctx = market.as(admins[0]!)
  for (const { id } of await listPlanned(ctx)) await callSettingBack(ctx, id)
  const seen = JSON.stringify((await readSettings(ctx)).profitMarginPercent)
  return (value: number) => (ctx: Ctx) =>
    planSetting(ctx, 'profitMarginPercent', value, { seen, day: indianDayIn(ctx.now, 1), reason: 'Agreed', password: PASSWORD })
}

async function openItem() {
  const words = { titleTa: 'அ', titleEn: 'A', textTa: 'ஆ', textEn: 'B', placeTa: 'இ', placeEn: 'C' }
  const facts = { kind: 'voice' as const, ...words, position: 1, isShown: true }
  const [item] = await market.ctx.db
    .insert(showcaseItems)
    .values({ ...facts, changedById: admins[0]!.id, changedAt: market.ctx.now })
    .returning()
  const { id, version } = item!
  const change =
    (titleEn: string): Decide =>
    (ctx) =>
      changeShowcaseItem(ctx, { id, version }, { ...facts, path: null, weekday: null, fromDay: null, toDay: null, titleEn })
  const remove: Decide = (ctx) => removeShowcaseItem(ctx, { id, version })
  const { titleEn, changedById } = showcaseItems
  const read = () => firstOf(market.ctx.db.select({ titleEn, changedById }).from(showcaseItems).where(eq(showcaseItems.id, id)))
  return { change, remove, read, endOf: (who: number, titleEn: string) => ({ titleEn, changedById: admins[who]!.id }) }
}

/** One act on a person by two admins. A person who is already as the act leaves them was decided by the same admin. */
async function openBulk(act: BulkAct, typeId: number) {
  const { id } = await makeUser(market.ctx, { typeId, passwordHash: 'x' })
  const seen = await seenUsers(market.ctx, [id])
  const decide = (registration: string) => async (ctx: Ctx) => {
    const reason = reasonsOf[act][0]!
    const order = { ids: [id], reason, password: PASSWORD, registrations: new Map([[id, registration]]), seen }
    const [end] = await actOnUsers(ctx, act, order)
    if (end!.refusal && end!.refusal !== 'Is so already.') throw new Problem('VERSION', { sentence: () => end!.refusal! })
  }
  const read = async () => {
    const { isActive, vetRegistration } = await firstOf(market.ctx.db.select().from(users).where(eq(users.id, id)))
    const decisions = await market.ctx.db
      .select({ by: auditEvents.actorId })
      .from(auditEvents)
      .where(eq(auditEvents.object, `user:${id}`))
    return [isActive, vetRegistration, ...decisions.map(({ by }) => by)]
  }
  return { decisions: [decide('TNVC 1'), decide('TNVC 2')] as [Decide, Decide], read }
}

async function openProof(insert: (listingId: number, sellerId: number) => Promise<string>) {
  const { id: sellerId } = await makeUser(market.ctx, { typeId: 2 })
  const key = await insert(await makeListing(market.ctx, { sellerId }), sellerId)
  const decide =
    (act: 'seen' | 'refuse'): Decide =>
    (ctx) =>
      decideProof(ctx, key, { act, revision: 1 })
  const { isRefused, seenRevision } = milkings
  const read = () => firstOf(market.ctx.db.select({ isRefused, seenRevision }).from(milkings).where(eq(milkings.mediaKey, key)))
  const ends: [unknown, unknown] = [
    { isRefused: false, seenRevision: 1 },
    { isRefused: true, seenRevision: null },
  ]
  return { decisions: [decide('seen'), decide('refuse')] as [Decide, Decide], read, ends }
}

const cases: Record<string, Case> = {
  'the plan of a setting': {
    open: async () => {
      const plan = await withoutPlan()
      const read = async () => (await listPlanned(market.ctx)).map(({ value, by }) => [value, by])
      return { decisions: [plan(6), plan(7)], read, ends: [[[6, 'Meena']], [[7, 'Kumar']]] }
    },
    what: [/Sale commission: 6%. From/, /Sale commission: 7%. From/],
    table: 'settings',
  },
  'the call-back of a planned setting': {
    open: async () => {
      const plan = await withoutPlan()
      await plan(8)(market.as(admins[0]!))
      const id = (await listPlanned(market.ctx))[0]!.id
      const callBack: Decide = (ctx) => callSettingBack(ctx, id)
      const { settingId, byId } = settingCallBacks
      const read = () => market.ctx.db.select({ byId }).from(settingCallBacks).where(eq(settingId, id))
      const [one, two] = admins.map((admin) => [{ byId: admin.id }])
      return { decisions: [callBack, callBack], read, ends: [one, two] }
    },
    what: same(/Called back/),
    table: 'setting_call_backs',
    constraint: 'setting_call_backs_pkey',
  },
  'a bearer changed and deactivated': {
    open: async () => {
      const bearer = await makeBearer(market.ctx, { changedAt: daysBefore(market.ctx.now, 1) })
      const { id, name, phone } = bearer
      const change =
        (to: { name: string; isActive: boolean }): Decide =>
        (ctx) =>
          changeBearer(ctx, null as never, id, { phone, photo: null, seen: seenBearer(bearer), ...to })
      const ends = [
        { name: 'Velan', isActive: true },
        { name, isActive: false },
      ] as const
      const shown = { name: bearers.name, isActive: bearers.isActive }
      const read = () => firstOf(market.ctx.db.select(shown).from(bearers).where(eq(bearers.id, id)))
      return { decisions: [change(ends[0]), change(ends[1])], read, ends: [...ends] }
    },
    what: same(/Bearer changed/),
    table: 'bearers',
  },
  'a bearer changed and removed for good': {
    open: async () => {
      const bearer = await makeBearer(market.ctx, { changedAt: daysBefore(market.ctx.now, 1) })
      const { id, phone } = bearer
      const input = { name: 'Velan', phone, photo: null, isActive: true, seen: seenBearer(bearer) }
      const change: Decide = (ctx) => changeBearer(ctx, null as never, id, input)
      const forget: Decide = (ctx) => forgetBearer(ctx, null as never, id, PASSWORD, seenBearer(bearer))
      const read = () => firstOf(market.ctx.db.select({ name: bearers.name }).from(bearers).where(eq(bearers.id, id)))
      return { decisions: [change, forget], read, ends: [{ name: 'Velan' }, { name: '' }] }
    },
    what: [/Bearer changed/, /Bearer removed for good/],
    table: 'bearers',
  },
  'delivery to a PIN code': {
    open: async () => {
      const ctx = market.as(admins[0]!)
      const list = async () => listPincodes(ctx, await readDistrict(ctx, SALEM))
      const [one, two] = (await list()).filter(({ isDeliverable }) => isDeliverable).map(({ pincode }) => pincode)
      const seen = await lastDeliveryChange(ctx, SALEM)
      const chosen = (pincode: string) => ({ isAll: false, taluks: [], pincodes: [pincode] })
      const stop =
        (pincode: string): Decide =>
        (ctx) =>
          changeDelivery(ctx, SALEM, { chosen: chosen(pincode), isDeliverable: false, reason: 'road', seen })
      const read = async () =>
        (await list()).filter(({ pincode, isDeliverable }) => !isDeliverable && [one, two].includes(pincode)).map(({ pincode }) => pincode)
      return { decisions: [stop(one!), stop(two!)], read, ends: [[one], [two]] }
    },
    what: same(/Stopped: 1/),
    table: 'pincodes',
  },
  'a vet approved in bulk': {
    open: async () => {
      const [one, two] = admins.map(({ id }) => id)
      return {
        ...(await openBulk('approve-vets', 5)),
        ends: [
          [true, 'TNVC 1', one],
          [true, 'TNVC 2', two],
        ],
      }
    },
    what: same(/Vet approval changed/),
    table: 'users',
  },
  'a person deactivated in bulk': {
    open: async () => {
      const [one, two] = admins.map(({ id }) => id)
      return {
        ...(await openBulk('deactivate', 2)),
        ends: [
          [false, null, one],
          [false, null, two],
        ],
      }
    },
    what: same(/Deactivated/),
    table: 'users',
  },
  'a letter changed and sent': {
    open: async () => {
      const ctx = market.as(admins[0]!)
      const id = await writeLetter(ctx, letterTexts)
      const { version } = await getLetter(ctx, id)
      const read = async () => {
        const { subjectEn, sentById } = await getLetter(ctx, id)
        return [subjectEn, sentById]
      }
      return {
        decisions: [
          (ctx) => changeLetter(ctx, { id, version }, { ...letterTexts, subjectEn: 'Harvest' }),
          (ctx) => sendLetter(ctx, { id, version }, { password: PASSWORD, secret: 's'.repeat(32) }),
        ],
        read,
        ends: [
          ['Harvest', null],
          ['Pongal', admins[1]!.id],
        ],
      }
    },
    what: [/Draft changed/, /Newsletter sent/],
    table: 'newsletter_letters',
  },
  'an item of the front': {
    open: async () => {
      const { change, read, endOf } = await openItem()
      return { decisions: [change('One'), change('Two')], read, ends: [endOf(0, 'One'), endOf(1, 'Two')] }
    },
    what: same(/Market front changed/),
    table: 'showcase_items',
  },
  'an item of the front changed and removed': {
    open: async () => {
      const { change, remove, read, endOf } = await openItem()
      return { decisions: [change('One'), remove], read, ends: [endOf(0, 'One'), undefined] }
    },
    what: [/Market front changed/, /Removed/],
    table: 'showcase_items',
  },
  'the ready answers of a desk': {
    open: async () => {
      const list = () => listAnswers(market.as(admins[0]!), 'tickets')
      const seen = seenOf(await list())
      const texts = [`One ${seen}`, `Two ${seen}`]
      const save =
        (text: string): Decide =>
        (ctx) =>
          saveAnswers(ctx, 'tickets', answers(text), seen)
      const read = async () => (await list()).map(({ en }) => en)
      return { decisions: [save(texts[0]!), save(texts[1]!)], read, ends: [[texts[0]], [texts[1]]] }
    },
    what: same(/Ready answers changed/),
    table: 'ready_answers',
  },
  'the plan of a delivery': {
    open: async () => {
      const { id } = await makeOrder(market.ctx, { status: 2, admin: admins[0]! })
      const days = [3, 4].map((ahead) => indianDayIn(market.ctx.now, ahead))
      const plan =
        (deliverOn: string): Decide =>
        (ctx) =>
          planDelivery(ctx, id, { deliverOn, deliverWindow: 'morning', bearerPhone: '', seen: '  ' })
      const read = async () => (await firstOf(market.ctx.db.select().from(orders).where(eq(orders.id, id)))).deliverOn
      return { decisions: [plan(days[0]!), plan(days[1]!)], read, ends: [days[0], days[1]] }
    },
    what: same(/Delivery planned: \S+, morning/),
    table: 'orders',
  },
  'a clip of a milking': {
    open: () =>
      openProof(async (listingId, addedById) => {
        const mediaKey = `clip-${listingId}`
        const clip = { mediaKey, format: 'mp4' as const, bytes: 1, millis: 1000, width: 10, height: 10 }
        const milkedOn = indianDayIn(market.ctx.now, 0)
        await market.ctx.db.insert(milkings).values({ ...clip, listingId, addedById, milkedOn, time: 'morning', litres: 8 })
        return mediaKey
      }),
    what: [/It shows this/, /It does not/],
    table: 'milkings',
  },
}

const LOCK = / for (?:no key update|update|key share|share)$|pg_advisory_xact_lock(?=\()/

/**
 * The market's database for one of two admins. Each waits for the other one in a transaction, before the first statement that is `meetsAt`.
 * `isLockless` takes all locks out of the statements.
 */
function meetingDb({ meetsAt, meet, isLockless }: { meetsAt: RegExp; meet: () => Promise<void>; isLockless: boolean }): Db {
  const pool = (market.database.db as unknown as { $client: pg.Pool }).$client
  let met: Promise<void> | undefined
  const ofClient =
    (client: pg.PoolClient) =>
    (statement: { text: string }, ...values: unknown[]) => {
      if (meetsAt.test(statement.text)) met ??= meet()
      const sent = isLockless ? { ...statement, text: statement.text.replace(LOCK, '') } : statement
      const send = () => client.query(sent as never, ...(values as never[]))
      return met ? met.then(send) : send()
    }
  const withMethod = <T extends object>(target: T, name: string, method: unknown): T =>
    new Proxy(target, {
      get: (_, key) => {
        const value: unknown = key === name ? method : Reflect.get(target, key)
        return typeof value === 'function' && key !== name ? value.bind(target) : value
      },
    })
  const connect = async () => {
    const client = await pool.connect()
    return withMethod(client, 'query', ofClient(client))
  }
  return drizzle(withMethod(pool, 'connect', connect)) as unknown as Db
}

/** Both decide at once. With locks they meet before their first lock, and without before their first change, when both have compared. */
async function decideAtOnce({ open, table }: Case, { isLockless = false, later = 0 }: { isLockless?: boolean; later?: number }) {
  const opened = await open()
  const meet = meetingOf(2)
  const meetsAt = isLockless ? new RegExp(`^(?:insert into|update|delete from) "${table}"`) : LOCK
  const decided = opened.decisions.map(async (decide, who) => {
    const meetInTurn = async () => {
      await meet()
      if (who === later) await sleep(1)
    }
    const ctx = market.as(admins[who]!, { db: meetingDb({ meetsAt, meet: meetInTurn, isLockless }) })
    const refusal = await decide(ctx).then(
      () => null,
      (error: unknown) => error as Problem,
    )
    // A decision that ends before the meeting must not hold up the other one.
    void meet()
    return refusal
  })
  return { ...opened, refusals: await Promise.all(decided) }
}

test.each(Object.entries(cases))('%s: of two decisions on the same page the first counts', async (_, one) => {
  for (let n = 0; n < ROUNDS; n++) {
    const { decisions, refusals, read, ends } = await decideAtOnce(one, { later: n % 2 })
    const winner = refusals.indexOf(null)
    const refused = refusals[1 - winner]
    expect([refusals.filter(isTaken).length, refused?.code]).toEqual([1, 'VERSION'])
    const text = problemDetail(refused as Problem, 'en')
    expect(text).toMatch(one.what[winner]!)
    expect(text).toMatch(new RegExp(`\\(${NAMES[winner]}, \\d+-\\w+-\\d{4}, \\d\\d:\\d\\d\\)`))
    expect(await read()).toEqual(ends[winner])
    // A form that arrives twice succeeds for the same person.
    if (n === 0) await decisions[winner]!(market.as(admins[winner]!))
  }
})

test.each(Object.entries(cases))('control: %s: without the guard both decisions are taken', async (_, one) => {
  // The file has its own database, and no later test relies on the constraint.
  if (one.constraint) await market.owner.execute(sql.raw(`alter table ${one.table} drop constraint if exists ${one.constraint}`))
  expect((await decideAtOnce(one, { isLockless: true })).refusals).toEqual([null, null])
})

test('two admins deactivate the same people in opposite sequence: each person is decided once', async () => {
  const ids: number[] = []
  for (let n = 0; n < PEOPLE; n++) ids.push((await makeUser(market.ctx, { typeId: 2 })).id)
  const seen = await seenUsers(market.ctx, ids)
  const order = { reason: 'spam' as const, password: PASSWORD, registrations: new Map(), seen }
  const ends = await Promise.all(
    [ids, ids.toReversed()].map((ids, who) => actOnUsers(market.as(admins[who]!), 'deactivate', { ...order, ids })),
  )
  for (const id of ids) {
    const refusals = ends.map((own) => own.find((end) => end.id === id)!.refusal)
    const winner = refusals.indexOf(null)
    expect(refusals[winner]).toBe(null)
    expect(refusals[1 - winner]).toContain(`“Deactivated” (${NAMES[winner]}, `)
  }
})

test('a bearer changed meanwhile is not forgotten from an older page', async () => {
  const bearer = await makeBearer(market.ctx, { changedAt: daysBefore(market.ctx.now, 1) })
  const { id, phone } = bearer
  await changeBearer(market.as(admins[0]!), null as never, id, { name: 'Velan', phone, photo: null, isActive: true })
  const forget = forgetBearer(market.as(admins[1]!), null as never, id, PASSWORD, seenBearer(bearer))
  await expect(forget).rejects.toMatchObject({ code: 'VERSION' })
})

test('an item of the front that was changed meanwhile is not removed from an older page', async () => {
  const { change } = await openItem()
  await change('One')(market.as(admins[0]!))
  const { id, version } = (await market.ctx.db.select().from(showcaseItems)).at(-1)!
  await expect(removeShowcaseItem(market.as(admins[1]!), { id, version: version - 1 })).rejects.toMatchObject({ code: 'VERSION' })
})

test('an item of the front and a bearer that are gone already: the same admin may send it again, and another one is refused', async () => {
  const { change } = await openItem()
  await change('One')(market.as(admins[0]!))
  const { id, version } = (await market.ctx.db.select().from(showcaseItems)).at(-1)!
  const remove = (who: number) => removeShowcaseItem(market.as(admins[who]!), { id, version })
  await remove(0)
  await remove(0)
  for (const act of [remove, (who: number) => change('One')(market.as(admins[who]!))]) {
    const refused = await act(1).catch((error: unknown) => error as Problem)
    expect(problemDetail(refused as Problem, 'en')).toMatch(/“Removed” \(Meena, /)
  }

  const bearer = await makeBearer(market.ctx)
  const forget = (who: number) => forgetBearer(market.as(admins[who]!), null as never, bearer.id, PASSWORD, seenBearer(bearer))
  await forget(0)
  await forget(0)
  const input = { name: 'Velan', phone: bearer.phone, photo: null, isActive: true }
  const rename = () => changeBearer(market.as(admins[1]!), null as never, bearer.id, input)
  for (const act of [() => forget(1), rename]) {
    const refused = await act().catch((error: unknown) => error as Problem)
    expect(problemDetail(refused as Problem, 'en')).toMatch(/“Bearer removed for good” \(Meena, /)
  }
})

test('a clip that arrives twice succeeds, although another one of the same animal was decided in between', async () => {
  const { id: sellerId } = await makeUser(market.ctx, { typeId: 2 })
  const listingId = await makeListing(market.ctx, { sellerId })
  const keys = [1, 2].map((n) => `clip-${listingId}-${n}`)
  for (const [n, mediaKey] of keys.entries()) {
    const clip = { mediaKey, format: 'mp4' as const, bytes: 1, millis: 1000, width: 10, height: 10 }
    const milkedOn = indianDayIn(market.ctx.now, -n)
    await market.ctx.db.insert(milkings).values({ ...clip, listingId, addedById: sellerId, milkedOn, time: 'morning', litres: 8 })
  }
  const decide = (who: number, n: number) => decideProof(market.as(admins[who]!), keys[n]!, { act: 'seen', revision: 1 })
  await decide(0, 0)
  await decide(1, 1)
  await decide(0, 0)
  const refused = (await decide(1, 0).catch((error: unknown) => error)) as Problem
  expect(problemDetail(refused, 'en')).toMatch(/\(Meena, /)
})
