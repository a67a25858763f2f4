import { useEffect, useRef, type SubmitEvent } from 'react'
import { useNavigation } from 'react-router'

/**
 * A thumb that taps twice sends once: for forms that would write two of something. `answer` is what came back, a new object each
 * time; a quick one may come without the page ever having been rendered as busy.
 */
export function useSendOnce(answer: object | undefined) {
  const { state, formMethod } = useNavigation()
  const isSent = useRef(false)
  useEffect(() => {
    isSent.current = false
  }, [answer])
  useEffect(() => {
    if (state === 'idle') isSent.current = false
  }, [state])
  return {
    isBusy: formMethod === 'POST',
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      if (isSent.current) event.preventDefault()
      isSent.current = true
    },
  }
}
