import { useEffect, useMemo, useState, type RefObject } from 'react'
import type { Typed } from './draft-fields.ts'

/** True once scripts run: elements that need them are rendered from then on. */
export function useAlive(): boolean {
  const [isAlive, setIsAlive] = useState(false)
  useEffect(() => setIsAlive(true), [])
  return isAlive
}

/** Writes into a field as a finger would, so that every listener hears of it. */
export function writeInto(form: HTMLFormElement | null, name: string, text: string): void {
  const found = form?.elements.namedItem(name)
  const box = found instanceof RadioNodeList ? [...found].find((each) => each instanceof HTMLInputElement && each.value === text) : found
  if (!(box instanceof HTMLInputElement || box instanceof HTMLSelectElement || box instanceof HTMLTextAreaElement)) return
  if (found === box) box.value = text
  else (box as HTMLInputElement).checked = true
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

/** What the questions of a form know of it. */
export function useFormState(
  form: RefObject<HTMLFormElement | null>,
  { typed, errors, isAlive }: { typed: Typed; errors: Record<string, string>; isAlive: boolean },
) {
  return useMemo(
    () => ({ typed, errors, isAlive, write: (name: string, text: string) => writeInto(form.current, name, text) }),
    [form, typed, errors, isAlive],
  )
}

/** Moves the focus to a field, also where it is a group of buttons, or lies in a section that is folded. */
export function focusOn(form: HTMLFormElement | null, name: string): void {
  const found = form?.querySelectorAll<HTMLElement>(`[name="${CSS.escape(name)}"]`) ?? []
  const box = [...found].find((element) => element.matches(':checked')) ?? [...found].at(name === 'image' ? -1 : 0)
  if (!box) return
  const folded = box.closest('details')
  if (folded && !folded.querySelector('summary')?.contains(box) && name !== 'categoryId') folded.open = true
  box.focus({ preventScroll: true })
  ;(box.closest('fieldset, section, div') ?? box).scrollIntoView({ block: 'center' })
}
