import { redirect } from 'react-router'
import { z } from 'zod'
import { anyPassword } from '#src/accounts/schemas.ts'
import type { Ctx } from '#src/kit/context.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { leftTo } from '#src/kit/text/text.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import type { ContactSetting, DeskTargets } from '#src/kit/settings.ts'
import { callSettingBack, changeSetting, planSetting } from './settings.server.ts'
import { fieldsOf, isFigureKey, settingKeys } from './settings-rules.ts'
import { settingSchemas } from './settings-schemas.ts'
import { readSettingsPage, plan, type SettingsData } from './settings-view.server.ts'
import { ContactForm, contactChanges } from './settings-contact.tsx'
import { TargetsForm, targetChanges } from './settings-targets.tsx'
import { SmsForm } from './settings-sms.tsx'
import { VetDayForm } from './settings-vets.tsx'
import { FigureSettingPanel } from './settings-figures.tsx'
import { settingNames, settingText } from './settings-texts.ts'
import type { Route } from './+types/settings-page'

export const loader = formLoader(readSettingsPage)

/** Maximum length of a setting in a form; the longest has eleven lines of contact data. */
const SEEN_LENGTH = 5000

const ownPassword = z.object({ password: anyPassword })

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

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.settings_title(), description: m.settings_lead() }))

/** Sandhai's fees and discounts, and the history of changes. Placed orders keep the values of their day. */
export default function SettingsPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const { settings, contact, targets, history, done, isCalledBack } = page
  const refused = actionData?.refused
  return (
    <div className="space-y-4 py-2">
      <DeskTitle>{m.settings_title()}</DeskTitle>
      {done && !refused && <FormDone>{m.settings_done({ name: settingNames[done]() })}</FormDone>}
      {isCalledBack && !refused && <FormDone>{m.settings_back_done()}</FormDone>}
      <div className="grid items-start gap-4 md:grid-cols-2">
        {settings.map((setting) => (
          <FigureSettingPanel key={setting.key} name={settingNames[setting.key]()} setting={setting} page={{ ...page, refused }} />
        ))}
      </div>
      <ContactForm contact={contact} refused={refused?.typed.key === 'contact' ? refused : undefined} />
      <TargetsForm targets={targets} refused={refused?.typed.key === 'deskTargets' ? refused : undefined} />
      <SmsForm sms={page.sms} refused={refused?.typed.key === 'smsPaise' ? refused : undefined} />
      <VetDayForm vetDay={page.vetDay} refused={refused?.typed.key === 'vetDay' ? refused : undefined} />
      {/* Only a page of another release sends a form without the name of a setting. */}
      {refused && !(refused.typed.key! in settingNames) && <FormFailure {...refused} />}
      <History history={history} />
    </div>
  )
}

function changesOf({ key, from, to }: Pick<SettingsData['history'][number], 'key' | 'from' | 'to'>): [string, string][] {
  if (key === 'contact') return contactChanges(from as ContactSetting, to as ContactSetting)
  if (key === 'deskTargets') return targetChanges(from as DeskTargets, to as DeskTargets)
  return [[settingText(key, from), settingText(key, to)]]
}

function History({ history }: Pick<SettingsData, 'history'>) {
  return (
    <TitledPanel id="settings-history" title={m.settings_history()}>
      {history.length === 0 ? (
        <p className="mt-2 text-stone">{m.settings_history_none()}</p>
      ) : (
        <ol className="mt-2 divide-y divide-line">
          {history.map(({ id, key, from, to, by, at, since, reason, isCalledBack }) => (
            <li key={id} className="py-2">
              <b>{settingNames[key]()}</b>
              {changesOf({ key, from, to }).map(([before, after]) => (
                <span key={before} className="block break-words">
                  {before} <span aria-hidden="true">→</span>
                  <span className="sr-only">{m.settings_to()}</span> {after}
                </span>
              ))}
              {since && <span className="block">{m.settings_holds_from({ day: since })}</span>}
              {reason && <span className="block break-words">“{reason}”</span>}
              {isCalledBack && <span className="chip-bad">{m.settings_called_back()}</span>}
              <span className="block text-sm text-stone">
                {at} · {by || m.profile_deleted_user()}
              </span>
            </li>
          ))}
        </ol>
      )}
    </TitledPanel>
  )
}
