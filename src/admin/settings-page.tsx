import { redirect } from 'react-router'
import { z } from 'zod'
import { anyPassword } from '#src/accounts/schemas.ts'
import type { Ctx } from '#src/kit/context.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import type { MarketSettings } from '#src/kit/settings.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import { leftTo, textLine } from '#src/kit/text/text.ts'
import { formatDay, formatMoment, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { exampleOf } from './settings-example.ts'
import {
  callSettingBack,
  changeSetting,
  lastSettingDay,
  listPlanned,
  listSettingHistory,
  planSetting,
  startOf,
  type PlannedSetting,
} from './settings.server.ts'
import { fieldsOf, figureKeys, figureOf, isFigureKey, settingFields, settingKeys, type FigureSetting } from './settings-rules.ts'
import { settingSchemas } from './settings-schemas.ts'
import { SettingsView } from './settings-view.tsx'
import type { Route } from './+types/settings-page'

export const loader = formLoader(async (ctx, { url }) => {
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
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

const shownPlan = (ctx: Ctx, plan: PlannedSetting | undefined) =>
  plan
    ? { id: plan.id, value: plan.value as FigureSetting, day: formatDay(plan.effectiveAt, ctx.locale), reason: plan.reason, by: plan.by }
    : null

/** Maximum length of a setting in a form; the longest has eleven lines of contact data. */
const SEEN_LENGTH = 5000
const MAX_REASON = 300

const ownPassword = z.object({ password: anyPassword })
const plan = z.object({
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

export const action = pageAction('settings', async (ctx, { form }) => {
  if (textOf(form, 'act') === 'back') return callBack(ctx, form)
  const { key, seen } = parseInput(z.object({ key: z.enum(settingKeys), seen: leftTo('changeSetting', z.string().max(SEEN_LENGTH)) }), {
    key: textOf(form, 'key'),
    seen: textOf(form, 'seen'),
  })
  const typed = Object.fromEntries(fieldsOf(key).map((field) => [field, textOf(form, field)]))
  const value = parseInput<number | object>(settingSchemas[key], typed) as never
  const more = (...names: string[]) => Object.fromEntries(names.map((name) => [name, textOf(form, name)]))
  if (isFigureKey(key))
    await planSetting(ctx, key, value, { seen, ...parseInput(plan, more('day', 'reason')), ...parseInput(ownPassword, more('password')) })
  else await changeSetting(ctx, key, value, { seen, ...(key === 'contact' && parseInput(ownPassword, more('password'))) })
  throw redirect(localized(`/admin/settings?done=${key}#${key}`, ctx.locale))
})

async function callBack(ctx: Ctx, form: FormData): Promise<never> {
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  await callSettingBack(ctx, id)
  throw redirect(localized('/admin/settings?back=1', ctx.locale))
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/settings',
        title: m.settings_title(),
        description: m.settings_lead(),
      })
    : []

export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SettingsView {...loaderData} refused={actionData?.refused} />
}

export type SettingsData = Route.ComponentProps['loaderData']
