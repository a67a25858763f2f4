import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'

import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { MediaAccess } from '#src/market/media-access.server.ts'
import { fetchCode, loadedCode } from '#src/orders/bearers/fetch-code.server.ts'
import { planDelivery, planOf } from '#src/orders/steps/handover.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { listOrderedLines } from '#src/orders/list/ordered-lines.server.ts'
import { exportPerson, forgetPerson } from '#src/orders/privacy/privacy.server.ts'
import { getOrder } from '../queries.server.ts'
import { bearers, orders } from '../tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { usedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { picture } from '#tools/test-kit/test-sale.ts'
import { addBearer, changeBearer, forgetBearer, listBearers, sweepBearers } from './bearers.server.ts'

const PASSWORD = 'a quiet evening'

let market: TestMarket
let admin: Viewer
let media: MediaStore
let folder: string
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, isAdmin: true, passwordHash: await hashPassword(market.ctx.vault, PASSWORD) })
  folder = mkdtempSync(join(tmpdir(), 'sandhai-bearers-'))
  media = await openMediaStore(folder)
})
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})

let last = 0
async function added(facts: { phone?: string; photo?: Buffer } = {}) {
  const phone = facts.phone ?? `+9190000${String(50_000 + ++last)}`
  await addBearer(market.as(admin), media, { name: 'Velu', phone, photo: facts.photo ?? null })
  return (await listBearers(market.as(admin))).find((each) => each.phone === phone)!
}
const rowOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!
const plan = async (orderId: number, listedBearerId: number | null, bearerPhone = '') =>
  planDelivery(market.as(admin), orderId, {
    deliverOn: null,
    deliverWindow: null,
    bearerPhone,
    listedBearerId,
    seen: planOf(await rowOf(orderId)),
  })
const lastPlan = async (orderId: number) => {
  const { bearerId, listedBearerId } = await rowOf(orderId)
  return { bearerId, listedBearerId }
}

test('what the vehicle takes is kept until somebody changes or clears it', async () => {
  const bearer = await added()
  expect(bearer.capacity).toBeNull()
  const change = async (capacity?: number | null) => {
    await changeBearer(market.as(admin), media, bearer.id, {
      name: 'Velu',
      phone: null,
      photo: null,
      isActive: true,
      ...(capacity !== undefined && { capacity }),
    })
    return (await listBearers(market.as(admin))).find(({ id }) => id === bearer.id)!.capacity
  }
  expect(await change(6)).toBe(6)
  // A form of an older page does not send it.
  expect(await change()).toBe(6)
  expect(await change(null)).toBeNull()
})

test('only admins manage the list, and each number appears once', async () => {
  const bearer = await added()
  const seller = await makeUser(market.ctx, { typeId: 2 })
  expect(await refusalOf(listBearers(market.as(seller)))).toBe('ROLE_FORBIDDEN')
  for (const act of [
    addBearer(market.as(seller), media, { name: 'X', phone: '+919000050099', photo: null }),
    changeBearer(market.as(seller), media, bearer.id, { name: 'X', phone: bearer.phone, photo: null, isActive: true }),
    forgetBearer(market.as(seller), media, bearer.id, 'x'),
  ])
    expect(await refusalOf(act)).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(addBearer(market.as(admin), media, { name: 'Another', phone: bearer.phone, photo: null }))).toBe('VALIDATION')
  const other = await added()
  const input = { name: 'Kannan', phone: bearer.phone, photo: null, isActive: true }
  expect(await refusalOf(changeBearer(market.as(admin), media, other.id, input))).toBe('VALIDATION')
  await changeBearer(market.as(admin), media, bearer.id, input)
  expect((await listBearers(market.as(admin))).find(({ id }) => id === bearer.id)?.name).toBe('Kannan')
})

test('an admin chooses a bearer from the list, with or without an account; typing the number finds the same entry', async () => {
  const [stranger, account] = [await added(), await makeUser(market.ctx, { typeId: 4 })]
  const member = await added({ phone: account.phone })
  const { id } = await makeOrder(market.ctx, { admin, status: 4 })
  await plan(id, stranger.id)
  expect(await lastPlan(id)).toEqual({ bearerId: null, listedBearerId: stranger.id })
  await plan(id, member.id)
  expect(await lastPlan(id)).toEqual({ bearerId: account.id, listedBearerId: member.id })
  await plan(id, null)
  expect(await lastPlan(id)).toEqual({ bearerId: null, listedBearerId: null })
  await plan(id, null, stranger.phone.slice(3))
  expect(await lastPlan(id)).toEqual({ bearerId: null, listedBearerId: stranger.id })
  await changeBearer(market.as(admin), media, stranger.id, { ...stranger, photo: null, isActive: false })
  expect(await refusalOf(plan(id, stranger.id))).toBe('VALIDATION')
})

test('a person cannot be the bearer of their own order', async () => {
  const buyer = await makeUser(market.ctx, { typeId: 1 })
  const bearer = await added({ phone: buyer.phone })
  const { id } = await makeOrder(market.ctx, { admin, buyer, status: 4 })
  expect(await refusalOf(plan(id, bearer.id))).toBe('VALIDATION')
})

test('only admins and the parties of an open order can load the photo', async () => {
  const bearer = await added({ photo: await picture(++last) })
  const key = bearer.pictureKey!
  const { id, buyer, seller } = await makeOrder(market.ctx, { admin, status: 5 })
  const access = new MediaAccess(market.ctx.db)
  const mayAll = async () => [await access.isFor(buyer, key), await access.isFor(seller, key)]
  expect(await mayAll()).toEqual([false, false])
  await plan(id, bearer.id)
  expect(await mayAll()).toEqual([true, true])
  expect(await access.isFor(admin, key)).toBe(true)
  expect(await access.isForEverybody(key, null)).toBe(false)
  expect(await access.isFor(await makeUser(market.ctx), key)).toBe(false)
  const seen = await getOrder(market.as(buyer), id)
  expect(seen.listedBearer).toEqual({ id: bearer.id, name: 'Velu', phone: null, pictureKey: key })
  await takeStep(market.as(admin), id, { to: 101 })
  expect(await mayAll()).toEqual([false, false])
  expect((await getOrder(market.as(buyer), id)).listedBearer).toBeNull()
  expect([...(await usedPictureKeys(market.ctx.db, [key]))]).toEqual([key])
})

test('the seller sees the bearer and their fetch code until the animal has left', async () => {
  const [bearer, other] = [await added(), await added()]
  const { id, seller } = await makeOrder(market.ctx, { admin, status: 4 })
  const createdAt = new Date()
  const seen = async () => (await listOrderedLines(market.as(seller), seller.id)).lines.find((line) => line.id === id)!.fetchedBy
  expect(await seen()).toBeNull()
  await plan(id, bearer.id)
  expect(await seen()).toEqual({
    name: 'Velu',
    pictureKey: null,
    code: fetchCode(market.ctx, { id, listedBearerId: bearer.id, createdAt }),
    loaded: loadedCode(market.ctx, { id, listedBearerId: bearer.id, createdAt }),
  })
  expect((await seen())!.code).toMatch(/^\d{3}$/)
  // The replaced bearer has other codes; a single code may be equal by chance.
  const codes = [...Array(20).keys()].map((n) => fetchCode(market.ctx, { id: id + n, listedBearerId: other.id, createdAt }))
  expect(new Set(codes).size).toBeGreaterThan(10)
  await takeStep(market.as(admin), id, { to: 5 })
  expect(await seen()).toBeNull()
})

test("the seller's digits are never the bearer's, who knows their own beforehand", () => {
  const createdAt = market.ctx.now
  for (let id = 1; id <= 20_000; id++) {
    const order = { id, listedBearerId: 1, createdAt }
    expect(loadedCode(market.ctx, order), `order ${id}`).not.toBe(fetchCode(market.ctx, order))
  }
})

test('a new photo replaces the old one, whose file is deleted', async () => {
  const bearer = await added({ photo: await picture(++last) })
  await changeBearer(market.as(admin), media, bearer.id, { ...bearer, photo: await picture(++last), isActive: true })
  const now = (await listBearers(market.as(admin))).find(({ id }) => id === bearer.id)!
  expect(now.pictureKey).not.toBe(bearer.pictureKey)
  const keys: string[] = []
  for await (const key of media.list()) keys.push(key)
  expect(keys).toContain(now.pictureKey)
  expect(keys).not.toContain(bearer.pictureKey)
})

test('an admin with their password deletes a bearer who has nothing left to deliver', async () => {
  const bearer = await added({ photo: await picture(++last) })
  const { id } = await makeOrder(market.ctx, { admin, status: 4 })
  await plan(id, bearer.id)
  const forget = (password: string) => refusalOf(forgetBearer(market.as(admin), media, bearer.id, password))
  expect(await forget('not this one')).toBe('PASSWORD_WRONG')
  expect(await forget(PASSWORD)).toBe('VALIDATION')
  await plan(id, null)
  expect(await forget(PASSWORD)).toBe('taken')
  const [row] = await market.ctx.db.select().from(bearers).where(eq(bearers.id, bearer.id))
  expect(row).toMatchObject({ name: '', phone: '', pictureKey: null, isActive: false })
  expect((await listBearers(market.as(admin))).map((each) => each.id)).not.toContain(bearer.id)
})

test('name, number and photo are deleted half a year after the last work, or with the account of the same number', async () => {
  const [old, recent, busy] = [await added(), await added(), await added()]
  const { id } = await makeOrder(market.ctx, { admin, status: 4 })
  await plan(id, busy.id)
  for (const [bearer, days] of [
    [old, 181],
    [recent, 179],
    [busy, 181],
  ] as const)
    await market.ctx.db
      .update(bearers)
      .set({ isActive: false, changedAt: daysBefore(new Date(), days) })
      .where(eq(bearers.id, bearer.id))
  await sweepBearers(market.ctx.db)
  const left = (await listBearers(market.as(admin))).map((each) => each.id)
  expect([old, recent, busy].map((each) => left.includes(each.id))).toEqual([false, true, true])

  const account = await makeUser(market.ctx, { typeId: 4 })
  const member = await added({ phone: account.phone, photo: await picture(++last) })
  await plan(id, member.id)
  expect(await exportPerson(market.ctx, account.id)).toMatchObject({ listedAsBearer: { name: 'Velu', phone: account.phone } })
  expect(await forgetPerson(market.ctx, account.id)).toContain(member.pictureKey)
  expect(await lastPlan(id)).toEqual({ bearerId: null, listedBearerId: null })
  const [row] = await market.ctx.db.select().from(users).where(eq(users.id, account.id))
  expect(row?.id).toBe(account.id)
})
