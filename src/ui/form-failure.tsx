import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'

/**
 * The reason of a form's refusal, announced to screen readers, at the end of a form or modal as the specification requires. An empty detail means that
 * the server did not answer (kit/device/offline-form.ts). It gets the focus when no single field is wrong (ui/use-focus-on-error.ts).
 * `isStored`: nothing failed, the form waits on the phone for a connection.
 */
export function FormFailure({ detail, isStored }: FailureProps) {
  return (
    <p role="alert" tabIndex={-1} data-failure className={isStored ? 'notice font-semibold' : 'failure'}>
      {detail || m.error_offline_text()}
    </p>
  )
}

/** The result of a form, announced to screen readers. */
export const FormDone = ({ children }: { children: ReactNode }) => (
  <p role="status" className="done">
    {children}
  </p>
)

interface FailureProps {
  detail: string
  isStored?: boolean | undefined
}

/** The field errors without the sentence that the form shows already. */
export function besideFields(refused: { detail: string; errors: Record<string, string> } | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(refused?.errors ?? {}).map(([field, text]) => [field, text === refused!.detail ? '' : text]))
}

interface OutcomeProps {
  /** The acts that were done; null when none was. */
  done: string | null
  refused: { id: number; name: string; refusal: string | null }[]
}

/** The result of an act on several rows, beside its button: what was done, and each refused row with its reason. */
export const Outcome = ({ done, refused }: OutcomeProps) => (
  <div role="status" className="max-h-32 basis-full overflow-y-auto px-3 py-1 note">
    {done !== null && <p className="font-semibold text-leaf">{done}</p>}
    {refused.map(({ id, name, refusal }) => (
      <p key={id} className="text-sm">
        <b className="text-brick">{name}</b> {refusal}
      </p>
    ))}
  </div>
)
