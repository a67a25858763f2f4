import { useEffect, useRef, type SubmitEvent } from 'react'
import { useNavigation } from 'react-router'

type Submit = SubmitEvent<HTMLFormElement>

/** Forms that wait for their answer, with the time of the submit (`performance.now()`). */
const sentAt = new WeakMap<HTMLFormElement, number>()
const ANSWER_WITHIN_MS = 8000

/** Ignores a double tap: a second submit would create two records or send a second SMS. */
function guard(event: Submit, withinMs: number): void {
  const now = performance.now()
  if (now - (sentAt.get(event.currentTarget) ?? -Infinity) < withinMs) event.preventDefault()
  else sentAt.set(event.currentTarget, now)
}

/** For a form that loads a page, which ends the wait. Without an answer, the form can be sent again after eight seconds. */
export const sendOnce = (event: Submit) => guard(event, ANSWER_WITHIN_MS)

/**
 * For a form that the router sends: blocks until the router is idle again or `answer` has changed (a new object each time). A fast answer may arrive
 * without any render in the busy state.
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
