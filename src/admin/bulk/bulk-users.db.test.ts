import { eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { decideActive } from '#src/accounts/people/users.server.ts'
import { findSession } from '#src/accounts/sessions.server.ts'
import { sessions, users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { actOnUsers, undoDeactivations, whomItConcerns } from './bulk-users.server.ts'

const PASSWORD = 'goats and cows'
let market: TestMarket
let ctx: Ctx
let adminId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const passwordHash = await hashPassword(market.ctx.vault, PASSWORD)
  const admin = await makeUser(market.ctx, { typeId: 9, name: 'Kavitha', passwordHash })
  adminId = admin.id
  ctx = market.as(admin)
})

const order = { reason: 'spam', password: PASSWORD, registrations: new Map<number, string>() } as const
const rowOf = async (id: number) => (await market.ctx.db.select().from(users).where(eq(users.id, id)))[0]!
const trailOf = async (ids: number[]) =>
  (
    await market.ctx.db
      .select()
      .from(auditEvents)
      .where(
        inArray(
          auditEvents.object,
          ids.map((id) => `user:${id}`),
        ),
      )
      .orderBy(auditEvents.id)
  ).map(({ event, object, details }) => [event, object, details])

test('one act deactivates several people and records the reason for each; another act activates them again', async () => {
  const people = [await makeUser(market.ctx), await makeUser(market.ctx, { typeId: 2 })]
  const ids = people.map(({ id }) => id)
  const token = await makeSession(market.ctx, ids[0]!)
  expect((await actOnUsers(ctx, 'deactivate', { ...order, ids })).map(({ refusal }) => refusal)).toEqual([null, null])
  for (const id of ids) expect((await rowOf(id)).isActive).toBe(false)
  expect(await findSession(market.ctx.db, token)).toBeNull()
  expect(await trailOf(ids)).toEqual(ids.map((id) => ['user_deactivated', `user:${id}`, { reason: 'spam', held: '' }]))
  await actOnUsers(ctx, 'activate', { ...order, reason: 'mistake', ids })
  for (const id of ids) expect((await rowOf(id)).isActive).toBe(true)
  expect(await market.ctx.db.$count(sessions, inArray(sessions.userId, ids))).toBe(0)
})

test('an undo of which a part fails says who it is and why', async () => {
  const [selvi, ravi] = [await makeUser(market.ctx, { name: 'Selvi' }), await makeUser(market.ctx, { name: 'Ravi' })]
  const ids = [selvi.id, ravi.id]
  await actOnUsers(ctx, 'deactivate', { ...order, ids })
  const other = market.as(await makeUser(market.ctx, { typeId: 9, name: 'Kumar' }))
  await decideActive(other, ravi.id, { isActive: true })
  const ends = await undoDeactivations(ctx, ids)
  expect(ends).toMatchObject([
    { name: 'Selvi', refusal: null },
    { name: 'Ravi', refusal: expect.stringMatching(/Kumar/) },
  ])
  for (const id of ids) expect((await rowOf(id)).isActive).toBe(true)
})

test('the preview names who can be acted on and who cannot; the act skips the latter and does the others', async () => {
  const { id: able } = await makeUser(market.ctx)
  const { id: out } = await makeUser(market.ctx, { isActive: false })
  const { id: other } = await makeUser(market.ctx, { typeId: 9 })
  const { id: erased } = await makeUser(market.ctx, { erasedAt: new Date() })
  const ids = [adminId, able, out, other, erased]
  const preview = async () => (await whomItConcerns(ctx, 'deactivate', ids)).map(({ user, obstacle }) => [user.id, obstacle === null])
  expect(await preview()).toEqual([
    [adminId, false],
    [able, true],
    [out, false],
    [other, false],
  ])
  expect((await rowOf(able)).isActive).toBe(true)
  const ends = await actOnUsers(ctx, 'deactivate', { ...order, ids })
  expect(ends.filter(({ refusal }) => refusal === null).map(({ id }) => id)).toEqual([able])
  for (const id of [adminId, other]) expect((await rowOf(id)).isActive).toBe(true)
})

test('the act approves each vet with their own number; it refuses people who are no vets or have no number', async () => {
  const [meena, ravi, buyer] = [
    await makeUser(market.ctx, { typeId: 5, name: 'Meena' }),
    await makeUser(market.ctx, { typeId: 5, name: 'Ravi' }),
    await makeUser(market.ctx),
  ]
  const registrations = new Map([
    [meena.id, 'TNVC 1'],
    [buyer.id, 'TNVC 3'],
  ])
  const ends = await actOnUsers(ctx, 'approve-vets', {
    ...order,
    reason: 'register',
    registrations,
    ids: [meena.id, ravi.id, buyer.id],
  })
  expect(ends.map(({ refusal }) => refusal === null)).toEqual([true, false, false])
  expect(await rowOf(meena.id)).toMatchObject({ vetApproved: true, vetRegistration: 'TNVC 1' })
  expect((await rowOf(ravi.id)).vetApproved).toBe(false)
  expect(await trailOf([meena.id])).toEqual([['vet_approval_changed', `user:${meena.id}`, { isApproved: true, reason: 'register' }]])
})

test('an act needs an admin, and that admin’s own password', async () => {
  const { id } = await makeUser(market.ctx)
  expect(await refusalOf(actOnUsers(ctx, 'deactivate', { ...order, ids: [id], password: 'not this one' }))).toBe('PASSWORD_WRONG')
  const person = market.as(await makeUser(market.ctx))
  expect(await refusalOf(actOnUsers(person, 'deactivate', { ...order, ids: [id] }))).toBe('ROLE_FORBIDDEN')
  expect(await refusalOf(whomItConcerns(person, 'deactivate', [id]))).toBe('ROLE_FORBIDDEN')
  expect((await rowOf(id)).isActive).toBe(true)
})
