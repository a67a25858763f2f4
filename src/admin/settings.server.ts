import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { decidedBy, decidedInTrail, findLastDecision, type DecisionDetails } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { settingCallBacks, settings } from '#src/kit/db/tables.ts'
import { formatDay, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { readSettings, setSetting } from '#src/kit/records/settings.server.ts'
import { defaultSettings, type MarketSettings, type SettingKey } from '#src/kit/settings.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { settingKeys, type FigureKey } from './settings-rules.ts'
import { settingNames, settingText } from './settings-texts.ts'

/** How many changes the page shows; the table keeps all. */
const SHOWN = 50

/**
 * Changes one setting; concurrent changes run one after the other. `seen` is the value that the admin was shown: if it has changed since,
 * the call raises VERSION, so that nobody overwrites a change unseen. Contact data needs the admin's password, because people trust whoever
 * answers there. Raises ROLE_FORBIDDEN, PASSWORD_WRONG.
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
    await lockKey(ctx, key)
    if (JSON.stringify((await readSettings(ctx))[key]) !== seen) return ensureOwnRepeat(ctx, key, { to: JSON.stringify(value) })
    await setSetting(ctx, key, value)
  })
}

/** How many days ahead an admin can plan a change. */
const SETTING_DAYS = 366

/** The start of an Indian day: midnight in India. */
export const startOf = (day: string) => new Date(`${day}T00:00+05:30`)

export const lastSettingDay = (now: Date): string => indianDayIn(now, SETTING_DAYS)

/**
 * Changes a money setting from an Indian day on, with a reason and the admin's password; today means at once. It can be cancelled until it
 * takes effect. A key has one planned change at a time. `seen` as in `changeSetting`. Raises VERSION when another admin has changed or
 * planned something meanwhile, and VALIDATION, ROLE_FORBIDDEN, PASSWORD_WRONG.
 */
export async function planSetting<K extends FigureKey>(
  ctx: Ctx,
  key: K,
  value: MarketSettings[K],
  { seen, day, reason, password }: { seen: string; day: string; reason: string; password: string },
): Promise<void> {
  requireCan(ctx, 'operate')
  if (day < indianDay(ctx.now) || day > lastSettingDay(ctx.now)) throw invalidField('day', 'field_setting_day')
  await requireOwnPassword(ctx, password)
  await inTransaction(ctx, async (ctx) => {
    await lockKey(ctx, key)
    const isPlanned = (await listPlanned(ctx)).some((each) => each.key === key)
    const plan = { to: JSON.stringify(value), ...(day > indianDay(ctx.now) && { on: startOf(day).toISOString() }) }
    if (isPlanned || JSON.stringify((await readSettings(ctx))[key]) !== seen) return ensureOwnRepeat(ctx, key, plan)
    await setSetting(ctx, key, value, { effectiveAt: startOf(day), reason })
  })
}

const nameOf = (key: SettingKey, to: unknown, locale: Locale): string =>
  [settingNames[key]({}, { locale }), settingText(key, JSON.parse(String(to)), { locale })].filter(Boolean).join(': ')

/** Another change came first: returns for the same one by the same admin, else throws VERSION (decision 0112). */
async function ensureOwnRepeat(ctx: Ctx, key: SettingKey, change: { to: string; on?: string }): Promise<void> {
  const texts = {
    setting_changed: ({ to }: DecisionDetails, locale: Locale) => nameOf(key, to, locale),
    setting_planned: ({ to, on }: DecisionDetails, locale: Locale) =>
      `${nameOf(key, to, locale)}. ${m.settings_holds_from({ day: formatDay(new Date(String(on)), locale) }, { locale })}`,
    setting_called_back: (_: DecisionDetails, locale: Locale) =>
      `${settingNames[key]({}, { locale })}: ${m.settings_called_back({}, { locale })}`,
  }
  const object = `setting:${key}`
  const last = await findLastDecision(ctx, object, ['setting_changed', 'setting_planned', 'setting_called_back'])
  const own = last?.actorId === ctx.viewer?.id && last?.event !== 'setting_called_back' ? last : null
  if (own?.details.to === change.to && own.details.on === change.on) return
  throw await decidedInTrail(ctx, object, texts)
}

const lockKey = (ctx: Ctx, key: SettingKey) => ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`setting:${key}`}))`)

/**
 * Cancels a planned change with an entry of its own; the same admin may repeat it. Raises NOT_FOUND, ROLE_FORBIDDEN,
 * and VERSION once the change has taken effect or another admin has cancelled it.
 */
export async function callSettingBack(ctx: Ctx, id: number): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const [change] = await ctx.db.select().from(settings).where(eq(settings.id, id))
    if (!change || change.effectiveAt === null) throw notFound()
    if (change.effectiveAt <= ctx.now) throw new Problem('VERSION', { sentence: (locale) => m.settings_back_late({}, { locale }) })
    await lockKey(ctx, change.key as SettingKey)
    const entry = { settingId: id, byId: requireLoggedIn(ctx).id, at: ctx.now }
    const [made] = await ctx.db.insert(settingCallBacks).values(entry).onConflictDoNothing().returning()
    if (made) return audit(ctx, 'setting_called_back', `setting:${change.key}`, { to: JSON.stringify(change.value) })
    const [back] = await ctx.db.select().from(settingCallBacks).where(eq(settingCallBacks.settingId, id))
    if (!back || back.byId === ctx.viewer?.id) return
    throw await decidedBy(ctx, { ...back, what: (locale) => m.settings_called_back({}, { locale }) })
  })
}

export interface PlannedSetting {
  id: number
  key: SettingKey
  value: MarketSettings[SettingKey]
  effectiveAt: Date
  reason: string
  by: string
}

/** Planned changes, the next one first. */
export async function listPlanned(ctx: Ctx): Promise<PlannedSetting[]> {
  const rows = await ctx.db
    .select({ change: settings, by: users.name })
    .from(settings)
    .leftJoin(users, eq(users.id, settings.setById))
    .leftJoin(settingCallBacks, eq(settingCallBacks.settingId, settings.id))
    .where(and(gt(settings.effectiveAt, ctx.now), isNull(settingCallBacks.settingId)))
    .orderBy(settings.effectiveAt, settings.id)
  return rows.map(({ change, by }) => ({
    id: change.id,
    key: change.key as SettingKey,
    value: change.value as MarketSettings[SettingKey],
    effectiveAt: change.effectiveAt!,
    reason: change.reason,
    by: by ?? '',
  }))
}

const historyRow = z.object({
  id: z.number(),
  key: z.enum(settingKeys),
  from: z.custom<MarketSettings[SettingKey]>().nullable(),
  to: z.custom<MarketSettings[SettingKey]>(),
  by: z.string(),
  at: momentShape,
  /** When the value takes effect, if that is later than the time of the change. */
  effectiveAt: momentShape.nullable(),
  reason: z.string(),
  isCalledBack: z.boolean(),
})
interface SettingHistory extends z.output<typeof historyRow> {
  from: MarketSettings[SettingKey]
}

/** The changes of settings, newest first: by whom, when, from what to what. */
export async function listSettingHistory(ctx: Ctx): Promise<SettingHistory[]> {
  const rows = await rowsOf(
    ctx,
    sql`
    select h.id::int as id, h.key, h.value as "to", coalesce(u.name, '') as by, ${epochMs(sql`h.set_at`)} as at,
      ${epochMs(sql`h.effective_at`)} as "effectiveAt", h.reason, c.setting_id is not null as "isCalledBack",
      (select p.value from settings p where p.key = h.key and not exists (select 1 from setting_call_backs b where b.setting_id = p.id)
        and (coalesce(p.effective_at, p.set_at), p.id) < (coalesce(h.effective_at, h.set_at), h.id)
        order by coalesce(p.effective_at, p.set_at) desc, p.id desc limit 1) as "from"
    from settings h left join users u on u.id = h.set_by_id left join setting_call_backs c on c.setting_id = h.id
    order by h.id desc limit ${SHOWN}`,
    historyRow,
  )
  return rows.map((row) => ({ ...row, from: row.from ?? defaultSettings[row.key] }))
}
