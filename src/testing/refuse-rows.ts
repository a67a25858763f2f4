import { sql } from 'drizzle-orm'
import type { TestMarket } from './test-market.ts'

/** Simulates a bug: no row can be added to this table while `act` runs. */
export async function refusingRows(market: TestMarket, table: string, act: () => Promise<void>): Promise<void> {
  const run = (statement: string) => market.owner.execute(sql.raw(statement))
  await run(`create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'a bug'; end $$`)
  await run(`create trigger refuse_row before insert on ${table} for each row execute function refuse_row()`)
  try {
    await act()
  } finally {
    await run(`drop trigger refuse_row on ${table}`)
    await run('drop function refuse_row()')
  }
}
