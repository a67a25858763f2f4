import { m } from '#src/paraglide/messages.js'

/**
 * The reason of a form's refusal, announced to screen readers, at the end of a form or modal as the specification requires. An empty detail means that
 * the server did not answer (kit/device/offline-form.ts). It gets the focus when no single field is wrong (ui/use-focus-on-error.ts).
 * `isStored`: nothing failed, the form waits on the phone for a connection.
 */
export function FormFailure({ detail, retryAfterSeconds, isStored }: FailureProps) {
  return (
    <p role="alert" tabIndex={-1} data-failure className={isStored ? 'notice font-semibold' : 'failure'}>
      {detail || m.error_offline_text()} {retryAfterSeconds !== undefined && waitText(retryAfterSeconds)}
    </p>
  )
}

interface FailureProps {
  detail: string
  retryAfterSeconds?: number | undefined
  isStored?: boolean | undefined
}

/** The field errors without the sentence that the form shows already. */
export function besideFields(refused: { detail: string; errors: Record<string, string> } | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(refused?.errors ?? {}).map(([field, text]) => [field, text === refused!.detail ? '' : text]))
}

function waitText(seconds: number): string {
  if (seconds <= 90) return m.accounts_wait_seconds({ count: seconds })
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? m.accounts_wait_minutes({ count: minutes }) : m.accounts_wait_hours({ count: Math.ceil(minutes / 60) })
}
