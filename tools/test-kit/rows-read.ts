import { sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { rowsIn } from './market-state.ts'

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

interface Read {
  /** Examined rows, kept or not. */
  rows: number
  /** The number of scans of the table. */
  looks: number
}

/**
 * Counts what a statement reads of `table`, as EXPLAIN counts it, without a clock. Each sequential scan begins at the
 * first row: PostgreSQL otherwise begins where the scan before it stopped.
 */
export async function readOf(ctx: Ctx, table: string, statement: SQL): Promise<Read> {
  const rows = await ctx.db.transaction(async (db) => {
    await db.execute(sql`set local synchronize_seqscans = off`)
    return rowsIn<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({ db }, sql`explain (analyze, timing off, format json) ${statement}`)
  })
  const read = { rows: 0, looks: 0 }
  const walk = (node: PlanNode): void => {
    if (node['Relation Name'] === table) {
      const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
      read.rows += (node['Actual Rows'] + removed) * node['Actual Loops']
      read.looks += node['Actual Loops']
    }
    node.Plans?.forEach(walk)
  }
  walk(rows[0]!['QUERY PLAN'][0].Plan)
  return read
}

/** Captures the single statement that `read` sends. `read` gets its normal result. */
export async function statementOf(ctx: Ctx, read: (ctx: Ctx) => Promise<unknown>): Promise<SQL> {
  const sent: SQL[] = []
  const db = new Proxy(ctx.db, {
    get(target, name) {
      if (name !== 'execute') return Reflect.get(target, name) as unknown
      return (statement: SQL) => {
        sent.push(statement)
        return target.execute(statement)
      }
    },
  })
  await read({ ...ctx, db })
  if (sent.length !== 1) throw new Error(`Expected one statement, but ${sent.length} were sent.`)
  return sent[0]!
}
