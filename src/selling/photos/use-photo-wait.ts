import { useEffect, useState, type RefObject, type SubmitEvent } from 'react'
import type { FormPhoto } from './use-photos.ts'

interface PhotoWait {
  form: RefObject<HTMLFormElement | null>
  /** Photos of the form that the server does not have yet. */
  unsent: FormPhoto[]
  retry: () => void
}

/** Holds a submit back until every photo is uploaded, and submits then. The form's submit button carries `data-send`. */
export function usePhotoWait({ form, unsent, retry }: PhotoWait) {
  const [isWaiting, setIsWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting || unsent.length > 0) return
    setIsWaiting(false)
    // Later: this may run while the form still handles the tap, and a form that is being submitted drops a second submit.
    setTimeout(() => form.current?.requestSubmit(form.current.querySelector<HTMLButtonElement>('[data-send]')))
  }, [form, isWaiting, unsent.length])

  /** True when the submit waits. */
  function hold(event: SubmitEvent<HTMLFormElement>): boolean {
    if (unsent.length === 0) return false
    event.preventDefault()
    retry()
    setIsWaiting(true)
    return true
  }
  return { isWaiting, hold, stopWaiting: () => setIsWaiting(false) }
}
