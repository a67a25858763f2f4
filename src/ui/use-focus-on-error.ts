import { useEffect, useRef, type RefObject } from 'react'

/**
 * After each refusal the first visible wrong field of the form has the focus; where none is wrong, the sentence that says why it was
 * refused (ui/form-failure.tsx). `refusal` is a new object each time.
 */
export function useFocusOnError(refusal: object | undefined): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  const isRendered = useRef(true)
  useEffect(() => {
    const isFromServer = isRendered.current
    isRendered.current = false
    if (!refusal) return
    // A page that the server rendered with its refusal: whoever went to a field before the scripts came goes on typing there.
    if (isFromServer && form.current?.contains(document.activeElement)) return
    const wrong = [...(form.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])].find(
      (each) => each.offsetParent !== null,
    )
    const box = wrong?.matches('fieldset') ? wrong.querySelector('input') : wrong
    ;(box ?? form.current?.querySelector<HTMLElement>('[data-failure]'))?.focus()
  }, [refusal])
  return form
}
