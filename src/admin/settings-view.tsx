import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { ContactSetting, DeskTargets } from '#src/kit/settings.ts'
import { m } from '#src/paraglide/messages.js'
import type { SettingsData } from './settings-page.tsx'
import { ContactForm, contactChanges } from './settings-contact.tsx'
import { TargetsForm, targetChanges } from './settings-targets.tsx'
import { SmsForm } from './settings-sms.tsx'
import { VetDayForm } from './settings-vets.tsx'
import { FigureSettingPanel } from './settings-figures.tsx'
import { settingNames, settingText } from './settings-texts.ts'

/** Sandhai's fees and discounts, and the history of changes. Placed orders keep the values of their day. */
export function SettingsView(page: SettingsData & { refused: FormRefusal | undefined }) {
  const { settings, contact, targets, history, done, isCalledBack, csrf, refused } = page
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.settings_title()}</h1>
      <p className="text-stone">{m.settings_lead()}</p>
      {done && !refused && (
        <p role="status" className="done">
          {m.settings_done({ name: settingNames[done]() })}
        </p>
      )}
      {isCalledBack && !refused && (
        <p role="status" className="done">
          {m.settings_back_done()}
        </p>
      )}
      <div className="grid items-start gap-4 md:grid-cols-2">
        {settings.map((setting) => (
          <FigureSettingPanel key={setting.key} name={settingNames[setting.key]()} setting={setting} page={page} />
        ))}
      </div>
      <ContactForm contact={contact} csrf={csrf} refused={refused?.typed.key === 'contact' ? refused : undefined} />
      <TargetsForm targets={targets} csrf={csrf} refused={refused?.typed.key === 'deskTargets' ? refused : undefined} />
      <SmsForm sms={page.sms} csrf={csrf} refused={refused?.typed.key === 'smsPaise' ? refused : undefined} />
      <VetDayForm vetDay={page.vetDay} csrf={csrf} refused={refused?.typed.key === 'vetDay' ? refused : undefined} />
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
    <section aria-labelledby="settings-history" className="panel p-4">
      <h2 id="settings-history" className="text-lg">
        {m.settings_history()}
      </h2>
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
    </section>
  )
}
