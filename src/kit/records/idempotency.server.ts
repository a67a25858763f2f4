import { createHash } from 'node:crypto'
import { and, eq, sql, TransactionRollbackError, type SQL } from 'drizzle-orm'
import type { Ctx } from '../context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { sqlState } from '#src/kit/db/database-errors.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { idempotency } from '#src/kit/db/tables.ts'

/** The retention of answers. A repetition after this time counts as a new request. */
const KEEP_HOURS = 48
/** Suffixes of the owners of acts that may wait on an offline phone. Their answers are kept as long as a draft (decision 0070). */
const MAY_WAIT = '\\|(sell|edit|check)$'
const KEEP_WAITING_DAYS = 60
/** As in the examples of the IETF draft: visible ASCII, at most 255 characters. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/**
 * Acts once per key, however often and however concurrently the request arrives. The first request writes key and answer in the transaction that
 * acts; the others wait for it and get the same answer. A failed act stores nothing, so a retry may act. `act` must do all its work through its ctx.
 * Throws IDEMPOTENCY_MISMATCH when the key was used for a different request.
 */
export async function once<T>(
  ctx: Ctx,
  { owner, key, request }: { owner: string; key: string; request: unknown },
  act: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const requestHash = hashOf(request)
  const row = rowOf(owner, key)
  return inTransaction(ctx, async (ctx) => {
    // The row is the lock: a second request blocks here until the first has committed or rolled back.
    const [inserted] = await ctx.db
      .insert(idempotency)
      .values({ owner, key, requestHash })
      .onConflictDoNothing()
      .returning({ key: idempotency.key })
    if (inserted) {
      const answer = await act(ctx)
      await ctx.db.update(idempotency).set({ answer }).where(row)
      return answer
    }
    const [first] = await ctx.db.select().from(idempotency).where(row)
    if (!first?.requestHash.equals(requestHash)) throw new Problem('IDEMPOTENCY_MISMATCH')
    return first.answer as T
  })
}

/**
 * The parts of `once` for an act that locks its owner first and sends its statements in few batches: call `find` after taking that lock, `begin` in
 * the next batch, `end` with the last. The lock keeps a second request out in between.
 */
export function namedAct<T>({ owner, key, request }: { owner: string; key: string; request: unknown }) {
  const requestHash = hashOf(request)
  return {
    /** Returns the first answer, or null for a new key. Throws IDEMPOTENCY_MISMATCH like `once`. */
    async find(ctx: Ctx): Promise<T | null> {
      const [first] = await ctx.db.select().from(idempotency).where(rowOf(owner, key))
      if (!first) return null
      if (!first.requestHash.equals(requestHash)) throw new Problem('IDEMPOTENCY_MISMATCH')
      return first.answer as T
    },
    begin: (ctx: Ctx) => ctx.db.insert(idempotency).values({ owner, key, requestHash }),
    end: (ctx: Ctx, answer: T) => ctx.db.update(idempotency).set({ answer }).where(rowOf(owner, key)),
  }
}

const hashOf = (request: unknown) => createHash('sha256').update(JSON.stringify(request)).digest()
const rowOf = (owner: string, key: string) => and(eq(idempotency.owner, owner), eq(idempotency.key, key))

/** Returns the stored answer for this key, or null for a new key. Rate limits use it: a repetition consumes no points. */
export async function findAnswer(ctx: Ctx, { owner, key }: { owner: string; key: string }): Promise<unknown> {
  const [row] = await ctx.db.select({ answer: idempotency.answer }).from(idempotency).where(rowOf(owner, key))
  return row?.answer ?? null
}

/** `running`: the first request with this key has not ended. `none`: the request was rolled back or never arrived. */
export type Outcome = 'done' | 'running' | 'none'

/** Longer than a request normally takes, shorter than people wait for a page. */
const RUNNING_AFTER = '1s'

/**
 * Returns the outcome of an earlier request. It takes the same locks as a repetition, in a transaction that always rolls back: first `lock`, the
 * statement with which an act of `namedAct` locks its owner, then the rows of the keys.
 */
export async function findOutcome(ctx: Ctx, { owners, key, lock }: { owners: string[]; key: string; lock?: SQL }): Promise<Outcome> {
  let outcome: Outcome = 'none'
  const rows = owners.map((owner) => ({ owner, key, requestHash: Buffer.alloc(0) }))
  const ask = ctx.db.transaction(async (tx) => {
    await tx.execute(sql.raw(`set local lock_timeout = '${RUNNING_AFTER}'`))
    if (lock) await tx.execute(lock)
    const free = await tx.insert(idempotency).values(rows).onConflictDoNothing().returning({ key: idempotency.key })
    if (free.length < owners.length) outcome = 'done'
    tx.rollback()
  })
  await ask.catch((error: unknown) => {
    if (error instanceof TransactionRollbackError) return
    if (sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
    outcome = 'running'
  })
  return outcome
}

const LOCK_NOT_AVAILABLE = '55P03'

export async function sweepIdempotency(db: Db): Promise<void> {
  const { createdAt, owner } = idempotency
  const isOld = sql`${createdAt} < now() - make_interval(hours => ${KEEP_HOURS})`
  const isDone = sql`(${owner} !~ ${MAY_WAIT} or ${createdAt} < now() - make_interval(days => ${KEEP_WAITING_DAYS}))`
  await db.delete(idempotency).where(sql`${isOld} and ${isDone}`)
}
