import { useState, type SubmitEvent } from 'react'
import { useFetcher } from 'react-router'
import { storeForLater, type FormAct, type offlineRefusal } from '#src/kit/device/offline-form.ts'
import { useFocusOnError } from './use-focus-on-error.ts'

type Refusal = ReturnType<typeof offlineRefusal>

/**
 * For a form that posts to another page's action without leaving the current page: sends once, focuses the error, and keeps the typed text after a
 * refusal or while offline, where the router would otherwise reload the page to find the code it needs. Trusts a browser that reports "online". A
 * browser that reports "offline" may be wrong on a machine without network, so it asks our server first.
 * `rendered` is the refusal of a page that was rendered again because there are no scripts. With `key`, the page finds the submission by this name
 * even when the form is gone. `later` describes a form that the phone may send without the person.
 */
export function useFetcherForm(rendered: Refusal | undefined, key?: string, later?: (form: FormData) => FormAct | null) {
  const fetcher = useFetcher<{ refused?: Refusal | undefined }>(key === undefined ? {} : { key })
  const [unsent, setUnsent] = useState<Refusal>()
  const isBusy = fetcher.state !== 'idle'
  const refused = isBusy ? undefined : (unsent ?? fetcher.data?.refused ?? rendered)
  const ref = useFocusOnError(refused)
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    if (isBusy) return event.preventDefault()
    if (navigator.onLine) return setUnsent(undefined)
    event.preventDefault()
    const form = event.currentTarget
    fetch('/healthz', { cache: 'no-store' }).then(
      () => {
        setUnsent(undefined)
        void fetcher.submit(form)
      },
      () => void storeForLater(new FormData(form), form.action, later).then(setUnsent),
    )
  }
  return { Form: fetcher.Form, form: { ref, onSubmit, method: 'post' as const }, isBusy, refused }
}
