import { FormFailure } from '#src/ui/form-failure.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { DeskTargets } from '#src/kit/settings.ts'
import { deskName } from '#src/content/desks.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { SettingsData } from './settings-page.tsx'
import { deskIds } from './settings-rules.ts'

/** Within how many hours each desk means to answer (admin/desk-work.server.ts). */
export function TargetsForm({ targets, csrf, refused }: Pick<SettingsData, 'targets' | 'csrf'> & { refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const hasFieldError = refused && Object.keys(refused.errors).length > 0
  return (
    <form id="deskTargets" method="post" action={to('/admin/settings#deskTargets')} noValidate onSubmit={sendOnce} className="form-panel">
      <h2 className="text-lg">{m.settings_targets()}</h2>
      <p className="text-sm text-stone">{m.settings_targets_hint()}</p>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="key" value="deskTargets" />
      <input type="hidden" name="seen" value={targets.seen} />
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
      {refused && !hasFieldError && (
        <FormFailure {...refused} detail={refused.code === 'VERSION' ? m.settings_targets_now() : refused.detail} />
      )}
      <button type="submit" className="button-primary justify-self-start">
        {m.settings_save()}
      </button>
    </form>
  )
}

export const targetChanges = (from: DeskTargets, to: DeskTargets): [string, string][] =>
  deskIds.filter((id) => from[id] !== to[id]).map((id) => [`${deskName(id)}: ${from[id]}`, String(to[id])])
