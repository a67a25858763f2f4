import { sql } from 'drizzle-orm'
import { audit } from './audit.server.ts'
import type { Ctx } from './context.ts'
import { inTransaction } from './database.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from './settings.ts'
import { settings } from './tables.ts'

/** The newest of each key, as one value: to be asked for beside something else in the same statement. */
export const currentSettings = sql`(select jsonb_object_agg(s.key, s.value) from (
  select distinct on (key) key, value from settings order by key, id desc) s)`

/** What `currentSettings` answered, over what holds until anything is set. */
export const settingsFrom = (set: unknown): MarketSettings => ({ ...defaultSettings, ...(set as Partial<MarketSettings> | null) })

export async function readSettings(ctx: Ctx): Promise<MarketSettings> {
  const { rows } = (await ctx.db.execute(sql`select ${currentSettings} as set`)) as unknown as { rows: { set: unknown }[] }
  return settingsFrom(rows[0]!.set)
}

/** The value as the caller has checked it; what is set already is not set again. Whoever may is the caller's business, too. */
export async function setSetting<K extends SettingKey>(ctx: Ctx, key: K, value: MarketSettings[K]): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const before = (await readSettings(ctx))[key]
    if (JSON.stringify(before) === JSON.stringify(value)) return
    await ctx.db.insert(settings).values({ key, value, setById: ctx.viewer!.id, setAt: ctx.now })
    await audit(ctx, 'setting_changed', `setting:${key}`, { from: JSON.stringify(before), to: JSON.stringify(value) })
  })
}
