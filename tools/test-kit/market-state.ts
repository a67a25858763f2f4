import { sql, type SQL } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import type { Db } from '#src/kit/db/db.ts'

/** Rows of a test's own statement, without a check of their shape. */
export const rowsIn = async <Row>({ db }: { db: Pick<Db, 'execute'> }, query: SQL): Promise<Row[]> =>
  ((await db.execute(query)) as { rows: unknown[] }).rows as Row[]

/** A checksum of every table except those that count attempts or last visits. It is equal as long as nothing changes. */
export async function stateOf(ctx: Ctx): Promise<string> {
  const tables = await rowsIn<{ name: string }>(
    ctx,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_name not in ('limit_counts', 'failure_ladders', 'sessions', 'pincodes') order by 1`,
  )
  const sums: string[] = []
  for (const { name } of tables) {
    const [row] = await rowsIn<{ sum: string }>(
      ctx,
      sql.raw(`select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as sum from "${name}" t`),
    )
    sums.push(`${name} ${row!.sum}`)
  }
  return sums.join('\n')
}
