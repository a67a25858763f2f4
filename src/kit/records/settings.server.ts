import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { audit } from './audit.server.ts'
import type { Ctx } from '../context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from '../settings.ts'
import { settings } from '#src/kit/db/tables.ts'

/** A change applies when it is not revoked and its time has come. Every statement compares with the clock, so no job has to run at that time. */
const holdsAt = (now: Date) => sql`(c.effective_at is null or c.effective_at <= ${now.toISOString()}::timestamptz)
  and not exists (select 1 from setting_call_backs b where b.setting_id = c.id)`

/** One SQL value with the current value of each key, to select along with other columns. */
export const currentSettings = ({ now }: Pick<Ctx, 'now'>) => sql`(select jsonb_object_agg(s.key, s.value) from (
  select distinct on (c.key) c.key, c.value from settings c where ${holdsAt(now)}
  order by c.key, coalesce(c.effective_at, c.set_at) desc, c.id desc) s)`

/** Merges the value of `currentSettings` over the defaults. */
export function settingsFrom(set: unknown): MarketSettings {
  const stored = set as Partial<MarketSettings> | null
  // A desk that is newer than the stored setting gets its default target.
  return { ...defaultSettings, ...stored, deskTargets: { ...defaultSettings.deskTargets, ...stored?.deskTargets } }
}

const readSettingsRow = z.object({ set: z.unknown() })

export async function readSettings(ctx: Ctx): Promise<MarketSettings> {
  const row = await oneRowOf(ctx, sql`select ${currentSettings(ctx)} as set`, readSettingsRow)
  return settingsFrom(row.set)
}

/** When a change takes effect, and the reason for it. */
interface SettingPlan {
  effectiveAt: Date
  reason: string
}

/**
 * Stores a value that the caller has validated and authorized. It takes effect at once or at the plan's time. An unchanged value is not stored again.
 */
export async function setSetting<K extends SettingKey>(
  ctx: Ctx,
  key: K,
  value: MarketSettings[K],
  { effectiveAt = ctx.now, reason = '' }: Partial<SettingPlan> = {},
): Promise<void> {
  const isLater = effectiveAt > ctx.now
  await inTransaction(ctx, async (ctx) => {
    const before = (await readSettings({ ...ctx, now: effectiveAt }))[key]
    if (JSON.stringify(before) === JSON.stringify(value)) return
    await ctx.db
      .insert(settings)
      .values({ key, value, reason, setById: ctx.viewer!.id, setAt: ctx.now, effectiveAt: isLater ? effectiveAt : null })
    const change = { from: JSON.stringify(before), to: JSON.stringify(value) }
    if (isLater) await audit(ctx, 'setting_planned', `setting:${key}`, { ...change, on: effectiveAt.toISOString() })
    else await audit(ctx, 'setting_changed', `setting:${key}`, change)
  })
}
