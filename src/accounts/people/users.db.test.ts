import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { makeSession, makeUser } from '../makers.server.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { MESSAGE_DELAY_SECONDS } from '#src/kit/undo-seconds.ts'
import { seenUser } from './seen-user.server.ts'
import { findSession } from '../sessions.server.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { action as userAction } from '#src/admin/user-page.tsx'
import { users } from '../tables.ts'
import {
  approveVet,
  decideTypeRequest,
  listUsers,
  makeFirstAdmin,
  setActive,
  setBadge,
  setPowers,
  undoDecision,
  USERS_PER_PAGE,
  type UserChoices,
} from './users.server.ts'

const PASSWORD = 'a quiet evening'
let market: TestMarket
let ctx: Ctx
let admin: Viewer
let boss: Viewer

shareMarket((opened) => (market = opened))
beforeAll(async () => {
  ctx = market.ctx
  const passwordHash = await hashPassword(testVault, PASSWORD)
  admin = await makeUser(ctx, { typeId: 9, name: 'Office', passwordHash })
  boss = await makeUser(ctx, { typeId: 9, name: 'Boss', superAdmin: true, passwordHash })
})

const by = (viewer: Viewer | null) => market.as(viewer)
const row = async (id: number) => (await ctx.db.select().from(users).where(eq(users.id, id)))[0]!
const eventsOf = async (id: number) =>
  ctx.db
    .select()
    .from(auditEvents)
    .where(eq(auditEvents.object, `user:${id}`))
    .orderBy(auditEvents.id)
const notificationsTo = async (phone: string) =>
  (await listMessages(ctx)).filter(({ recipient }) => recipient === phone).map(({ template }) => template)

const decisions: [string, (ctx: Ctx, id: number) => Promise<unknown>][] = [
  ['decides a type request', (ctx, id) => decideTypeRequest(ctx, id, true)],
  ['approves a vet', (ctx, id) => approveVet(ctx, id, { registration: 'TNVC 1234', password: PASSWORD })],
  ['gives the badge', (ctx, id) => setBadge(ctx, id, { isVerified: true, note: 'PAN checked', password: PASSWORD })],
  ['deactivates', (ctx, id) => setActive(ctx, id, { isActive: false, password: PASSWORD })],
  ['makes admins', (ctx, id) => setPowers(ctx, id, { typeId: 9, internalType: 3, password: PASSWORD })],
]

describe('a person who is no admin', () => {
  test.each(decisions)('never %s', async (_, decide) => {
    const passwordHash = await hashPassword(testVault, PASSWORD)
    const target = await makeUser(ctx, { typeId: 5, requestedTypeId: 4 })
    const before = await row(target.id)
    for (const typeId of [1, 2, 3, 4, 5]) {
      const one = await makeUser(ctx, { typeId, passwordHash })
      await expect(decide(by({ ...one, superAdmin: typeId === 3 }), target.id)).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    }
    await expect(decide(by(null), target.id)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' })
    expect(await row(target.id)).toEqual(before)
    expect(await eventsOf(target.id)).toEqual([])
  })

  test.each(decisions)('who was an admin a moment ago never %s', async (_, decide) => {
    const target = await makeUser(ctx, { typeId: 5, requestedTypeId: 4 })
    const passwordHash = await hashPassword(testVault, PASSWORD)
    const was = await makeUser(ctx, { typeId: 9, superAdmin: true, passwordHash })
    await ctx.db.update(users).set({ typeId: 1, superAdmin: false }).where(eq(users.id, was.id))
    await expect(decide(by(was), target.id)).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    expect(await row(target.id)).toMatchObject({ typeId: 5, requestedTypeId: 4, vetApproved: false, isVerified: false, isActive: true })
  })

  test('cannot read the list of people', async () => {
    const all: UserChoices = { text: '', typeId: null, filter: 'all', afterId: null }
    const one = await makeUser(ctx)
    await expect(listUsers(by(one), all)).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
  })
})

describe('an admin', () => {
  test.each(decisions)('never %s on their own row', async (_, decide) => {
    const before = await row(boss.id)
    await expect(decide(by(boss), boss.id)).rejects.toMatchObject({ code: 'OWN_ROW' })
    expect(await row(boss.id)).toEqual(before)
  })

  test('approves or refuses a request; the person gets an SMS', async () => {
    for (const isApproved of [true, false]) {
      const one = await makeUser(ctx, { requestedTypeId: 4, requestedTypeAt: new Date() })
      await decideTypeRequest(by(admin), one.id, isApproved)
      expect(await row(one.id)).toMatchObject({ typeId: isApproved ? 4 : 1, requestedTypeId: null, requestedTypeAt: null })
      expect(await notificationsTo(one.phone)).toEqual(['type-decided'])
      await expect(decideTypeRequest(by(admin), one.id, true)).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect((await eventsOf(one.id)).at(-1)).toMatchObject({
        event: 'user_type_decided',
        actorId: admin.id,
        details: { typeId: 4, isApproved },
      })
    }
  })

  test('cannot decide an old request of a person who is an admin now', async () => {
    const one = await makeUser(ctx, { requestedTypeId: 4, requestedTypeAt: new Date() })
    await setPowers(by(boss), one.id, { typeId: 9, internalType: 3, password: PASSWORD })
    expect(await row(one.id)).toMatchObject({ typeId: 9, superAdmin: true, requestedTypeId: null, requestedTypeAt: null })
    await ctx.db.update(users).set({ requestedTypeId: 4 }).where(eq(users.id, one.id))
    for (const isApproved of [true, false])
      await expect(decideTypeRequest(by(admin), one.id, isApproved)).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    expect(await row(one.id)).toMatchObject({ typeId: 9, superAdmin: true })
    await expect(ctx.db.update(users).set({ typeId: 4 }).where(eq(users.id, one.id))).rejects.toThrow()
    await setPowers(by(boss), one.id, { typeId: 1, internalType: 0, password: PASSWORD })
  })

  test.each([
    [4, true],
    [5, false],
  ])('who makes a badged seller type %i leaves them the badge: %s', async (requestedTypeId, isVerified) => {
    const seller = await makeUser(ctx, { typeId: 2, isVerified: true, requestedTypeId })
    await decideTypeRequest(by(admin), seller.id, true)
    expect(await row(seller.id)).toMatchObject({ typeId: requestedTypeId, isVerified })
    expect((await eventsOf(seller.id)).some(({ event }) => event === 'seller_badge_ended')).toBe(!isVerified)
  })

  test('approves a vet with their registration number, and withdraws the approval', async () => {
    const vet = await makeUser(ctx, { typeId: 5 })
    await approveVet(by(admin), vet.id, { registration: 'TNVC 1234', password: PASSWORD })
    expect(await row(vet.id)).toMatchObject({ vetApproved: true, vetRegistration: 'TNVC 1234' })
    await approveVet(by(admin), vet.id, { registration: null, password: PASSWORD })
    expect(await row(vet.id)).toMatchObject({ vetApproved: false })
    expect(await notificationsTo(vet.phone)).toEqual(['vet-withdrawn', 'vet-approved'])
    const buyer = await makeUser(ctx)
    const codeOnly = await makeUser(ctx, { typeId: 5, passwordHash: null })
    await expect(approveVet(by(admin), codeOnly.id, { registration: 'TNVC 2', password: PASSWORD })).rejects.toMatchObject({
      code: 'VALIDATION',
    })
    await expect(approveVet(by(admin), buyer.id, { registration: 'TNVC 1', password: PASSWORD })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('gives a seller the badge with a note, and withdraws it with a reason', async () => {
    const seller = await makeUser(ctx, { typeId: 2 })
    await setBadge(by(admin), seller.id, { isVerified: true, note: 'PAN and address checked, called', password: PASSWORD })
    expect(await row(seller.id)).toMatchObject({ isVerified: true, verifiedNote: 'PAN and address checked, called' })
    await setBadge(by(admin), seller.id, { isVerified: false, note: 'Complaints', password: PASSWORD })
    expect(await row(seller.id)).toMatchObject({ isVerified: false, verifiedNote: 'Complaints' })
    // The audit trail is permanent, so it must not contain free text.
    expect((await eventsOf(seller.id)).map(({ event, details }) => [event, details])).toEqual([
      ['seller_badge_given', {}],
      ['seller_badge_withdrawn', {}],
    ])
    const buyer = await makeUser(ctx)
    await expect(setBadge(by(admin), buyer.id, { isVerified: true, note: 'x', password: PASSWORD })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  test('needs their own password to approve a vet and to give a badge', async () => {
    const [vet, seller] = [await makeUser(ctx, { typeId: 5 }), await makeUser(ctx, { typeId: 2 })]
    const acts = [
      () => approveVet(by(admin), vet.id, { registration: 'TNVC 1', password: 'wrong' }),
      () => approveVet(by(admin), vet.id, { registration: null, password: '' }),
      () => setBadge(by(admin), seller.id, { isVerified: true, note: 'x', password: 'wrong' }),
    ]
    for (const act of acts) await expect(act()).rejects.toMatchObject({ code: 'PASSWORD_WRONG' })
    expect([(await row(vet.id)).vetApproved, (await row(seller.id)).isVerified]).toEqual([false, false])
  })

  test('deactivates a person with their own password; all sessions end, and it can be undone', async () => {
    const one = await makeUser(ctx)
    const token = await makeSession(ctx, one.id)
    await expect(setActive(by(admin), one.id, { isActive: false, password: 'wrong' })).rejects.toMatchObject({ code: 'PASSWORD_WRONG' })
    expect(await findSession(ctx.db, token)).not.toBeNull()
    await setActive(by(admin), one.id, { isActive: false, password: PASSWORD })
    expect(await findSession(ctx.db, token)).toBeNull()
    await setActive(by(admin), one.id, { isActive: true, password: PASSWORD })
    expect((await row(one.id)).isActive).toBe(true)
    expect(await findSession(ctx.db, token)).toBeNull()
    expect((await eventsOf(one.id)).map(({ event }) => event)).toEqual(['user_deactivated', 'user_activated'])
  })

  test('undoes their own deactivation: the person may log in again, and the ended sessions stay ended', async () => {
    const one = await makeUser(ctx)
    const token = await makeSession(ctx, one.id)
    const before = await row(one.id)
    const now = new Date()
    await setActive({ ...by(admin), now }, one.id, { isActive: false, password: PASSWORD, reason: 'spam' })
    expect(await findSession(ctx.db, token)).toBeNull()
    // The same undo again succeeds, too.
    for (const _twice of [1, 2]) await undoDecision(by(admin), one.id)
    expect([await row(one.id), await findSession(ctx.db, token)]).toEqual([before, null])
    expect((await eventsOf(one.id)).map(({ event, details }) => [event, details])).toEqual([
      ['user_deactivated', { reason: 'spam', held: '' }],
      ['user_activated', { isUndo: true }],
    ])
  })

  test('undoes no deactivation that is over, is another’s, or was followed by another decision', async () => {
    const { id } = await makeUser(ctx, { passwordHash: 'x' })
    const undo = (as: Viewer, now = new Date()) =>
      undoDecision({ ...by(as), now }, id).catch((error: Problem) => problemDetail(error, 'en'))
    expect(await undo(admin)).toContain('too late')
    for (const isActive of [false, true]) await setActive(by(admin), id, { isActive, password: PASSWORD })
    expect(await undo(admin)).toContain('too late')
    await setActive(by(admin), id, { isActive: false, password: PASSWORD })
    expect(await undo(admin, new Date(Date.now() + (MESSAGE_DELAY_SECONDS + 1) * 1000))).toContain('too late')
    expect(await undo(boss)).toMatch(/“Deactivated” \(.+, \d/)
    await setPowers(by(boss), id, { typeId: 2, internalType: 0, password: PASSWORD })
    expect(await undo(admin)).toMatch(/“Type or powers/)
    expect(await row(id)).toMatchObject({ isActive: false, typeId: 2 })
  })

  test('undoes their own refusal of a type and the withdrawal of a vet; nobody gets a message', async () => {
    const asking = await makeUser(ctx, { typeId: 2, requestedTypeId: 4, requestedTypeAt: new Date() })
    const vet = await makeUser(ctx, { typeId: 5, vetApproved: true, vetRegistration: 'TNVC 1' })
    const send = async (userId: number, fields: Record<string, string>) =>
      sendForm(ctx, userAction, { viewer: admin, userId, fields: { seen: await seenUser(ctx, userId), ...fields } }).catch(
        (redirected: unknown) => (redirected as Response).headers.get('Location'),
      )
    const acts = [
      { one: asking, act: 'refuse', event: 'user_type_decided', changed: { requestedTypeId: null } },
      { one: vet, act: 'vet-withdraw', event: 'vet_approval_changed', changed: { vetApproved: false } },
    ]
    for (const { one, act, event, changed } of acts) {
      const before = await row(one.id)
      expect(await send(one.id, { act, password: PASSWORD })).toMatch(new RegExp(`done=${act}$`))
      expect([await row(one.id), (await notificationsTo(one.phone)).length]).toMatchObject([changed, 1])
      await expect(undoDecision(by(boss), one.id)).rejects.toMatchObject({ code: 'VERSION' })
      for (const _twice of [1, 2]) expect(await send(one.id, { act: 'undo', done: 'undone' })).toMatch(/done=undone$/)
      expect([await row(one.id), await notificationsTo(one.phone)]).toEqual([before, []])
      expect((await eventsOf(one.id)).map((each) => each.event)).toEqual([event, 'user_decision_undone'])
    }
    // A person who asks again within these seconds keeps the later request, and decisions through the API are sent at once.
    await send(asking.id, { act: 'refuse' })
    await ctx.db.update(users).set({ requestedTypeId: 3 }).where(eq(users.id, asking.id))
    await undoDecision(by(admin), asking.id)
    expect((await row(asking.id)).requestedTypeId).toBe(3)
    await decideTypeRequest(by(admin), asking.id, false)
    await approveVet(by(admin), vet.id, { registration: null, password: PASSWORD })
    for (const { id } of [asking, vet]) await expect(undoDecision(by(admin), id)).rejects.toMatchObject({ code: 'VERSION' })
  })

  test('who is no super admin cannot decide about other admins', async () => {
    const other = await makeUser(ctx, { typeId: 9 })
    await expect(setActive(by(admin), other.id, { isActive: false, password: PASSWORD })).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
    await expect(setPowers(by(admin), other.id, { typeId: 1, internalType: 0, password: PASSWORD })).rejects.toMatchObject({
      code: 'ROLE_FORBIDDEN',
    })
    await expect(
      setPowers(by({ ...admin, superAdmin: true }), other.id, { typeId: 1, internalType: 0, password: PASSWORD }),
    ).rejects.toMatchObject({ code: 'ROLE_FORBIDDEN' })
  })
})

describe('a super admin', () => {
  test('makes and unmakes admins, who must log in again', async () => {
    const one = await makeUser(ctx, { typeId: 2, isVerified: true })
    const token = await makeSession(ctx, one.id)
    await expect(setPowers(by(boss), one.id, { typeId: 2, internalType: 3, password: PASSWORD })).rejects.toMatchObject({
      code: 'VALIDATION',
    })
    await expect(setPowers(by(boss), one.id, { typeId: 9, internalType: 2, password: 'wrong' })).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    await setPowers(by(boss), one.id, { typeId: 9, internalType: 2, password: PASSWORD })
    expect(await row(one.id)).toMatchObject({ typeId: 9, isAdmin: true, superAdmin: false, isVerified: false })
    expect(await findSession(ctx.db, token)).toBeNull()
    await ctx.db
      .update(users)
      .set({ totpStep: 5, totpSealed: Buffer.from('x') })
      .where(eq(users.id, one.id))
    await setPowers(by(boss), one.id, { typeId: 1, internalType: 0, password: PASSWORD })
    expect(await row(one.id)).toMatchObject({ typeId: 1, isAdmin: false, totpSealed: null, totpStep: null })
  })

  test('cannot remove the last super admin', async () => {
    const passwordHash = await hashPassword(testVault, PASSWORD)
    const second = await makeUser(ctx, { typeId: 9, superAdmin: true, passwordHash })
    await setActive(by(boss), second.id, { isActive: false, password: PASSWORD })
    // Only `boss` is left: the deactivated one may not act, and nobody may act on their own row.
    await expect(setPowers(by(second), boss.id, { typeId: 1, internalType: 0, password: PASSWORD })).rejects.toMatchObject({
      code: 'ROLE_FORBIDDEN',
    })
    expect(await row(boss.id)).toMatchObject({ superAdmin: true, isActive: true, typeId: 9 })
  })
})

describe('the page of a person', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', ''])('refuses the unknown act %j', async (act) => {
    const one = await makeUser(ctx)
    expect(await sendForm(ctx, userAction, { viewer: admin, userId: one.id, fields: { act } })).toBe('MALFORMED')
  })
})

test('a form of an older release about an account is refused as stale and changes nothing', async () => {
  const one = await makeUser(ctx, { isActive: false })
  const fields = { act: 'active', active: 'no', activePassword: PASSWORD, password: PASSWORD }
  expect(await sendForm(ctx, userAction, { viewer: admin, userId: one.id, fields })).toBe('VERSION')
  expect((await row(one.id)).isActive).toBe(false)
})

describe('the first admin', () => {
  test('must be a registered person; the command ends their sessions and writes an audit entry', async () => {
    const one = await makeUser(ctx, { typeId: 1, totpStep: 3, totpSealed: Buffer.from('x') })
    const token = await makeSession(ctx, one.id)
    expect(await makeFirstAdmin(by(null), { phone: '+919999999999', forgetsTotp: false })).toBe('nobody')
    const byCode = await makeUser(ctx, { typeId: 1, passwordHash: null })
    expect(await makeFirstAdmin(by(null), { phone: byCode.phone, forgetsTotp: false })).toBe('no password')
    expect(await row(byCode.id)).toMatchObject({ typeId: 1, superAdmin: false })
    expect(await makeFirstAdmin(by(null), { phone: one.phone, forgetsTotp: true })).toMatchObject({ recoveryCodes: expect.any(Array) })
    expect(await row(one.id)).toMatchObject({ typeId: 9, superAdmin: true, totpSealed: null, totpStep: null })
    expect(await findSession(ctx.db, token)).toBeNull()
    expect((await eventsOf(one.id))[0]).toMatchObject({
      event: 'privilege_permissions_changed',
      actorId: null,
      details: { byCommand: true },
    })
  })
})

describe('the list of people', () => {
  const search = async (changes: Partial<UserChoices>) =>
    (await listUsers(by(admin), { text: '', typeId: null, filter: 'all', afterId: null, ...changes })).users.map(({ id }) => id)

  test('finds by name, phone and id, whatever characters they contain', async () => {
    const one = await makeUser(ctx, { name: '100% பால்_பண்ணை', phone: '+919812345670' })
    const other = await makeUser(ctx, { name: '100 pal panai' })
    expect(await search({ text: 'பால்' })).toEqual([one.id])
    expect(await search({ text: '100%' })).toEqual([one.id])
    expect(await search({ text: 'ல்_ப' })).toEqual([one.id])
    expect(await search({ text: '\\' })).toEqual([])
    expect(await search({ text: '%' })).toEqual([one.id])
    for (const phone of ['+91 98123 45670', '098123 45670', '9812345670', '௯௮௧௨௩ ௪௫௬௭௦'])
      expect(await search({ text: phone })).toEqual([one.id])
    // No search by fragments: they would reveal the digits that the list masks.
    for (const part of ['12345670', '981234567', '+91 9812', '98123']) expect(await search({ text: part })).not.toContain(one.id)
    expect(await search({ text: `#${other.id}` })).toContain(other.id)
    expect(await search({ text: '9'.repeat(40) })).toEqual([])
    expect(await search({ text: "' or 1=1 --" })).toEqual([])
  })

  test('filters by waiting requests and by type, and leaves out erased people', async () => {
    const asks = await makeUser(ctx, { requestedTypeId: 4 })
    const vet = await makeUser(ctx, { typeId: 5 })
    const gone = await makeUser(ctx, { typeId: 5, erasedAt: new Date(), isActive: false })
    const plain = await makeUser(ctx, { typeId: 3 })
    expect(await search({ filter: 'requests' })).toContain(asks.id)
    expect(await search({ filter: 'vets' })).toContain(vet.id)
    expect(await search({ filter: 'unverified' })).toContain(plain.id)
    expect(await search({ filter: 'unverified' })).not.toContain(vet.id)
    expect(await search({ filter: 'inactive' })).not.toContain(gone.id)
    expect((await search({ typeId: 3 }))[0]).toBe(plain.id)
    expect(await search({ typeId: 3 })).not.toContain(vet.id)
  })

  test(`comes in pages of ${USERS_PER_PAGE}, each person once`, async () => {
    for (let n = 0; n < USERS_PER_PAGE + 5; n += 1) await makeUser(ctx, { name: `Paged ${n}` })
    const seen: number[] = []
    let afterId: number | null = null
    do {
      const page: Awaited<ReturnType<typeof listUsers>> = await listUsers(by(admin), {
        text: 'Paged',
        typeId: null,
        filter: 'all',
        afterId,
      })
      seen.push(...page.users.map(({ id }) => id))
      // The same count on every page: all matches, not the remaining ones.
      expect(page.found).toBe(USERS_PER_PAGE + 5)
      afterId = page.nextAfterId
    } while (afterId !== null)
    expect(seen).toHaveLength(USERS_PER_PAGE + 5)
    expect(new Set(seen).size).toBe(seen.length)
  })
})
