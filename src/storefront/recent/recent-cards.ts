import { localeOfPath, localized } from '#src/kit/text/locale.ts'
import { fetchShortCards } from '#src/listings/browse/short-cards.ts'

/** Shows those of the animals that are still live, as thumbnails with current prices. Returns their ids; rejects when offline. */
export async function showCards(row: HTMLElement, ids: readonly number[]): Promise<number[]> {
  const locale = localeOfPath(location.pathname)
  const cards = await fetchShortCards(ids)
  row
    .querySelector('ul')!
    .replaceChildren(
      ...cards.map(({ id, name, price, image }) =>
        cardOf({ name, price: `₹${price.toLocaleString('en-IN')}`, image, href: localized(`/product/${id}`, locale) }),
      ),
    )
  row.hidden = cards.length === 0
  return cards.map(({ id }) => id)
}

interface SmallCard {
  name: string
  price: string
  /** The distance, if there is one. */
  note?: string
  image: string | null
  href: string
}

/** A thumbnail with price and name for a scrolling row. */
export function cardOf({ name, price, note, image, href }: SmallCard): HTMLElement {
  const item = make('li', { className: 'w-28 shrink-0 snap-start' })
  const link = make('a', { href, className: 'block rounded-control hover:underline' })
  const className = 'h-21 w-28 rounded-control bg-husk-dark object-cover'
  link.append(
    make('img', { src: image ?? '/species/none.webp', alt: '', width: 112, height: 84, loading: 'lazy', className }),
    make('b', { className: 'block', textContent: price }),
    ...(note ? [make('span', { className: 'block text-sm font-semibold', textContent: note })] : []),
    make('span', { className: 'line-clamp-2 text-sm leading-snug', textContent: name }),
  )
  item.append(link)
  return item
}

const make = <T extends keyof HTMLElementTagNameMap>(tag: T, facts: Partial<HTMLElementTagNameMap[T]>) =>
  Object.assign(document.createElement(tag), facts)
