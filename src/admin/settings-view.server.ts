import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import type { MarketSettings } from '#src/kit/settings.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import { textLine } from '#src/kit/text/text.ts'
import { formatDay, formatMoment, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import type { FormPage, PageArgs } from '#src/kit/http/page.server.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { m } from '#src/paraglide/messages.js'
import { exampleOf } from './settings-example.ts'
import { lastSettingDay, listPlanned, listSettingHistory, startOf, type PlannedSetting } from './settings.server.ts'
import { figureKeys, figureOf, settingFields, settingKeys, type FigureSetting } from './settings-rules.ts'
import { settingSchemas } from './settings-schemas.ts'

export async function readSettingsPage(ctx: Ctx, { url }: PageArgs) {
  const settings = await readSettings(ctx)
  const planned = await listPlanned(ctx)
  return {
    settings: figureKeys.map((key) => ({
      key,
      /** The values that the form was rendered with, so that it cannot overwrite another admin's later change unseen. */
      seen: JSON.stringify(settings[key]),
      value: settings[key] as FigureSetting,
      fields: settingFields(key).map((field) => ({ field, figure: String(figureOf(settings[key], field)) })),
      planned: shownPlan(
        ctx,
        planned.find((each) => each.key === key),
      ),
    })),
    preview: previewIn(ctx, settings, url.searchParams),
    today: indianDay(ctx.now),
    lastDay: lastSettingDay(ctx.now),
    contact: { seen: JSON.stringify(settings.contact), values: settings.contact },
    sms: { seen: JSON.stringify(settings.smsPaise), paise: settings.smsPaise },
    vetDay: { seen: JSON.stringify(settings.vetDay), values: settings.vetDay },
    targets: { seen: JSON.stringify(settings.deskTargets), values: settings.deskTargets },
    history: (await listSettingHistory(ctx)).map(({ at, effectiveAt, ...change }) => ({
      ...change,
      at: formatMoment(at, ctx.locale),
      since: effectiveAt && formatDay(effectiveAt, ctx.locale),
    })),
    done: settingKeys.find((key) => key === url.searchParams.get('done')) ?? null,
    isCalledBack: url.searchParams.has('back'),
  }
}

const shownPlan = (ctx: Ctx, plan: PlannedSetting | undefined) =>
  plan
    ? { id: plan.id, value: plan.value as FigureSetting, day: formatDay(plan.effectiveAt, ctx.locale), reason: plan.reason, by: plan.by }
    : null

const MAX_REASON = 300

export const plan = z.object({
  day: z.iso.date('field_setting_day'),
  reason: textLine(MAX_REASON).refine((text) => text !== '', 'field_setting_reason'),
})

/** Previews a typed change before it is stored: its effect, or its error. Null when nothing was typed. */
function previewIn(ctx: Ctx, settings: MarketSettings, query: URLSearchParams) {
  const key = figureKeys.find((each) => each === query.get('preview'))
  if (!key) return null
  const typed = Object.fromEntries(
    [...settingFields(key), 'day', 'reason'].map((name) => [name, (query.get(name) ?? '').slice(0, MAX_REASON)]),
  )
  const value = settingSchemas[key].safeParse(typed)
  const when = plan.safeParse(typed)
  const issues = [...(value.error?.issues ?? []), ...(when.error?.issues ?? [])]
  const wordsOf = (message: string) => fieldText(message, ctx.locale) ?? m.field_wrong({}, { locale: ctx.locale })
  const errors: Record<string, string> = Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), wordsOf(message)]))
  const isLate = when.success && (when.data.day < indianDay(ctx.now) || when.data.day > lastSettingDay(ctx.now))
  if (isLate) errors.day = wordsOf('field_setting_day')
  if (!value.success || !when.success || isLate) return { key, typed, errors, plan: null }
  const after = exampleOf({ ...settings, [key]: value.data }, key)
  return {
    key,
    typed,
    errors,
    plan: {
      from: settings[key] as FigureSetting,
      to: value.data as FigureSetting,
      day: formatDay(startOf(when.data.day), ctx.locale),
      isNow: when.data.day === indianDay(ctx.now),
      reason: when.data.reason,
      example: exampleOf(settings, key).map(([line, before], n) => ({
        line,
        before: formatRupees(before),
        after: formatRupees(after[n]![1]),
      })),
    },
  }
}

export type SettingsData = FormPage<typeof readSettingsPage>
