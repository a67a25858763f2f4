import { useEffect, useRef, type RefObject, type SubmitEvent } from 'react'
import { m } from '#src/paraglide/messages.js'

/**
 * Why the form was refused, announced to screen readers; at the foot of a form or modal, as the specification has it. When offline
 * (kit/device/dead-line.ts), that is the only reason shown.
 */
export function FormFailure({ detail, retryAfterSeconds }: { detail: string; retryAfterSeconds?: number | undefined }) {
  return (
    <p role="alert" className="rounded-control bg-brick-soft p-3 font-semibold text-brick">
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

/** After each refusal the first wrong field has the focus. */
export function useFocusOnWrong(refusal: object | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!refusal) return
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    const box = wrong?.matches('fieldset') ? wrong.querySelector('input') : wrong
    box?.focus()
  }, [refusal])
  return form
}

const sentAt = new WeakMap<HTMLFormElement, number>()
const ANSWER_WITHIN_MS = 8000

/** For a form that loads a page: a double submit on a slow connection must not ask for a second SMS, and be refused for it. */
export function notTwice(event: SubmitEvent<HTMLFormElement>): void {
  const now = performance.now()
  if (now - (sentAt.get(event.currentTarget) ?? -Infinity) < ANSWER_WITHIN_MS) event.preventDefault()
  else sentAt.set(event.currentTarget, now)
}
