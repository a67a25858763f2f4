import { m } from '#src/paraglide/messages.js'

/**
 * Why the form was refused, announced to screen readers; at the foot of a form or modal, as the specification has it. Without a detail
 * nobody answered (kit/device/offline-form.ts). It has the focus where no single field is wrong (ui/use-focus-on-error.ts).
 */
export function FormFailure({ detail, retryAfterSeconds }: { detail: string; retryAfterSeconds?: number | undefined }) {
  return (
    <p role="alert" tabIndex={-1} data-failure className="failure">
      {detail || m.error_offline_text()} {retryAfterSeconds !== undefined && waitText(retryAfterSeconds)}
    </p>
  )
}

/** The message beside the fields: not the same sentence twice. */
export function besideFields(refused: { detail: string; errors: Record<string, string> } | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(refused?.errors ?? {}).map(([field, text]) => [field, text === refused!.detail ? '' : text]))
}

function waitText(seconds: number): string {
  if (seconds <= 90) return m.accounts_wait_seconds({ count: seconds })
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 90 ? m.accounts_wait_minutes({ count: minutes }) : m.accounts_wait_hours({ count: Math.ceil(minutes / 60) })
}
