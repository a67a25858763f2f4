import { fetchPage } from './fetch-page.ts'

let asked = 0

/** Writes how many animals the choices of the filter leave, by the list that its form would open. Offline it writes nothing. */
export async function countLeft(form: HTMLFormElement, shown: Element): Promise<void> {
  const turn = (asked += 1)
  shown.textContent = ''
  const query = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  const page = await fetchPage(`${form.action}?${query}`).catch(() => null)
  const found = page?.querySelector<HTMLElement>('[data-found]')?.dataset.found
  if (found && turn === asked) shown.textContent = `(${found})`
}
