import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireOwnPassword } from '#src/accounts/sign-in/login.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { readSettings, setSetting } from '#src/kit/settings.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from '#src/kit/settings.ts'
import { settingKeys } from './settings-rules.ts'

/** How many changes are shown; all of them stay in the table. */
const SHOWN = 50

/**
 * Changes one setting; concurrent changes run one after the other. `seen` is the value that the admin was shown: if another has changed it
 * since, the answer is VERSION, so that nobody undoes a change unseen. The contact data needs the admin's password, because people trust
 * whoever answers there. ROLE_FORBIDDEN, PASSWORD_WRONG.
 */
export async function changeSetting<K extends SettingKey>(
  ctx: Ctx,
  key: K,
  value: MarketSettings[K],
  { seen, password = '' }: { seen: string; password?: string },
): Promise<void> {
  requireCan(ctx, 'operate')
  if (key === 'contact') await requireOwnPassword(ctx, password)
  await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`setting:${key}`}))`)
    if (JSON.stringify((await readSettings(ctx))[key]) !== seen) throw new Problem('VERSION')
    await setSetting(ctx, key, value)
  })
}

interface SettingHistory {
  id: number
  key: SettingKey
  from: MarketSettings[SettingKey]
  to: MarketSettings[SettingKey]
  by: string
  at: Date
}

const listSettingHistoryRow = z.object({
  id: z.number(),
  key: z.enum(settingKeys),
  before: z.custom<MarketSettings[SettingKey]>().nullable(),
  value: z.custom<MarketSettings[SettingKey]>(),
  name: z.string().nullable(),
  at_ms: z.string(),
})

/** Who set what, when, from what to what; newest first. */
export async function listSettingHistory(ctx: Ctx): Promise<SettingHistory[]> {
  const rows = await rowsOf(
    ctx,
    sql`
    select h.id::int as id, h.key, h.before, h.value, u.name, floor(extract(epoch from h.set_at) * 1000)::bigint as at_ms from (
      select s.*, lag(s.value) over (partition by s.key order by s.id) as before from settings s) h
    left join users u on u.id = h.set_by_id order by h.id desc limit ${SHOWN}`,
    listSettingHistoryRow,
  )
  return rows.map(({ id, key, before, value, name, at_ms }) => ({
    id,
    key,
    from: before ?? defaultSettings[key],
    to: value,
    by: name ?? '',
    at: new Date(Number(at_ms)),
  }))
}
