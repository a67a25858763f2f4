import { useEffect, useRef, type RefObject } from 'react'

/**
 * After each refusal, focuses the first visible wrong field of the form, or the failure message when no field is wrong (ui/form-failure.tsx).
 * The error of a field is shown until the field is changed. `refusal` is a new object each time.
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
  useEffect(() => (refusal && form.current ? hideOnInput(form.current) : undefined), [refusal])
  return form
}

/**
 * Hides the error of each field that is changed, also from screen readers. The result ends this: an error that the next
 * refusal repeats is shown again.
 */
function hideOnInput(form: HTMLElement): () => void {
  const hidden: { box: Element; error: HTMLElement; id: string }[] = []
  const hide = ({ target }: Event) => {
    const box = (target as Element).closest('[aria-invalid="true"]')
    const id = box?.getAttribute('aria-describedby')?.split(' ')[0]
    const error = id?.endsWith('-error') ? document.getElementById(id) : null
    if (!box || !id || !error) return
    hidden.push({ box, error, id })
    box.removeAttribute('aria-invalid')
    Object.assign(error, { hidden: true, id: '' })
  }
  form.addEventListener('input', hide)
  return () => {
    form.removeEventListener('input', hide)
    for (const { box, error, id } of hidden) {
      Object.assign(error, { hidden: false, id })
      if (document.getElementById(id)) box.setAttribute('aria-invalid', 'true')
    }
  }
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
