import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from './context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from './settings.ts'
import { settings } from '#src/kit/db/tables.ts'

/** Not called back, and due by now: every process and statement goes by the clock, so nothing has to happen when a change takes effect. */
const holdsAt = (now: Date) => sql`(c.effective_at is null or c.effective_at <= ${now.toISOString()}::timestamptz)
  and not exists (select 1 from setting_call_backs b where b.setting_id = c.id)`

/** Of each key the value that holds, as one SQL value, to be selected along with something else. */
export const currentSettings = ({ now }: Pick<Ctx, 'now'>) => sql`(select jsonb_object_agg(s.key, s.value) from (
  select distinct on (c.key) c.key, c.value from settings c where ${holdsAt(now)}
  order by c.key, coalesce(c.effective_at, c.set_at) desc, c.id desc) s)`

/** The value of `currentSettings`, merged over the defaults. */
export function settingsFrom(set: unknown): MarketSettings {
  const given = set as Partial<MarketSettings> | null
  // A desk that is newer than what was set has its own target.
  return { ...defaultSettings, ...given, deskTargets: { ...defaultSettings.deskTargets, ...given?.deskTargets } }
}

const readSettingsRow = z.object({ set: z.unknown() })

export async function readSettings(ctx: Ctx): Promise<MarketSettings> {
  const rows = await rowsOf(ctx, sql`select ${currentSettings(ctx)} as set`, readSettingsRow)
  return settingsFrom(rows[0]!.set)
}

/** From when on a change holds, and why it is made. */
export interface SettingPlan {
  effectiveAt: Date
  reason: string
}

/**
 * Stores a value that the caller has validated and authorized: it holds at once, or from the plan's moment on. An unchanged value is not
 * stored again.
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
