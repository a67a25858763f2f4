import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { seenUsers } from '#src/accounts/people/seen-user.server.ts'
import { getLetter, changeLetter, sendLetter, writeLetter } from '#src/content/newsletter/letters.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { testVault } from '#src/kit/testing/test-ctx.ts'
import { daysBefore, indianDayIn } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { milkings } from '#src/listings/proofs/tables.ts'
import { changeBearer, forgetBearer, seenBearer } from '#src/orders/bearers/bearers.server.ts'
import { planDelivery } from '#src/orders/steps/handover.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { saveAnswers, seenOf } from '#src/ready-answers/commands.server.ts'
import { listAnswers } from '#src/ready-answers/queries.server.ts'
import { changeShowcaseItem, removeShowcaseItem } from '#src/storefront/showcase/commands.server.ts'
import { showcaseItems } from '#src/storefront/tables.ts'
import { often } from '#src/testing/often.ts'
import { shareMarket, type TestMarket } from '#src/testing/test-market.ts'
import { decideProof } from '#src/verification/proofs/decide-proof.server.ts'
import { actOnUsers } from './bulk/bulk-users.server.ts'
import { changeDelivery, lastDeliveryChange, listPincodes, readDistrict } from './places/delivery.server.ts'

// Decision 0112 for the desks whose decisions stand in no test of their own. Both admins opened the same page; each decides otherwise.

const PASSWORD = 'a quiet evening'
const ROUNDS = often(6, 40)
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
  /** Makes a fresh object. Returns the two decisions; without `withSeen` they do not say what was seen. */
  open: (withSeen: boolean) => Promise<[Decide, Decide]>
  /** The decision that the refusal names, by the first or the second admin. */
  what: [RegExp, RegExp]
  /** False where the command cannot leave the state out. */
  hasControl?: boolean
}

const letterTexts = { subjectTa: 'பொங்கல்', subjectEn: 'Pongal', bodyTa: 'காளைகள் வந்தன.', bodyEn: 'The bulls are here.' }
const answers = (text: string) => [{ ta: text, en: text }]
const same = (what: RegExp): [RegExp, RegExp] => [what, what]
const SALEM = 'tamil-nadu_salem'

const cases: Record<string, Case> = {
  'a bearer changed and forgotten': {
    open: async (withSeen) => {
      const bearer = await makeBearer(market.ctx, { changedAt: daysBefore(market.ctx.now, 1) })
      const seen = withSeen ? seenBearer(bearer) : undefined
      const { id, name, phone } = bearer
      return [
        (ctx) => changeBearer(ctx, null as never, id, { name: 'Velan', phone, photo: null, isActive: true, ...(seen && { seen }) }),
        (ctx) => changeBearer(ctx, null as never, id, { name, phone, photo: null, isActive: false, ...(seen && { seen }) }),
      ]
    },
    what: same(/Bearer changed/),
    hasControl: true,
  },
  'delivery to a PIN code': {
    open: async (withSeen) => {
      const ctx = market.as(admins[0]!)
      const [one, two] = (await listPincodes(ctx, await readDistrict(ctx, SALEM))).filter(({ isDeliverable }) => isDeliverable)
      const seen = withSeen ? await lastDeliveryChange(ctx, SALEM) : undefined
      const stop = (pincode: string) => (ctx: Ctx) =>
        changeDelivery(ctx, SALEM, {
          chosen: { isAll: false, taluks: [], pincodes: [pincode] },
          isDeliverable: false,
          reason: 'road',
          seen,
        })
      return [stop(one!.pincode), stop(two!.pincode)]
    },
    what: same(/Stopped: 1/),
    hasControl: true,
  },
  'a vet approved in bulk': {
    open: async () => {
      const { id } = await makeUser(market.ctx, { typeId: 5, passwordHash: 'x' })
      const seen = await seenUsers(market.ctx, [id])
      const approve = (registration: string) => async (ctx: Ctx) => {
        const order = { ids: [id], reason: 'checked' as never, password: PASSWORD, registrations: new Map([[id, registration]]), seen }
        const [end] = await actOnUsers(ctx, 'approve-vets', order)
        // A repeat reads that it is so already.
        if (end!.refusal && end!.refusal !== 'Is so already.') throw new Problem('VERSION', { sentence: () => end!.refusal! })
      }
      return [approve('TNVC 1'), approve('TNVC 2')]
    },
    what: same(/Vet approval changed/),
  },
  'a letter changed and sent': {
    open: async () => {
      const ctx = market.as(admins[0]!)
      const id = await writeLetter(ctx, letterTexts)
      const { version } = await getLetter(ctx, id)
      return [
        (ctx) => changeLetter(ctx, { id, version }, { ...letterTexts, subjectEn: 'Harvest' }),
        (ctx) => sendLetter(ctx, { id, version }, { password: PASSWORD, secret: 's'.repeat(32) }),
      ]
    },
    what: [/Draft changed/, /Newsletter sent/],
  },
  'an item of the front': {
    open: async () => {
      const words = { titleTa: 'அ', titleEn: 'A', textTa: 'ஆ', textEn: 'B', placeTa: 'இ', placeEn: 'C' }
      const facts = { kind: 'voice' as const, ...words, position: 1, isShown: true }
      const [item] = await market.ctx.db
        .insert(showcaseItems)
        .values({ ...facts, changedById: admins[0]!.id, changedAt: market.ctx.now })
        .returning()
      const { id, version } = item!
      const change = (titleEn: string) => (ctx: Ctx) =>
        changeShowcaseItem(ctx, { id, version }, { ...facts, path: null, weekday: null, fromDay: null, toDay: null, titleEn })
      return [change('One'), change('Two')]
    },
    what: same(/Market front changed/),
  },
  'the ready answers of a desk': {
    open: async () => {
      const seen = seenOf(await listAnswers(market.as(admins[0]!), 'tickets'))
      return [
        (ctx) => saveAnswers(ctx, 'tickets', answers(`One ${seen}`), seen),
        (ctx) => saveAnswers(ctx, 'tickets', answers(`Two ${seen}`), seen),
      ]
    },
    what: same(/Ready answers changed/),
  },
  'the plan of a delivery': {
    open: async () => {
      const { id } = await makeOrder(market.ctx, { status: 2, admin: admins[0]! })
      const plan = (days: number) => (ctx: Ctx) =>
        planDelivery(ctx, id, {
          deliverOn: indianDayIn(ctx.now, days),
          deliverWindow: 'morning',
          bearerPhone: '',
          seen: '  ',
        })
      return [plan(3), plan(4)]
    },
    what: same(/Delivery planned: \S+, morning/),
  },
  'a clip of a milking': {
    open: async () => {
      const { id: sellerId } = await makeUser(market.ctx, { typeId: 2 })
      const listingId = await makeListing(market.ctx, { sellerId })
      const key = `clip-${listingId}`
      const clip = { mediaKey: key, format: 'mp4' as const, bytes: 1, millis: 1000, width: 10, height: 10 }
      const day = indianDayIn(market.ctx.now, 0)
      await market.ctx.db.insert(milkings).values({ ...clip, listingId, addedById: sellerId, milkedOn: day, time: 'morning', litres: 8 })
      return [(ctx) => decideProof(ctx, key, { act: 'seen', revision: 1 }), (ctx) => decideProof(ctx, key, { act: 'refuse', revision: 1 })]
    },
    what: [/It shows this/, /It does not/],
  },
}

async function decideAtOnce({ open }: Case, withSeen: boolean) {
  const decisions = await open(withSeen)
  const decided = decisions.map((decide, who) =>
    decide(market.as(admins[who]!)).then(
      () => null,
      (error: unknown) => error as Problem,
    ),
  )
  return { decisions, refusals: await Promise.all(decided) }
}

test.each(Object.entries(cases))('%s: of two decisions on the same page the first counts', async (_, one) => {
  for (let n = 0; n < ROUNDS; n++) {
    const { decisions, refusals } = await decideAtOnce(one, true)
    const winner = refusals.indexOf(null)
    const refused = refusals[1 - winner]
    expect([refusals.filter((each) => each === null).length, refused?.code]).toEqual([1, 'VERSION'])
    const text = problemDetail(refused as Problem, 'en')
    expect(text).toMatch(one.what[winner]!)
    expect(text).toMatch(new RegExp(`\\(${NAMES[winner]}, \\d+-\\w+-\\d{4}, \\d\\d:\\d\\d\\)`))
    // A form that arrives twice succeeds for the same person.
    if (n === 0) await decisions[winner]!(market.as(admins[winner]!))
  }
})

test.each(Object.entries(cases).filter(([, { hasControl }]) => hasControl))(
  'control: %s: without the state that was seen both decisions are taken',
  async (_, one) => {
    expect((await decideAtOnce(one, false)).refusals).toEqual([null, null])
  },
)

test('a bearer changed meanwhile is not forgotten from an older page', async () => {
  const bearer = await makeBearer(market.ctx, { changedAt: daysBefore(market.ctx.now, 1) })
  const { id, phone } = bearer
  await changeBearer(market.as(admins[0]!), null as never, id, { name: 'Velan', phone, photo: null, isActive: true })
  const forget = forgetBearer(market.as(admins[1]!), null as never, id, PASSWORD, seenBearer(bearer))
  await expect(forget).rejects.toMatchObject({ code: 'VERSION' })
})

test('an item of the front that was changed meanwhile is not removed from an older page', async () => {
  const [change] = await cases['an item of the front']!.open(true)
  await change(market.as(admins[0]!))
  const { id, version } = (await market.ctx.db.select().from(showcaseItems)).at(-1)!
  await expect(removeShowcaseItem(market.as(admins[1]!), { id, version: version - 1 })).rejects.toMatchObject({ code: 'VERSION' })
})

test('an item of the front and a bearer that are gone already: the same admin may send it again, and another one is refused', async () => {
  const [change] = await cases['an item of the front']!.open(true)
  await change(market.as(admins[0]!))
  const { id, version } = (await market.ctx.db.select().from(showcaseItems)).at(-1)!
  const remove = (who: number) => removeShowcaseItem(market.as(admins[who]!), { id, version })
  await remove(0)
  await remove(0)
  for (const act of [remove, (who: number) => change(market.as(admins[who]!))]) {
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
