import { and, asc, desc, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import { decidedInTrail, findLastDecision } from '#src/accounts/decided-meanwhile.server.ts'
import { phoneFor, requireCan } from '#src/accounts/policy.ts'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { deskMatch } from '#src/kit/db/desk-match.server.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { dropPictures, withPictures } from '#src/kit/uploads/take-picture.server.ts'
import { notFound, invalidField, Problem } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { isOpen } from '../order-conditions.ts'
import { bearers, orders } from '../tables.ts'

export type Bearer = typeof bearers.$inferSelect

interface BearerInput {
  name: string
  /** `+91` and ten digits. */
  phone: string
  /** The number of cows that their vehicle takes; null: not known. Without it, it stays. */
  capacity?: number | null | undefined
  /** Null keeps the current photo. */
  photo: Buffer | null
}

/** A market has some dozens of bearers. */
const MAX_BEARERS = 500

const matching = (typed: string) =>
  deskMatch(typed, {
    number: (id) => eq(bearers.id, id),
    phone: (phone) => eq(bearers.phone, phone),
    words: [sql`${bearers.name}`],
  })

/** All bearers except deleted ones, with their numbers as the viewer sees them: active ones first, then by name. For admins. */
export async function listBearers(ctx: Ctx, text = ''): Promise<Bearer[]> {
  requireCan(ctx, 'operate')
  const rows = await ctx.db
    .select()
    .from(bearers)
    .where(and(sql`${bearers.phone} <> ''`, matching(text)))
    .orderBy(desc(bearers.isActive), asc(bearers.name), asc(bearers.id))
    .limit(MAX_BEARERS)
  return rows.map((row) => ({ ...row, phone: phoneFor(ctx.viewer, row.phone) }))
}

/** VALIDATION when the number is in the list already, or the photo is not an image. */
export async function addBearer(ctx: Ctx, media: MediaStore, { name, phone, capacity, photo }: BearerInput): Promise<void> {
  requireCan(ctx, 'operate')
  await withPictures(ctx, media, photo ? [photo] : [], 'photo', ([picture]) =>
    inTransaction(ctx, async (ctx) => {
      const [added] = await oncePerPhone(
        ctx.db
          .insert(bearers)
          .values({ name, phone, capacity, pictureKey: picture?.mediaKey ?? null, changedAt: ctx.now })
          .returning({ id: bearers.id }),
      )
      await audit(ctx, 'bearer_added', `bearer:${added!.id}`)
    }),
  )
}

/** The state of an entry that an admin saw, as text for a form. */
export const seenBearer = ({ changedAt }: Pick<Bearer, 'changedAt'>): string => String(changedAt.getTime())

/** VERSION when the entry was changed since the admin saw it; without `seen` it is not compared. Forms of older pages send it empty. */
async function ensureSeen(ctx: Ctx, bearer: Bearer, seen: string | undefined): Promise<void> {
  if (seen === undefined || seen === seenBearer(bearer)) return
  if (seen === '') throw new Problem('VERSION')
  throw await decidedInTrail(ctx, `bearer:${bearer.id}`, { bearer_changed: (_, locale) => m.trail_event_bearer_changed({}, { locale }) })
}

/**
 * NOT_FOUND, VERSION; otherwise as `addBearer`. Without a phone the number stays. A deactivated bearer keeps the orders that they were given. The same
 * change of the same admin may be repeated.
 */
export async function changeBearer(
  ctx: Ctx,
  media: MediaStore,
  id: number,
  { name, phone, capacity, photo, isActive, seen }: Omit<BearerInput, 'phone'> & { phone: string | null; isActive: boolean; seen?: string },
): Promise<void> {
  requireCan(ctx, 'operate')
  const oldKey = await withPictures(ctx, media, photo ? [photo] : [], 'photo', ([picture]) =>
    inTransaction(ctx, async (ctx) => {
      const before = await lockBearer(ctx, id)
      if (!before) throw await forgottenMeanwhile(ctx, id)
      const kept = capacity === undefined ? before.capacity : capacity
      const given = { name, phone: phone ?? before.phone, capacity: kept, isActive }
      if (!(await isOwnRepeat(ctx, before, given))) await ensureSeen(ctx, before, seen)
      const pictureKey = picture?.mediaKey ?? before.pictureKey
      await oncePerPhone(
        ctx.db
          .update(bearers)
          .set({ ...given, pictureKey, changedAt: ctx.now })
          .where(eq(bearers.id, id)),
      )
      await audit(ctx, 'bearer_changed', `bearer:${id}`, { active: isActive })
      return picture ? before.pictureKey : null
    }),
  )
  if (oldKey) await dropPictures(ctx, media, [oldKey])
}

type BearerFacts = Pick<Bearer, 'name' | 'phone' | 'capacity' | 'isActive'>

async function isOwnRepeat(ctx: Ctx, before: Bearer, given: BearerFacts): Promise<boolean> {
  const facts = ({ name, phone, capacity, isActive }: BearerFacts) => JSON.stringify([name, phone, capacity, isActive])
  if (facts(before) !== facts(given)) return false
  return (await findLastDecision(ctx, `bearer:${before.id}`, ['bearer_changed']))?.actorId === ctx.viewer?.id
}

/**
 * Deletes name, number and photo for good; the orders that they delivered stay. PASSWORD_WRONG, NOT_FOUND, VERSION, and VALIDATION while the
 * bearer still has an order to deliver. The same admin may repeat it.
 */
export async function forgetBearer(ctx: Ctx, media: MediaStore, id: number, password: string, seen?: string): Promise<void> {
  requireCan(ctx, 'operate')
  await requireOwnPassword(ctx, password)
  const key = await inTransaction(ctx, async (ctx) => {
    const before = await lockBearer(ctx, id)
    if (!before) return ensureOwnForgetting(ctx, id)
    await ensureSeen(ctx, before, seen)
    if ((await ctx.db.$count(orders, and(eq(orders.listedBearerId, id), isOpen))) > 0) throw invalidField('password', 'field_bearer_open')
    await ctx.db
      .update(bearers)
      .set({ ...nobody, changedAt: ctx.now })
      .where(eq(bearers.id, id))
    await audit(ctx, 'bearer_forgotten', `bearer:${id}`)
    return before.pictureKey
  })
  if (key) await dropPictures(ctx, media, [key])
}

const nobody = { name: '', phone: '', pictureKey: null, capacity: null, isActive: false }

/** A deactivated bearer is deleted after this long without work. */
const KEEP_INACTIVE_DAYS = 180

/** Clears the rows only. The sweep of unreferenced pictures deletes the files. */
export async function sweepBearers(db: Db): Promise<void> {
  const open = db
    .select({ one: sql`1` })
    .from(orders)
    .where(and(eq(orders.listedBearerId, bearers.id), isOpen))
  await db
    .update(bearers)
    .set(nobody)
    .where(
      and(
        eq(bearers.isActive, false),
        sql`${bearers.phone} <> ''`,
        lt(bearers.changedAt, sql`now() - make_interval(days => ${KEEP_INACTIVE_DAYS})`),
        notExists(open),
      ),
    )
}

/** The second condition matches the partial index; without it the query reads every bearer. */
const isOf = (ctx: Ctx, userId: number) =>
  and(inArray(bearers.phone, ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))), sql`${bearers.phone} <> ''`)

/** The entry that has the phone number of this account; for the person themselves. */
export const findBearerOf = async (ctx: Ctx, userId: number): Promise<Bearer | null> =>
  (await ctx.db.select().from(bearers).where(isOf(ctx, userId)))[0] ?? null

/** Runs inside the erasure of this account. Returns the key of the picture to remove. */
export async function forgetBearerOf(ctx: Ctx, userId: number): Promise<string | null> {
  const [listed] = await ctx.db.select().from(bearers).where(isOf(ctx, userId)).for('update')
  if (!listed) return null
  // Open orders can get another bearer.
  await ctx.db
    .update(orders)
    .set({ listedBearerId: null })
    .where(and(eq(orders.listedBearerId, listed.id), isOpen))
  await ctx.db
    .update(bearers)
    .set({ ...nobody, changedAt: ctx.now })
    .where(eq(bearers.id, listed.id))
  return listed.pictureKey
}

async function lockBearer(ctx: Ctx, id: number): Promise<Bearer | undefined> {
  const [bearer] = await ctx.db
    .select()
    .from(bearers)
    .where(and(eq(bearers.id, id), sql`${bearers.phone} <> ''`))
    .for('update')
  return bearer
}

/** VERSION with the admin who forgot the bearer; NOT_FOUND for one whom nobody forgot, for example after an erasure. */
const forgottenMeanwhile = async (ctx: Ctx, id: number): Promise<Problem> =>
  (await findForgetting(ctx, id))
    ? decidedInTrail(ctx, `bearer:${id}`, { bearer_forgotten: (_, locale) => m.trail_event_bearer_forgotten({}, { locale }) })
    : notFound()

async function ensureOwnForgetting(ctx: Ctx, id: number): Promise<null> {
  if ((await findForgetting(ctx, id))?.actorId !== ctx.viewer?.id) throw await forgottenMeanwhile(ctx, id)
  return null
}

const findForgetting = (ctx: Ctx, id: number) => findLastDecision(ctx, `bearer:${id}`, ['bearer_forgotten'])

async function oncePerPhone<T>(statement: PromiseLike<T>): Promise<T> {
  try {
    return await statement
  } catch (error) {
    if (sqlState(error) === '23505') throw invalidField('phone', 'field_bearer_phone_taken')
    throw error
  }
}
