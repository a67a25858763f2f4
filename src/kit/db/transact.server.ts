import { setTimeout as sleep } from 'node:timers/promises'
import { is } from 'drizzle-orm'
import { PgTransaction } from 'drizzle-orm/pg-core'
import { tally } from '#src/kit/base/tally.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { sqlState } from './database-errors.server.ts'
import type { Db } from './db.ts'
import type { Deadline } from './deadline.server.ts'

/** The part of a ctx that a transaction needs. Its act gets the whole ctx, with the transaction as database. */
export type InDatabase = { db: Db; log: Log; deadline?: Deadline | undefined }

/** All our transactions are `read write` anyway. The explicit option tells the connection not to await BEGIN (database-client.server.ts). */
export const eagerly = { accessMode: 'read write' } as const

const MAX_REPEATS = 2
const PAUSE_MS = 20

/**
 * Repeats a transaction, at most twice, that the database rolled back in favour of another one: a deadlock (40P01) or a serialization failure
 * (40001). It had no effect, so a person need not repeat it. A pause lets the other one go on first; otherwise both may meet again. A transaction
 * within another one fails with it, and the outer one is repeated.
 */
export async function transact<C extends InDatabase, T>(ctx: C, act: (ctx: C) => Promise<T>, how: typeof eagerly | undefined): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await transactOnce(ctx, act, how)
    } catch (error) {
      const state = sqlState(error)
      if (repeats === MAX_REPEATS || is(ctx.db, PgTransaction) || (state !== '40P01' && state !== '40001')) throw error
      tally('sandhai_transactions_repeated_total', { state })
      ctx.log.warn({ err: error }, 'a transaction is repeated')
      await sleep(PAUSE_MS * (1 + Math.random()))
    }
  }
}

function transactOnce<C extends InDatabase, T>(ctx: C, act: (ctx: C) => Promise<T>, how: typeof eagerly | undefined): Promise<T> {
  const { deadline } = ctx
  if (!deadline) return ctx.db.transaction((db) => act({ ...ctx, db }), how)
  const withinTime = () =>
    ctx.db.transaction(async (db) => {
      const answer = await act({ ...ctx, db })
      deadline.beforeCommit()
      return answer
    }, how)
  return deadline.around(withinTime)
}
