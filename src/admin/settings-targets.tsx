import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { DeskTargets } from '#src/kit/settings.ts'
import { deskName } from '#src/content/site-frame/desks.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { SettingFrame } from './settings-frame.tsx'
import type { SettingsData } from './settings-view.server.ts'
import { deskIds } from './settings-rules.ts'

/** The target time of each desk in hours (admin/desk-work.server.ts). */
export function TargetsForm({ targets, refused }: Pick<SettingsData, 'targets'> & { refused: FormRefusal | undefined }) {
  return (
    <SettingFrame name="deskTargets" title={m.settings_targets()} hint={m.settings_targets_hint()} seen={targets.seen} refused={refused}>
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {deskIds.map((id) => (
          <Field
            key={id}
            id={`target-${id}`}
            name={id}
            label={deskName(id)}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            defaultValue={refused?.typed[id] ?? targets.values[id]}
            error={refused?.errors[id]}
          />
        ))}
      </div>
    </SettingFrame>
  )
}

export const targetChanges = (from: DeskTargets, to: DeskTargets): [string, string][] =>
  deskIds.filter((id) => from[id] !== to[id]).map((id) => [`${deskName(id)}: ${from[id]}`, String(to[id])])
