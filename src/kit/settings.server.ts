import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from './context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from './settings.ts'
import { settings } from '#src/kit/db/tables.ts'

/** The newest value of each key, as one SQL value, to be selected along with something else. */
export const currentSettings = sql`(select jsonb_object_agg(s.key, s.value) from (
  select distinct on (key) key, value from settings order by key, id desc) s)`

/** The value of `currentSettings`, merged over the defaults. */
export const settingsFrom = (set: unknown): MarketSettings => ({ ...defaultSettings, ...(set as Partial<MarketSettings> | null) })

const readSettingsRow = z.object({ set: z.unknown() })

export async function readSettings(ctx: Ctx): Promise<MarketSettings> {
  const rows = await rowsOf(ctx, sql`select ${currentSettings} as set`, readSettingsRow)
  return settingsFrom(rows[0]!.set)
}

/** Stores a value that the caller has validated and authorized. An unchanged value is not stored again. */
export async function setSetting<K extends SettingKey>(ctx: Ctx, key: K, value: MarketSettings[K]): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const before = (await readSettings(ctx))[key]
    if (JSON.stringify(before) === JSON.stringify(value)) return
    await ctx.db.insert(settings).values({ key, value, setById: ctx.viewer!.id, setAt: ctx.now })
    await audit(ctx, 'setting_changed', `setting:${key}`, { from: JSON.stringify(before), to: JSON.stringify(value) })
  })
}
