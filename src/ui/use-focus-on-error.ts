import { useEffect, useRef, type RefObject } from 'react'

/**
 * After each refusal, focuses the first visible wrong field of the form, or the failure message when no field is wrong (ui/form-failure.tsx).
 * `refusal` is a new object each time.
 */
export function useFocusOnError<E extends HTMLElement = HTMLFormElement>(refusal: object | undefined): RefObject<E | null> {
  const form = useRef<E>(null)
  const isRendered = useRef(true)
  useEffect(() => {
    const isFromServer = isRendered.current
    isRendered.current = false
    if (!refusal) return
    // The server rendered this refusal. A person who focused a field before the scripts loaded keeps typing there.
    if (isFromServer && form.current?.contains(document.activeElement)) return
    focusFirstError(form.current)
  }, [refusal])
  return form
}

/** Opens a folded section around the wrong field. Of a wrong group, the chosen option gets the focus, or the first. Returns what got it. */
export function focusFirstError(form: HTMLElement | null): HTMLElement | null {
  const invalid = [...(form?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])].find((each) => {
    const folded = each.closest('details')
    if (folded) folded.open = true
    return each.offsetParent !== null
  })
  const box = invalid?.matches('fieldset')
    ? (invalid.querySelector<HTMLElement>('input:checked') ?? invalid.querySelector('input'))
    : invalid
  const target = box ?? form?.querySelector<HTMLElement>('[data-failure]') ?? null
  target?.focus()
  return target
}
