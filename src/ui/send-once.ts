import { useEffect, useRef, type SubmitEvent } from 'react'
import { useNavigation } from 'react-router'

type Submit = SubmitEvent<HTMLFormElement>

/** Forms that wait for their answer, and when each was sent (`performance.now()`). */
const sentAt = new WeakMap<HTMLFormElement, number>()
const ANSWER_WITHIN_MS = 8000

/** A thumb that taps twice sends once: a second submit would write two of something, or ask for a second SMS. */
function guard(event: Submit, withinMs: number): void {
  const now = performance.now()
  if (now - (sentAt.get(event.currentTarget) ?? -Infinity) < withinMs) event.preventDefault()
  else sentAt.set(event.currentTarget, now)
}

/** For a form that loads a page, which ends the wait; without an answer it can be sent again after eight seconds. */
export const sendOnce = (event: Submit) => guard(event, ANSWER_WITHIN_MS)

/**
 * For a form that the router sends: it waits until the router is idle again or `answer` has come, a new object each time; a quick one may
 * come without the page ever having been rendered as busy.
 */
export function useSendOnce(answer: object | undefined) {
  const { state, formMethod } = useNavigation()
  const sent = useRef<HTMLFormElement>(null)
  const answered = () => void (sent.current && sentAt.delete(sent.current))
  useEffect(answered, [answer])
  useEffect(() => {
    if (state === 'idle') answered()
  }, [state])
  return {
    isBusy: formMethod === 'POST',
    onSubmit: (event: Submit) => {
      sent.current = event.currentTarget
      guard(event, Infinity)
    },
  }
}
