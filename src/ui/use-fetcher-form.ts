import { useState, type SubmitEvent } from 'react'
import { useFetcher } from 'react-router'
import { offlineRefusal } from '#src/kit/device/offline-form.ts'
import { useFocusOnError } from './use-focus-on-error.ts'

type Refusal = ReturnType<typeof offlineRefusal>

/**
 * For a form that another page takes, and that stays where it stands: sent once, the focus on what is wrong, and the typed text stays
 * when it is refused or while offline, where the router would reload the whole page to find the code it needs. A browser that says it is
 * online is believed; one that says it is offline is wrong on a machine that speaks only to itself, so our server is asked first.
 *
 * `rendered` is the refusal of a page that was rendered again because there are no scripts. `key`: the page knows the sending by this name,
 * also when the form is gone meanwhile.
 */
export function useFetcherForm(rendered: Refusal | undefined, key?: string) {
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
      () => setUnsent(offlineRefusal(new FormData(form))),
    )
  }
  return { Form: fetcher.Form, form: { ref, onSubmit, method: 'post' as const }, isBusy, refused }
}
