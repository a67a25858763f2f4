import { sql } from 'drizzle-orm'
import { can } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/database.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { readSettings, setSetting } from '#src/kit/settings.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from '#src/kit/settings.ts'

/** So many changes are shown; all of them stay in the table. */
const SHOWN = 50

/**
 * An admin sets one thing; what two admins set at once comes one after the other. `seen` is what he was shown: when another has set
 * it since, he is told (VERSION) instead of undoing that unseen. ROLE_FORBIDDEN.
 */
export async function changeSetting<K extends SettingKey>(ctx: Ctx, key: K, value: MarketSettings[K], seen: string): Promise<void> {
  if (!can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
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

/** Who set what, when, from what to what; newest first. */
export async function listSettingHistory(ctx: Ctx): Promise<SettingHistory[]> {
  const { rows } = (await ctx.db.execute(sql`
    select h.id::int as id, h.key, h.before, h.value, u.name, floor(extract(epoch from h.set_at) * 1000)::bigint as at_ms from (
      select s.*, lag(s.value) over (partition by s.key order by s.id) as before from settings s) h
    left join users u on u.id = h.set_by_id order by h.id desc limit ${SHOWN}`)) as unknown as {
    rows: {
      id: number
      key: SettingKey
      before: MarketSettings[SettingKey] | null
      value: MarketSettings[SettingKey]
      name: string | null
      at_ms: string
    }[]
  }
  return rows.map(({ id, key, before, value, name, at_ms }) => ({
    id,
    key,
    from: before ?? defaultSettings[key],
    to: value,
    by: name ?? '',
    at: new Date(Number(at_ms)),
  }))
}
