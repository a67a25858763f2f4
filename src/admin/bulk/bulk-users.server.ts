import { inArray } from 'drizzle-orm'
import { can, requireCan } from '#src/accounts/policy.ts'
import { ADMIN_TYPE, VET_TYPE } from '#src/accounts/rules.ts'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { users } from '#src/accounts/tables.ts'
import { decideActive, decideVet, undoDecision } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { problemDetail, problemText } from '#src/kit/problem-text.ts'
import { m } from '#src/paraglide/messages.js'
import type { BulkAct, BulkReason } from './bulk-acts.ts'

type Row = typeof users.$inferSelect

/** A chosen person, and what prevents the act on them. */
interface Concerned {
  user: Row
  obstacle: string | null
}

/** Returns the chosen people in the order of `ids`, without those erased meanwhile. Changes nothing. */
export async function whomItConcerns(ctx: Ctx, act: BulkAct, ids: readonly number[]): Promise<Concerned[]> {
  requireCan(ctx, 'operate')
  const rows = await ctx.db
    .select()
    .from(users)
    .where(inArray(users.id, [...ids]))
  const byId = new Map(rows.filter(({ erasedAt }) => erasedAt === null).map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const user = byId.get(id)
    return user ? [{ user, obstacle: obstacleOf(ctx, act, user) }] : []
  })
}

function obstacleOf({ viewer, locale }: Ctx, act: BulkAct, user: Row): string | null {
  if (user.id === viewer!.id) return problemText('OWN_ROW', locale)
  if (act === 'approve-vets') {
    if (user.typeId !== VET_TYPE) return m.users_bulk_no_vet({}, { locale })
    if (user.passwordHash === null) return m.field_vet_needs_password({}, { locale })
    return user.vetApproved ? m.users_bulk_already({}, { locale }) : null
  }
  if (user.typeId === ADMIN_TYPE && !can(viewer, 'appoint-admins')) return m.users_bulk_admin({}, { locale })
  return user.isActive === (act === 'activate') ? m.users_bulk_already({}, { locale }) : null
}

interface BulkOrder {
  ids: readonly number[]
  reason: BulkReason
  password: string
  /** The vets' numbers in the council's register, by the person's id. */
  registrations: ReadonlyMap<number, string>
  /** The state of each person that the admin saw (`seenUser`), if known. */
  seen?: ReadonlyMap<number, string>
}

/** The outcome for one person. `refusal` is null when the act was done. */
interface BulkEnd {
  id: number
  name: string
  refusal: string | null
}

export interface BulkResult {
  ends: BulkEnd[]
  isUndone: boolean
}

/**
 * Does one act to several people, each in a transaction of its own, so that a refusal for one does not stop the others. Checks the admin's
 * password once and records the reason for each person. Raises PASSWORD_WRONG and ROLE_FORBIDDEN for the whole order.
 */
export async function actOnUsers(ctx: Ctx, act: BulkAct, { ids, reason, password, registrations, seen }: BulkOrder): Promise<BulkEnd[]> {
  requireCan(ctx, 'operate')
  await requireOwnPassword(ctx, password)
  const ends: BulkEnd[] = []
  for (const { user, obstacle } of await whomItConcerns(ctx, act, ids)) {
    const { id, name } = user
    // Somebody did it since the admin saw the person: the command says who.
    const isNews = obstacle === m.users_bulk_already({}, { locale: ctx.locale }) && Boolean(seen?.get(id))
    const decide = () => actOn(ctx, act, id, { reason, registration: registrations.get(id), seen: seen?.get(id) })
    const refusal = obstacle !== null && !isNews ? obstacle : ((await refusalOf(ctx, decide)) ?? obstacle)
    ends.push({ id, name, refusal })
  }
  return ends
}

/** Undoes the admin's own deactivation of several people. */
export async function undoDeactivations(ctx: Ctx, ids: readonly number[]): Promise<BulkEnd[]> {
  requireCan(ctx, 'operate')
  const people = await ctx.db
    .select()
    .from(users)
    .where(inArray(users.id, [...ids]))
  const ends: BulkEnd[] = []
  for (const { id, name } of people) ends.push({ id, name, refusal: await refusalOf(ctx, () => undoDecision(ctx, id)) })
  return ends
}

async function actOn(
  ctx: Ctx,
  act: BulkAct,
  id: number,
  { registration, ...why }: { reason: BulkReason; registration: string | undefined; seen: string | undefined },
): Promise<void> {
  if (act !== 'approve-vets') return decideActive(ctx, id, { isActive: act === 'activate', ...why })
  if (registration === undefined) throw new Problem('VALIDATION')
  return decideVet(ctx, id, { registration, ...why })
}

async function refusalOf({ locale, log }: Ctx, act: () => Promise<void>): Promise<string | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (error instanceof Problem) return problemDetail(error, locale)
    // A bug with one person must not stop the others.
    log.error({ err: error }, 'a bulk act failed for one person')
    return problemText('INTERNAL', locale)
  }
}
