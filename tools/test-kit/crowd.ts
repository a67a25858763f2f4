import { sql } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { rowsIn } from './market-state.ts'

export interface CrowdBuyer {
  viewer: Viewer
  addressId: number
}

/** Makes many buyers with an address in Kangeyam each, in two statements. */
export async function makeCrowd(ctx: Ctx, count: number): Promise<CrowdBuyer[]> {
  const statement = sql`
    with people as (
      insert into users (phone, name, type_id, title_id, password_hash, referral_code)
      -- Start after the highest existing id, so that no two crowds share a phone number.
      select '+916' || lpad(((select coalesce(max(id), 0) from users) + n)::text, 9, '0'), 'Crowd', 1, 1, '-',
        upper(substr(md5(random()::text || n), 1, 10))
      from generate_series(1, ${count}::int) as n returning id)
    insert into addresses (user_id, name, phone, type_id, address_1, address_2, pincode)
    select id, 'Home', '+919000000000', 2, '1 Sample Street', 'Main Road', '638701' from people
    returning id::int as "addressId", user_id::int as id`
  return (await rowsIn<{ addressId: number; id: number }>(ctx, statement)).map(({ id, addressId }) => ({
    viewer: { id, name: 'Crowd', typeId: 1, vetApproved: false, superAdmin: false },
    addressId,
  }))
}

/** Runs `act` for all items, `atOnce` at a time, as many as a busy site admits. Returns each outcome: "taken", a problem's code, or the error. */
export async function rush<T>(items: T[], atOnce: number, act: (item: T, n: number) => Promise<unknown>): Promise<string[]> {
  const ends: string[] = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const n = next++
      ends[n] = await act(items[n]!, n).then(
        () => 'taken',
        (error: unknown) => (error instanceof Problem ? error.code : String(error)),
      )
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return ends
}

export const countOf = (ends: string[]): Record<string, number> =>
  Object.fromEntries([...new Set(ends)].map((end) => [end, ends.filter((each) => each === end).length]))
