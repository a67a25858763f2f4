import { and, asc, desc, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import { plainDigits, searchText } from '#src/kit/text/plain-text.ts'
import { readPhone } from '#src/kit/text/readers.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { anywhere } from '#src/kit/text/text.ts'
import { m } from '#src/paraglide/messages.js'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { makeRecoveryCodes } from '#src/accounts/identity/recovery-codes.server.ts'
import { can, requireCan } from '../policy.ts'
import type { DecisionDetails } from '../decided-meanwhile.server.ts'
import { ADMIN_TYPE, type InternalType, internalTypeOf, SELLER_TYPES, VET_TYPE } from '../rules.ts'
import { endSessionsOf } from '../sessions.server.ts'
import { isHere, users } from '../tables.ts'
import { findReceiver, smsTo } from '#src/accounts/notifications/receivers.server.ts'
import { heldIn, takeBackAct, undoably, undoLate } from '../undo.server.ts'
import { decidedLast, eventNames, isAsSeen } from './seen-user.server.ts'

/**
 * Admins' decisions about people. Every command reads the admin's own row again under a lock in the act's transaction, so that an admin who
 * has just been demoted is refused. Rows are locked in the order of their ids, so two admins who decide about each other cannot deadlock.
 */
export type UserRow = typeof users.$inferSelect

interface Seen {
  /** The state that the admin saw (`seenUser`), if known: VERSION when it is gone. */
  seen?: string | undefined
}

interface Rights extends Seen {
  isForSuperAdmins?: boolean
  /** The act may demote a super admin, so all super admins are locked to recognise the last one. */
  touchesSuperAdmins?: boolean
  /** Whether the person is already as the decision leaves them, by the admin's last one: the same decision sent again succeeds without effect. */
  isDone: (target: UserRow, last: DecisionDetails) => boolean
}

async function decide(
  ctx: Ctx,
  id: number,
  rights: Rights,
  act: (ctx: Ctx, target: UserRow, admin: UserRow) => Promise<void>,
): Promise<void> {
  const { id: adminId } = requireCan(ctx, 'operate')
  if (rights.isForSuperAdmins && !can(ctx.viewer, 'appoint-admins')) throw new Problem('ROLE_FORBIDDEN')
  return inTransaction(ctx, async (ctx) => {
    const rows = await lockUsers(ctx, [adminId, id], rights.touchesSuperAdmins ?? false)
    const admin = rows.find((row) => row.id === adminId)
    if (!admin?.isActive || admin.typeId !== ADMIN_TYPE || (rights.isForSuperAdmins && !admin.superAdmin))
      throw new Problem('ROLE_FORBIDDEN')
    const target = rows.find((row) => row.id === id)
    if (!target || target.erasedAt) throw notFound()
    if (target.id === admin.id) throw new Problem('OWN_ROW')
    const { seen } = rights
    if (seen !== undefined && !(await isAsSeen(ctx, target, seen, (last) => rights.isDone(target, last)))) return
    await act(ctx, target, admin)
  })
}

/**
 * Guards an admin's act of another domain, in its transaction: it and a concurrent demotion wait for each other's row lock. AUTH_REQUIRED,
 * ROLE_FORBIDDEN for people who are not, or no longer, admins.
 */
export async function holdAdmin(ctx: Ctx): Promise<Viewer> {
  const viewer = requireCan(ctx, 'operate')
  const [admin] = await ctx.db.select().from(users).where(eq(users.id, viewer.id)).for('share')
  if (!admin?.isActive || !can({ ...viewer, typeId: admin.typeId }, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  return viewer
}

const isWorkingSuperAdmin = and(users.superAdmin, users.isActive, eq(users.typeId, ADMIN_TYPE))

async function lockUsers(ctx: Ctx, ids: number[], withSuperAdmins: boolean): Promise<UserRow[]> {
  const named = inArray(users.id, ids)
  return ctx.db
    .select()
    .from(users)
    .where(withSuperAdmins ? or(named, isWorkingSuperAdmin) : named)
    .orderBy(asc(users.id))
    .for('no key update')
}

/** Call it after the change, in its transaction, with all super admins' rows locked. */
export async function ensureSuperAdminLeft(ctx: Ctx): Promise<void> {
  if ((await ctx.db.$count(users, isWorkingSuperAdmin)) === 0) throw new Problem('LAST_SUPER_ADMIN')
}

/** For a person's own act that might leave no super admin. */
export async function lockSuperAdmins(ctx: Ctx, id: number): Promise<void> {
  await lockUsers(ctx, [id], true)
}

/**
 * Decides a request to be an agent or vet: NOT_FOUND when none waits, because another admin was faster. The person gets an SMS. Only
 * `setPowers` changes the type of an admin: ROLE_FORBIDDEN.
 */
export async function decideTypeRequest(ctx: Ctx, id: number, isApproved: boolean, seen?: string): Promise<void> {
  const isDone = ({ requestedTypeId }: UserRow, last: DecisionDetails) => requestedTypeId === null && last.isApproved === isApproved
  await decide(ctx, id, { seen, isDone }, async (ctx, target) => {
    const { requestedTypeId, typeId } = target
    if (typeId === ADMIN_TYPE) throw new Problem('ROLE_FORBIDDEN')
    if (requestedTypeId === null) throw notFound()
    const isVerified = target.isVerified && SELLER_TYPES.includes(requestedTypeId)
    const set = isApproved ? { typeId: requestedTypeId, vetApproved: false, isVerified } : {}
    await ctx.db
      .update(users)
      .set({ requestedTypeId: null, requestedTypeAt: null, ...set })
      .where(eq(users.id, id))
    if (isApproved) await audit(ctx, 'privilege_permissions_changed', `user:${id}`, { from: typeId, to: requestedTypeId })
    await notify(ctx, target, 'type-decided', m.sms_type_decided)
    // Comes second, because a stale decision is refused with the last event.
    const since = target.requestedTypeAt?.getTime() ?? null
    await audit(ctx, 'user_type_decided', `user:${id}`, { typeId: requestedTypeId, isApproved, ...(ctx.held && { since }), ...heldIn(ctx) })
    if (isApproved && target.isVerified && !isVerified) await audit(ctx, 'seller_badge_ended', `user:${id}`)
  })
}

/** Asks for the admin's password, because a desk may be unattended. ROLE_FORBIDDEN, OWN_ROW, PASSWORD_WRONG. */
async function requireDecider(ctx: Ctx, id: number, password: string): Promise<void> {
  requireCan(ctx, 'operate')
  if (ctx.viewer?.id === id) throw new Problem('OWN_ROW')
  await requireOwnPassword(ctx, password)
}

/**
 * Approves a vet with the number from the council's register; null withdraws the approval. For type 5 only, else NOT_FOUND. PASSWORD_WRONG.
 */
export async function approveVet(ctx: Ctx, id: number, { password, ...decision }: VetDecision): Promise<void> {
  await requireDecider(ctx, id, password)
  await decideVet(ctx, id, decision)
}

/** Withdraws a vet's approval so that it can be undone. PASSWORD_WRONG, NOT_FOUND. */
export async function withdrawVet(ctx: Ctx, id: number, { password, seen }: Omit<VetDecision, 'registration'>): Promise<void> {
  await requireDecider(ctx, id, password)
  await undoably(ctx, (ctx) => decideVet(ctx, id, { registration: null, seen }))
}

/** `approveVet` after the check of the password, for one person or each of several. */
export async function decideVet(
  ctx: Ctx,
  id: number,
  { registration, seen, ...why }: { registration: string | null; reason?: string } & Seen,
): Promise<void> {
  const isDone = (target: UserRow) =>
    registration === null ? !target.vetApproved : target.vetApproved && target.vetRegistration === registration
  await decide(ctx, id, { seen, isDone }, async (ctx, target) => {
    if (target.typeId !== VET_TYPE) throw notFound()
    const isApproved = registration !== null
    if (!isApproved && !target.vetApproved) return
    // A registration may leave the password empty (decisions §8.2).
    if (isApproved && target.passwordHash === null) throw invalidField('registration', 'field_vet_needs_password')
    await ctx.db
      .update(users)
      .set({ vetApproved: isApproved, ...(isApproved && { vetRegistration: registration }) })
      .where(eq(users.id, id))
    if (isApproved && !target.vetApproved) await notify(ctx, target, 'vet-approved', m.sms_vet_approved)
    if (!isApproved) await notify(ctx, target, 'vet-withdrawn', m.sms_vet_withdrawn)
    await audit(ctx, 'vet_approval_changed', `user:${id}`, { isApproved, ...why, ...heldIn(ctx) })
  })
}

interface VetDecision extends Seen {
  registration: string | null
  password: string
}

/**
 * Gives or withdraws the Verified Seller badge with a reason: PAN and address checked, called. The reason is personal data and erased with
 * the person; the permanent audit trail records only the act. For sellers only, else NOT_FOUND. PASSWORD_WRONG.
 */
export async function setBadge(ctx: Ctx, id: number, { isVerified, note, password, seen }: BadgeDecision): Promise<void> {
  await requireDecider(ctx, id, password)
  const isDone = (target: UserRow) => target.isVerified === isVerified && target.verifiedNote === note
  await decide(ctx, id, { seen, isDone }, async (ctx, target) => {
    if (!SELLER_TYPES.includes(target.typeId) && isVerified) throw notFound()
    await ctx.db.update(users).set({ isVerified, verifiedNote: note }).where(eq(users.id, id))
    await audit(ctx, isVerified ? 'seller_badge_given' : 'seller_badge_withdrawn', `user:${id}`)
  })
}

interface BadgeDecision extends Seen {
  isVerified: boolean
  note: string
  password: string
}

/**
 * Deactivates a person (ends every session and hides their listings) or activates them again. Only a super admin decides about another
 * admin's row. PASSWORD_WRONG, OWN_ROW, LAST_SUPER_ADMIN.
 */
export async function setActive(
  ctx: Ctx,
  id: number,
  { password, ...decision }: { isActive: boolean; password: string; reason?: string } & Seen,
): Promise<void> {
  await requireDecider(ctx, id, password)
  await decideActive(ctx, id, decision)
}

/** `setActive` after the check of the password, for one person or each of several. */
export async function decideActive(
  ctx: Ctx,
  id: number,
  { isActive, seen, ...why }: { isActive: boolean; reason?: string } & Seen,
): Promise<void> {
  const isDone = (target: UserRow) => target.isActive === isActive
  await decide(ctx, id, { seen, isDone, touchesSuperAdmins: true }, async (ctx, target, admin) => {
    if (target.typeId === ADMIN_TYPE && !admin.superAdmin) throw new Problem('ROLE_FORBIDDEN')
    if (isDone(target)) return
    await ctx.db.update(users).set({ isActive }).where(eq(users.id, id))
    if (!isActive) {
      await endSessionsOf(ctx, id)
      if (target.superAdmin) await ensureSuperAdminLeft(ctx)
    }
    // No message waits for the undo, because nobody is notified.
    await audit(ctx, isActive ? 'user_activated' : 'user_deactivated', `user:${id}`, { ...why, ...(!isActive && { held: '' }) })
  })
}

/**
 * Undoes the admin's own last act within seconds, if it refused a type, withdrew a vet's approval or deactivated the account: an
 * active account has its listings again. Its sessions stay ended (INV-14). The same undo again succeeds. VERSION when it is late,
 * and with the last decision when another admin decided since.
 */
export async function undoDecision(ctx: Ctx, id: number): Promise<void> {
  await decide(ctx, id, { isDone: () => false }, async (ctx, target) => {
    const act = await takeBackAct(ctx, {
      object: `user:${id}`,
      events: eventNames,
      isUndo: (details) => details.isUndo === true,
      stale: (last) => decidedLast(ctx, last),
      late: target.isActive ? undoLate('VERSION') : new Problem('VERSION', { sentence: (locale) => m.users_undo_late({}, { locale }) }),
    })
    if (act === null) return
    const before = fieldsBefore(act, target)
    await ctx.db.update(users).set(before).where(eq(users.id, id))
    await audit(ctx, before.isActive ? 'user_activated' : 'user_decision_undone', `user:${id}`, { isUndo: true })
  })
}

/** The fields before an act with these details. A person who has asked for a type again keeps the later request. */
function fieldsBefore({ typeId, since, isApproved }: DecisionDetails, target: UserRow): Partial<UserRow> {
  if (typeof typeId === 'number')
    return {
      requestedTypeId: target.requestedTypeId ?? typeId,
      requestedTypeAt: target.requestedTypeAt ?? (since === null ? null : new Date(Number(since))),
    }
  return isApproved === false ? { vetApproved: target.typeId === VET_TYPE } : { isActive: true }
}

/** A person's role inside the company, and whether they are of type 9. */
export interface Powers {
  typeId: number
  internalType: InternalType
}

/**
 * For super admins, never on their own row, and never leaves the market without one. The person must log in again. PASSWORD_WRONG, OWN_ROW,
 * LAST_SUPER_ADMIN.
 */
export async function setPowers(ctx: Ctx, id: number, powers: Powers & Seen & { password: string }): Promise<void> {
  const viewer = requireCan(ctx, 'operate')
  if (!can(viewer, 'appoint-admins')) throw new Problem('ROLE_FORBIDDEN')
  if (viewer.id === id) throw new Problem('OWN_ROW')
  const { typeId, internalType, seen } = powers
  if (internalType === 3 && typeId !== ADMIN_TYPE) throw invalidField('internalType', 'field_super_needs_admin')
  await requireOwnPassword(ctx, powers.password)
  const isDone = (target: UserRow) => target.typeId === typeId && internalTypeOf(target) === internalType
  await decide(ctx, id, { seen, isDone, isForSuperAdmins: true, touchesSuperAdmins: true }, async (ctx, target) => {
    if (isDone(target)) return
    if (typeId === ADMIN_TYPE && target.passwordHash === null) throw invalidField('typeId', 'field_type_needs_password')
    const isLeaving = target.typeId === ADMIN_TYPE && typeId !== ADMIN_TYPE
    await ctx.db
      .update(users)
      .set({
        typeId,
        ...flagsOf(internalType),
        vetApproved: target.vetApproved && typeId === VET_TYPE,
        isVerified: target.isVerified && SELLER_TYPES.includes(typeId),
        // Clear a pending request, so that an old one cannot undo this change.
        requestedTypeId: null,
        requestedTypeAt: null,
        // A person who becomes an admin again enrols a new authenticator.
        ...(isLeaving && { totpSealed: null, totpStep: null }),
      })
      .where(eq(users.id, id))
    await endSessionsOf(ctx, id)
    if (target.superAdmin) await ensureSuperAdminLeft(ctx)
    await audit(ctx, 'privilege_permissions_changed', `user:${id}`, {
      from: target.typeId,
      to: typeId,
      internalFrom: internalTypeOf(target),
      internalTo: internalType,
    })
  })
}

export const flagsOf = (internalType: InternalType) => ({
  isStaff: internalType === 1,
  isAdmin: internalType === 2,
  superAdmin: internalType === 3,
})

/**
 * For the command on the market's own machine: makes a registered person with a password a super admin of type 9. `forgetsTotp`: drops a
 * lost authenticator, so that they enrol again. Returns the recovery codes, which are shown this once; older ones end.
 */
export async function makeFirstAdmin(
  ctx: Ctx,
  { phone, forgetsTotp }: { phone: string; forgetsTotp: boolean },
): Promise<{ recoveryCodes: string[] } | 'nobody' | 'no password'> {
  return inTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db
      .select()
      .from(users)
      .where(and(eq(users.phone, phone), isHere))
      .for('no key update')
    if (!user) return 'nobody'
    // A code alone must not open a desk (decisions.md §7.6).
    if (user.passwordHash === null) return 'no password'
    await ctx.db
      .update(users)
      .set({
        typeId: ADMIN_TYPE,
        ...flagsOf(3),
        vetApproved: false,
        isVerified: false,
        requestedTypeId: null,
        requestedTypeAt: null,
        ...(forgetsTotp && { totpSealed: null, totpStep: null }),
      })
      .where(eq(users.id, user.id))
    await endSessionsOf(ctx, user.id)
    await audit(ctx, 'privilege_permissions_changed', `user:${user.id}`, {
      from: user.typeId,
      to: ADMIN_TYPE,
      internalFrom: internalTypeOf(user),
      internalTo: 3,
      byCommand: true,
      forgetsTotp,
    })
    return { recoveryCodes: await makeRecoveryCodes(ctx, user.id) }
  })
}

async function notify(ctx: Ctx, user: UserRow, template: string, text: typeof m.sms_type_decided): Promise<void> {
  // A deactivated person has no devices, so they get an SMS.
  const receiver = (await findReceiver(ctx, user.id)) ?? user
  await queueMessage(ctx, smsTo(receiver, template, {}, text({}, { locale: receiver.locale })))
}

export const USERS_PER_PAGE = 50

export const userFilters = ['all', 'requests', 'vets', 'inactive', 'unverified'] as const
export type UserFilter = (typeof userFilters)[number]

const filters: Record<UserFilter, SQL | undefined> = {
  all: undefined,
  requests: sql`${users.requestedTypeId} is not null`,
  vets: sql`${users.typeId} = 5 and not ${users.vetApproved} and ${users.isActive}`,
  inactive: sql`not ${users.isActive}`,
  unverified: sql`${inArray(users.typeId, SELLER_TYPES)} and not ${users.isVerified} and ${users.isActive}`,
}

export interface UserChoices {
  /** A name, a whole phone number, or an id. */
  text: string
  typeId: number | null
  filter: UserFilter
  /** The last id of the previous page. */
  afterId: number | null
}

export type ListedUser = Pick<
  UserRow,
  'id' | 'name' | 'phone' | 'typeId' | 'requestedTypeId' | 'isActive' | 'isVerified' | 'vetApproved' | 'createdAt'
> & { internalType: InternalType }

/** The newest first, without erased people. For admins. */
export async function listUsers(
  ctx: Ctx,
  choices: UserChoices,
): Promise<{ users: ListedUser[]; found: number; nextAfterId: number | null }> {
  requireCan(ctx, 'operate')
  const { afterId } = choices
  const matches = usersMeant(choices)
  const counted = ctx.db.select({ id: users.id }).from(users).where(matches).limit(COUNT_UP_TO).as('some')
  const found = await ctx.db.$count(counted)
  const rows = await ctx.db
    .select()
    .from(users)
    .where(and(matches, afterId === null ? undefined : sql`${users.id} < ${afterId}`))
    .orderBy(desc(users.id))
    .limit(USERS_PER_PAGE + 1)
  const shown = rows.slice(0, USERS_PER_PAGE)
  return {
    found,
    users: shown.map((row) => {
      const { id, name, phone, requestedTypeId, isActive, isVerified, vetApproved, createdAt } = row
      const internalType = internalTypeOf(row)
      return { id, name, phone, typeId: row.typeId, requestedTypeId, isActive, isVerified, vetApproved, createdAt, internalType }
    }),
    nextAfterId: rows.length > USERS_PER_PAGE ? shown.at(-1)!.id : null,
  }
}

/** The condition for the people whom the admin's filters match; leaves out erased people. */
export const usersMeant = ({ text, typeId, filter }: Pick<UserChoices, 'text' | 'typeId' | 'filter'>): SQL =>
  and(isNull(users.erasedAt), filters[filter], typeId === null ? undefined : eq(users.typeId, typeId), matching(text))!

/** For admins: the owner of this number, in E.164; null when nobody has it. */
export async function findUserByPhone(ctx: Ctx, phone: string): Promise<number | null> {
  requireCan(ctx, 'operate')
  const [user] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.phone, phone), isNull(users.erasedAt)))
  return user?.id ?? null
}

function matching(text: string): SQL | undefined {
  const typed = searchText(text, 80)
  if (typed === '') return undefined
  // Match whole numbers only: fragments would reveal the digits that the list masks, without an audited view.
  const phone = readPhone(typed)
  const [, number] = /^#?(\d{1,15})$/.exec(plainDigits(typed)) ?? []
  if (phone === null && number === undefined) return sql`${users.name} ilike ${anywhere(typed)}`
  return or(phone === null ? undefined : eq(users.phone, phone), number === undefined ? undefined : eq(users.id, Number(number)))
}
