import { fetchPage } from '#src/storefront/list/fetch-page.ts'
import { cardOf } from '#src/storefront/recent/recent-cards.ts'

const SHOWN = 8

/** Shows the first animals of the list at this URL. Rejects when offline and when the list is empty. */
export async function showNearest(to: HTMLElement, list: string): Promise<void> {
  const page = await fetchPage(list)
  const rows = [...page.querySelectorAll('.listing-rows > li')].slice(0, SHOWN)
  if (rows.length === 0) throw new Error('Nothing is near.')
  const textOf = (row: Element, selector: string) => row.querySelector(selector)?.textContent ?? ''
  to.replaceChildren(
    ...rows.map((row) =>
      cardOf({
        name: textOf(row, 'h3'),
        price: textOf(row, '.price b'),
        note: textOf(row, '.place b').replace('· ', ''),
        image: row.querySelector('img')?.getAttribute('src') ?? null,
        href: row.querySelector('h3 a')!.getAttribute('href')!,
      }),
    ),
  )
}
