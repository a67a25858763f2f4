import { fetchPage } from './fetch-page.ts'

/** Replaces the link of an unfolded category by its breeds, taken from that category's list page, which has their pictures and counts. */
export async function showBreeds(details: HTMLDetailsElement): Promise<void> {
  const link = details.querySelector('a')
  if (!link || details.ariaBusy === 'true') return
  details.ariaBusy = 'true'
  try {
    const page = await fetchPage(link.href)
    link.replaceWith(...page.querySelectorAll('#filter fieldset details[open] label'))
  } catch {
    // Offline the link stays, and unfolding again retries.
  }
  details.ariaBusy = null
}
