import { desc, sql } from 'drizzle-orm'
import { audit } from './audit.server.ts'
import type { Ctx } from './context.ts'
import { inTransaction } from './database.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from './settings.ts'
import { settings } from './tables.ts'

/** Fixed here, so that the newest of each key is one look at its index. */
const keys = Object.keys(defaultSettings) as SettingKey[]

export async function readSettings(ctx: Ctx): Promise<MarketSettings> {
  const { rows } = (await ctx.db.execute(sql`
    select k.key, (select s.value from settings s where s.key = k.key order by s.id desc limit 1) as value
    from jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as k(key)`)) as unknown as {
    rows: { key: SettingKey; value: unknown }[]
  }
  const set = Object.fromEntries(rows.filter(({ value }) => value !== null).map(({ key, value }) => [key, value]))
  return { ...defaultSettings, ...set }
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

export interface SettingChange {
  id: number
  key: SettingKey
  value: MarketSettings[SettingKey]
  setById: number
  setAt: Date
}

/** Newest first. */
export async function listSettingChanges(ctx: Ctx, count: number): Promise<SettingChange[]> {
  const rows = await ctx.db.select().from(settings).orderBy(desc(settings.id)).limit(count)
  return rows as SettingChange[]
}
