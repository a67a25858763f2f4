import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { ContactSetting, DeskTargets, SettingKey } from '#src/kit/settings.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { SettingFrame } from './settings-frame.tsx'
import type { SettingsData } from './settings-page.tsx'
import { ContactForm, contactChanges } from './settings-contact.tsx'
import { TargetsForm, targetChanges } from './settings-targets.tsx'
import { figureOf, settingFields, type FigureSetting, type SettingField } from './settings-rules.ts'

type Setting = SettingsData['settings'][number]

const names: Record<SettingKey, () => string> = {
  profitMarginPercent: m.settings_margin,
  recommendedOfferPercent: m.settings_offer,
  firstOrderDiscount: m.settings_first,
  referralDiscount: m.settings_referral,
  contact: m.settings_contact,
  deskTargets: m.settings_targets,
}
const hints: Record<Setting['key'], () => string> = {
  profitMarginPercent: m.settings_margin_hint,
  recommendedOfferPercent: m.settings_offer_hint,
  firstOrderDiscount: m.settings_first_hint,
  referralDiscount: m.settings_referral_hint,
}
const fieldNames: Record<SettingField, () => string> = {
  percent: m.settings_percent,
  rupees: m.settings_rupees,
  maxRupees: m.settings_cap,
}

/** What Sandhai takes and gives, and the history of changes. Placed orders keep the values of their day. */
export function SettingsView({
  settings,
  contact,
  targets,
  history,
  done,
  csrf,
  refused,
}: SettingsData & { refused: FormRefusal | undefined }) {
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.settings_title()}</h1>
      <p className="text-stone">{m.settings_lead()}</p>
      {done && !refused && (
        <p role="status" className="done">
          {m.settings_done({ name: names[done]() })}
        </p>
      )}
      <div className="grid items-start gap-4 md:grid-cols-2">
        {settings.map((setting) => (
          <SettingForm key={setting.key} setting={setting} csrf={csrf} refused={refused?.typed.key === setting.key ? refused : undefined} />
        ))}
      </div>
      <ContactForm contact={contact} csrf={csrf} refused={refused?.typed.key === 'contact' ? refused : undefined} />
      <TargetsForm targets={targets} csrf={csrf} refused={refused?.typed.key === 'deskTargets' ? refused : undefined} />
      {/* A form without a setting's name comes only from a page of another version. */}
      {refused && !(refused.typed.key! in names) && <FormFailure {...refused} />}
      <History history={history} />
    </div>
  )
}

function SettingForm({
  setting: { key, seen, fields },
  csrf,
  refused,
}: {
  setting: Setting
  csrf: string
  refused: FormRefusal | undefined
}) {
  return (
    <SettingFrame
      name={key}
      title={names[key]()}
      hint={hints[key]()}
      csrf={csrf}
      seen={seen}
      refused={refused}
      changed={m.settings_now({ value: valueText(fields) })}
    >
      <div className={fields.length > 1 ? 'grid items-start gap-3 sm:grid-cols-3' : 'sm:max-w-40'}>
        {fields.map(({ field, figure }) => (
          <Field
            key={field}
            id={`${key}-${field}`}
            name={field}
            label={fieldNames[field]()}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            defaultValue={refused?.typed[field] ?? figure}
            error={refused?.errors[field]}
            before={field === 'percent' ? '%' : '₹'}
            className="w-full min-w-0"
          />
        ))}
      </div>
    </SettingFrame>
  )
}

/** "2% · ₹0 · at most ₹500". */
const valueText = (fields: { field: SettingField; figure: string | number }[]) =>
  fields
    .map(({ field, figure }) =>
      field === 'percent' ? `${figure}%` : field === 'rupees' ? `₹${figure}` : m.settings_at_most({ rupees: `₹${figure}` }),
    )
    .join(' · ')

/** From what to what, in words. */
function changesOf({ key, from, to }: Pick<SettingsData['history'][number], 'key' | 'from' | 'to'>): [string, string][] {
  if (key === 'contact') return contactChanges(from as ContactSetting, to as ContactSetting)
  if (key === 'deskTargets') return targetChanges(from as DeskTargets, to as DeskTargets)
  const text = (value: typeof from) =>
    valueText(settingFields(key).map((field) => ({ field, figure: figureOf(value as FigureSetting, field) })))
  return [[text(from), text(to)]]
}

function History({ history }: Pick<SettingsData, 'history'>) {
  return (
    <section aria-labelledby="settings-history" className="panel p-4">
      <h2 id="settings-history" className="text-lg">
        {m.settings_history()}
      </h2>
      {history.length === 0 ? (
        <p className="mt-2 text-stone">{m.settings_history_none()}</p>
      ) : (
        <ol className="mt-2 divide-y divide-line">
          {history.map(({ id, key, from, to, by, at }) => (
            <li key={id} className="py-2">
              <b>{names[key]()}</b>
              {changesOf({ key, from, to }).map(([before, after]) => (
                <span key={before} className="block break-words">
                  {before} <span aria-hidden="true">→</span>
                  <span className="sr-only">{m.settings_to()}</span> {after}
                </span>
              ))}
              <span className="block text-sm text-stone">
                {at} · {by || m.profile_deleted_user()}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
