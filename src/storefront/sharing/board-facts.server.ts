import { hash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { moneyShape, rowsOf } from '#src/kit/db/rows.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { browseListings, conditionsFor } from '#src/listings/browse/browse.server.ts'
import { knownIds, lookups, nameOf } from '#src/listings/reference/lookups.server.ts'
import { readBrowse } from '#src/listings/browse/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import type { Board } from './share-path.ts'

/** The content of the share picture of a list or a breed, in its language. */
export interface BoardFacts {
  locale: Locale
  title: string
  /** "₹8,000 – ₹1,52,000"; null when nothing is for sale. */
  prices: string | null
  count: string
  /** Districts of the newest; empty when nothing is for sale. */
  places: string
  photoKeys: string[]
  isSample: boolean
}

const PHOTOS = 3
const PLACES = 3

/** Null when the name is not a board's. */
export function parseBoardName(name: string): Board | null {
  const [, what, id, locale] = /^(list|breed)-(0|[1-9]\d{0,3})-(ta|en)\.jpg$/.exec(name) ?? []
  if (what === undefined) return null
  const isKnown = what === 'breed' ? knownIds.breedIds.has(Number(id)) : id === '0' || knownIds.categoryIds.has(Number(id))
  return isKnown ? { what: what as Board['what'], id: Number(id), locale: locale as Locale } : null
}

/** Two statements; all of it is public. */
export async function readBoard(ctx: Ctx, { what, id }: Board): Promise<BoardFacts> {
  const { locale } = ctx
  const { choices } = readBrowse(what === 'list' ? id : 0, new URLSearchParams(what === 'breed' ? { breed: String(id) } : {}), knownIds)
  const { cards, found, foundMore } = await browseListings(ctx, choices, { near: null, pageSize: 24 })
  const withPhoto = cards.filter(({ photo }) => photo)
  const places = [...new Set(cards.map(({ city }) => city))].slice(0, PLACES).join(', ')
  const inputs = { count: foundMore ? `${found.toLocaleString('en-IN')}+` : found }
  const count = found === 1 ? m.list_found_one({}, { locale }) : m.list_found(inputs, { locale })
  return {
    locale,
    title: id === 0 ? m.list_title_all({}, { locale }) : nameOf(what === 'list' ? lookups.category(id) : lookups.breed(id)!, locale),
    prices: await readPrices(ctx, choices),
    count,
    places,
    photoKeys: withPhoto.slice(0, PHOTOS).map(({ photo }) => photo!.key),
    isSample: withPhoto.slice(0, PHOTOS).some(({ isSample }) => isSample),
  }
}

const pricesRow = z.object({ low: moneyShape.nullable(), high: moneyShape.nullable() })

/** The lowest and the highest price of a list. Each is one index step. */
async function readPrices(ctx: Ctx, choices: Parameters<typeof conditionsFor>[1]): Promise<string | null> {
  const extremePrice = (order: 'asc' | 'desc') =>
    sql`(select l.price::text from listings l where ${conditionsFor(ctx, choices, null)} order by l.price ${sql.raw(order)}, l.id ${sql.raw(order)} limit 1)`
  const [row] = await rowsOf(ctx, sql`select ${extremePrice('asc')} as low, ${extremePrice('desc')} as high`, pricesRow)
  return row?.low && row.high ? [...new Set([row.low, row.high])].map(formatRupees).join(' – ') : null
}

/** The cache key of the picture, which changes with its content. */
export const boardVersion = (facts: BoardFacts) => hash('sha256', JSON.stringify(facts))
