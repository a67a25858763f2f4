import { useCallback, useEffect, useMemo, useRef, type RefObject } from 'react'
import { draftTyped, type Typed } from './draft-fields.ts'

/** Writes into a field as a finger would, so that every listener hears of it. */
function writeInto(form: HTMLFormElement | null, name: string, text: string): void {
  const found = form?.elements.namedItem(name)
  const box = found instanceof RadioNodeList ? [...found].find((each) => each instanceof HTMLInputElement && each.value === text) : found
  if (!(box instanceof HTMLInputElement || box instanceof HTMLSelectElement || box instanceof HTMLTextAreaElement)) return
  if (found === box) box.value = text
  else (box as HTMLInputElement).checked = true
  box.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The answers in the form's fields. An answer whose field the form does not show now stays as it was before. */
export function answersIn(form: HTMLFormElement, before: Typed): Typed {
  const shown = new Set([...form.elements].map((element) => (element as HTMLInputElement).name))
  const hidden = Object.entries(before).filter(([name]) => !shown.has(name))
  return { ...Object.fromEntries(hidden), ...draftTyped(new FormData(form)) }
}

/** Reads the answers from the fields: rendered ones may be a moment behind. The function stays the same across renderings. */
export function useTypedNow(form: RefObject<HTMLFormElement | null>, typed: Typed): () => Typed {
  const latest = useRef(typed)
  useEffect(() => {
    latest.current = typed
  }, [typed])
  const read = () => (form.current ? answersIn(form.current, latest.current) : latest.current)
  // oxlint-disable-next-line react/exhaustive-deps -- both are refs
  return useCallback(read, [])
}

/** The state of a form that its questions read. */
export function useFormState(
  form: RefObject<HTMLFormElement | null>,
  { typed, errors, isAlive }: { typed: Typed; errors: Record<string, string>; isAlive: boolean },
) {
  return useMemo(
    () => ({ typed, errors, isAlive, write: (name: string, text: string) => writeInto(form.current, name, text) }),
    [form, typed, errors, isAlive],
  )
}
