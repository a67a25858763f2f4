import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { SettingFrame } from './settings-frame.tsx'
import type { SettingsData } from './settings-view.server.ts'
import { vetDayFields } from './settings-rules.ts'
import { vetDayLabels } from './settings-texts.ts'

/** How many animals one vet may hold at once and check in a day (health/). */
export function VetDayForm({ vetDay, refused }: Pick<SettingsData, 'vetDay'> & { refused: FormRefusal | undefined }) {
  return (
    <SettingFrame name="vetDay" title={m.settings_vet_day()} hint={m.settings_vet_day_hint()} seen={vetDay.seen} refused={refused}>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        {vetDayFields.map((field) => (
          <Field
            key={field}
            id={`vet-day-${field}`}
            name={field}
            label={vetDayLabels[field]()}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            defaultValue={refused?.typed[field] ?? vetDay.values[field]}
            error={refused?.errors[field]}
          />
        ))}
      </div>
    </SettingFrame>
  )
}
