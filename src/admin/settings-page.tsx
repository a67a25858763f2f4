import { redirect } from 'react-router'
import { z } from 'zod'
import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { anyPassword } from '#src/accounts/schemas.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm } from '#src/kit/http/page.server.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { readSettings } from '#src/kit/settings.server.ts'
import { m } from '#src/paraglide/messages.js'
import { changeSetting, listSettingHistory } from './settings.server.ts'
import { fieldsOf, figureKeys, figureOf, settingFields, settingKeys } from './settings-rules.ts'
import { settingSchemas } from './settings-schemas.ts'
import { SettingsView } from './settings-view.tsx'
import type { Route } from './+types/settings-page'

export const loader = formLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const settings = await readSettings(ctx)
  return {
    settings: figureKeys.map((key) => ({
      key,
      /** The values that the form was rendered with: it must not undo another admin's later change unseen. */
      seen: JSON.stringify(settings[key]),
      fields: settingFields(key).map((field) => ({ field, figure: String(figureOf(settings[key], field)) })),
    })),
    contact: { seen: JSON.stringify(settings.contact), values: settings.contact },
    targets: { seen: JSON.stringify(settings.deskTargets), values: settings.deskTargets },
    history: (await listSettingHistory(ctx)).map(({ at, ...change }) => ({ ...change, at: formatMoment(at, ctx.locale) })),
    done: settingKeys.find((key) => key === url.searchParams.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

/** Length of the longest setting in a form: eleven lines of contact. */
const SEEN_LENGTH = 5000

const ownPassword: z.ZodType<{ password?: string }> = z.object({ password: anyPassword })

export const action = pageAction('settings', async (ctx, { form }) => {
  const { key, seen } = parseForm(z.object({ key: z.enum(settingKeys), seen: z.string().max(SEEN_LENGTH) }), {
    key: textOf(form, 'key'),
    seen: textOf(form, 'seen'),
  })
  const typed = Object.fromEntries(fieldsOf(key).map((field) => [field, textOf(form, field)]))
  const value = parseForm<number | object>(settingSchemas[key], typed) as never
  const { password } = key === 'contact' ? parseForm(ownPassword, { password: textOf(form, 'password') }) : {}
  await changeSetting(ctx, key, value, { seen, ...(password !== undefined && { password }) })
  throw redirect(localized(`/admin/settings?done=${key}#${key}`, ctx.locale))
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/admin/settings',
        title: m.settings_title(),
        description: m.settings_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function SettingsPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SettingsView {...loaderData} refused={actionData?.refused} />
}

export type SettingsData = Route.ComponentProps['loaderData']
