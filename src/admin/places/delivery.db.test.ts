import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { pincodes } from '#src/addresses/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { changeDelivery, listDeliveryChanges, listDistricts, listPincodes, readDistrict, type ChosenPlaces } from './delivery.server.ts'

const SALEM = 'tamil-nadu_salem'
const KARUR = 'tamil-nadu_karur'
const ERODE = 'tamil-nadu_erode'

const PASSWORD = 'goats and cows'
let market: TestMarket
let ctx: Ctx

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ctx = market.as(await makeUser(market.ctx, { typeId: 9, name: 'Kavitha', passwordHash: await hashPassword(market.ctx.vault, PASSWORD) }))
})

const chosen = (changes: Partial<ChosenPlaces>): ChosenPlaces => ({ isAll: false, taluks: [], pincodes: [], ...changes })
const stop = (key: string, changes: Partial<ChosenPlaces>, password: string | undefined = PASSWORD) =>
  changeDelivery(ctx, key, { chosen: chosen(changes), isDeliverable: false, reason: 'road', password })
const open = (key: string, changes: Partial<ChosenPlaces>) =>
  changeDelivery(ctx, key, { chosen: chosen(changes), isDeliverable: true, reason: 'reachable', password: PASSWORD })
const closedIn = async (key: string) =>
  (await listPincodes(ctx, await readDistrict(ctx, key))).filter(({ isDeliverable }) => !isDeliverable).map(({ pincode }) => pincode)

test('only admins open the desk of places', async () => {
  const person = market.as(await makeUser(market.ctx))
  const change = { chosen: chosen({ isAll: true }), isDeliverable: false, reason: 'road' } as const
  expect(await refusalOf(changeDelivery(person, SALEM, change))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(listDistricts(person))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(listDeliveryChanges(person, null))).toBe('ROLE_FORBIDDEN')
})

test('every district has a unique key', async () => {
  const keys = (await listDistricts(ctx)).map(({ key }) => key)
  expect(keys.filter((key, n) => keys.indexOf(key) !== n)).toEqual([])
  expect(keys.filter((key) => !/^[\w-]{1,80}$/.test(key))).toEqual([])
})

test('an admin changes single PIN codes, a taluk or a district; only codes that differ are written and counted', async () => {
  const salem = await readDistrict(ctx, SALEM)
  const codes = await listPincodes(ctx, salem)
  expect(salem).toMatchObject({ pincodes: codes.length, deliverable: codes.length })
  const [first, second] = codes.map(({ pincode }) => pincode) as [string, string]
  const { taluk } = codes.at(-1)!
  const ofTaluk = codes.filter((each) => each.taluk === taluk)

  expect(await stop(SALEM, { pincodes: [first] })).toBe(1)
  expect(await stop(SALEM, { pincodes: [first, second] })).toBe(1)
  expect(await stop(SALEM, { taluks: [taluk] })).toBe(ofTaluk.length)
  expect((await closedIn(SALEM)).toSorted()).toEqual([first, second, ...ofTaluk.map(({ pincode }) => pincode)].toSorted())
  expect(await stop(SALEM, { isAll: true })).toBe(codes.length - 2 - ofTaluk.length)
  expect(await readDistrict(ctx, SALEM)).toMatchObject({ deliverable: 0 })
  // No code is left to stop, so there is no statement that would clear the cached pages, and no event.
  market.statements()
  expect(await stop(SALEM, { isAll: true })).toBe(0)
  expect(market.statements().filter((statement) => /^update "pincodes"|audit_events/.test(statement))).toEqual([])
  expect(await open(SALEM, { isAll: true })).toBe(codes.length)
  expect(await closedIn(SALEM)).toEqual([])
})

test('the trail stores who, why and which PIN codes, and the page reads it from there', async () => {
  const { pincode } = (await listPincodes(ctx, await readDistrict(ctx, KARUR)))[0]!
  await stop(KARUR, { pincodes: [pincode] })
  await open(KARUR, { pincodes: [pincode] })
  expect(await listDeliveryChanges(ctx, KARUR)).toMatchObject([
    { key: KARUR, district: 'Karur', isDeliverable: true, reason: 'reachable', count: 1, pincodes: pincode, actorName: 'Kavitha' },
    { key: KARUR, district: 'Karur', isDeliverable: false, reason: 'road', count: 1, pincodes: pincode, actorName: 'Kavitha' },
  ])
  const events = await market.ctx.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.object, `district:${KARUR}`))
    .orderBy(auditEvents.id)
  expect(events.map(({ event }) => event)).toEqual(['delivery_changed', 'delivery_changed'])
  expect((await listDeliveryChanges(ctx, null)).slice(0, 2).map(({ key }) => key)).toEqual([KARUR, KARUR])
})

test('a PIN code of another district stays unchanged; an empty choice and unknown districts are refused', async () => {
  expect(await stop(ERODE, { pincodes: ['641001'] })).toBe(0)
  const [coimbatore] = await market.ctx.db.select().from(pincodes).where(eq(pincodes.pincode, '641001'))
  expect(coimbatore).toMatchObject({ isDeliverable: true })
  expect(await refusalOf(stop(ERODE, {}))).toBe('VALIDATION')
  expect(await refusalOf(stop('tamil-nadu_nowhere', { isAll: true }))).toBe('NOT_FOUND')
})

test('a whole district or taluk needs the admin’s password, single PIN codes do not', async () => {
  const { taluk, pincode } = (await listPincodes(ctx, await readDistrict(ctx, KARUR)))[0]!
  for (const change of [{ isAll: true }, { taluks: [taluk] }]) {
    expect(await refusalOf(stop(KARUR, change, 'not this one'))).toBe('PASSWORD_WRONG')
    expect(await refusalOf(changeDelivery(ctx, KARUR, { chosen: chosen(change), isDeliverable: false, reason: 'road' }))).toBe('VALIDATION')
  }
  expect(await closedIn(KARUR)).toEqual([])
  expect(await changeDelivery(ctx, KARUR, { chosen: chosen({ pincodes: [pincode] }), isDeliverable: false, reason: 'road' })).toBe(1)
  expect(await open(KARUR, { isAll: true })).toBe(1)
})
