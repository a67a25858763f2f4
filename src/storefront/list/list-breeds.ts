import { localeOfPath } from '#src/kit/text/locale.ts'
import { fetchBreeds } from './filter-groups.ts'

/** Breeds of a category whose list is unfolded, in place of the link to it: as a box for each, like those the page has. */
export async function showBreeds(details: HTMLDetailsElement): Promise<void> {
  const categoryId = Number(details.dataset.breedsOf)
  delete details.dataset.breedsOf
  const pattern = document.querySelector('#filter label:has([name=category])')
  if (!pattern) return
  try {
    const breeds = await fetchBreeds(categoryId, localeOfPath(location.pathname))
    details.querySelector('a')?.remove()
    for (const { id, name } of breeds) {
      const choice = pattern.cloneNode(true) as HTMLElement
      const box = choice.querySelector('input')!
      Object.assign(box, { name: 'breed', value: String(id), checked: false })
      box.removeAttribute('checked')
      for (const node of choice.childNodes) if (node !== box) node.textContent = name
      details.append(choice)
    }
  } catch {
    // Offline the link stays, and unfolding again asks again.
    details.dataset.breedsOf = String(categoryId)
  }
}
