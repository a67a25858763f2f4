import { sql } from 'drizzle-orm'
import type { TestMarket } from './test-market.ts'

/** Simulates a bug: no row of this table can be added or changed while `act` runs. */
export async function refusingRows<T>(market: TestMarket, table: string, act: () => Promise<T>): Promise<T> {
  const run = (statement: string) => market.owner.execute(sql.raw(statement))
  await run(`create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'a bug'; end $$`)
  await run(`create trigger refuse_row before insert or update on ${table} for each row execute function refuse_row()`)
  try {
    return await act()
  } finally {
    await run(`drop trigger refuse_row on ${table}`)
    await run('drop function refuse_row()')
  }
}
