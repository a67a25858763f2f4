import { createHash } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction, type Db } from './database.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { idempotency } from './tables.ts'

/** Answers are stored this long; a repetition after that is a new request. */
const KEEP_HOURS = 48
/** Of acts that may wait on a phone for a line, by how their owner ends: as long as a draft is kept (decision 0070). */
const MAY_WAIT = '\\|(sell|edit)$'
const KEEP_WAITING_DAYS = 60
/** As the draft standard's examples have it: visible ASCII, at most this long. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

/**
 * Acts once for a key, however often and however close together the request comes: the first one writes key and answer in the
 * transaction that acts, the others wait for it and get the same answer. Nothing is stored of a failed act, so it may be tried again.
 * `act` must do all its work through the ctx it is given. IDEMPOTENCY_MISMATCH when the key came with another request before.
 */
export async function once<T>(
  ctx: Ctx,
  { owner, key, request }: { owner: string; key: string; request: unknown },
  act: (ctx: Ctx) => Promise<T>,
): Promise<T> {
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest()
  const row = and(eq(idempotency.owner, owner), eq(idempotency.key, key))
  return inTransaction(ctx, async (ctx) => {
    // The row is the lock: a second request stands here until the first has committed or given up.
    const [mine] = await ctx.db
      .insert(idempotency)
      .values({ owner, key, requestHash })
      .onConflictDoNothing()
      .returning({ key: idempotency.key })
    if (mine) {
      const answer = await act(ctx)
      await ctx.db.update(idempotency).set({ answer }).where(row)
      return answer
    }
    const [first] = await ctx.db.select().from(idempotency).where(row)
    if (!first?.requestHash.equals(requestHash)) throw new Problem('IDEMPOTENCY_MISMATCH')
    return first.answer as T
  })
}

/** The stored answer for this key; null when it is new. For rate limits: a repetition takes nothing. */
export async function findAnswer(ctx: Ctx, { owner, key }: { owner: string; key: string }): Promise<unknown> {
  const [row] = await ctx.db
    .select({ answer: idempotency.answer })
    .from(idempotency)
    .where(and(eq(idempotency.owner, owner), eq(idempotency.key, key)))
  return row?.answer ?? null
}

export async function sweepIdempotency(db: Db): Promise<void> {
  const { createdAt, owner } = idempotency
  const isOld = sql`${createdAt} < now() - make_interval(hours => ${KEEP_HOURS})`
  const isDone = sql`(${owner} !~ ${MAY_WAIT} or ${createdAt} < now() - make_interval(days => ${KEEP_WAITING_DAYS}))`
  await db.delete(idempotency).where(sql`${isOld} and ${isDone}`)
}
