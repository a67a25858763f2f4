import { localeOfPath, localized } from '#src/kit/text/locale.ts'

interface Card {
  id: number
  name: string
  price: number
  image: string | null
}

/** Those of the animals that are still on the market, each a thumbnail with its price of today. Answers which they are; rejects offline. */
export async function showCards(row: HTMLElement, ids: readonly number[]): Promise<number[]> {
  const locale = localeOfPath(location.pathname)
  const response = await fetch(`/api/v1/product-cards/ids=${ids.join(',')}`, { headers: { 'Accept-Language': locale } })
  if (!response.ok) throw new Error(`product-cards answered ${response.status}`)
  const cards = (await response.json()) as Card[]
  row.querySelector('ul')!.replaceChildren(...cards.map((card) => itemOf(card, localized(`/product/${card.id}`, locale))))
  row.hidden = cards.length === 0
  return cards.map(({ id }) => id)
}

function itemOf({ name, price, image }: Card, href: string): HTMLElement {
  const item = make('li', { className: 'w-28 shrink-0 snap-start' })
  const link = make('a', { href, className: 'block rounded-control hover:underline' })
  const className = 'h-21 w-28 rounded-control bg-husk-dark object-cover'
  link.append(
    make('img', { src: image ?? '/species/none.webp', alt: '', width: 112, height: 84, loading: 'lazy', className }),
    make('b', { className: 'block', textContent: `₹${price.toLocaleString('en-IN')}` }),
    make('span', { className: 'line-clamp-2 text-sm leading-snug', textContent: name }),
  )
  item.append(link)
  return item
}

const make = <T extends keyof HTMLElementTagNameMap>(tag: T, facts: Partial<HTMLElementTagNameMap[T]>) =>
  Object.assign(document.createElement(tag), facts)
