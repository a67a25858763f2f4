import type { Ctx } from '#src/kit/context.ts'
import { breedPath } from '#src/storefront/breeds/breed-paths.ts'
import { breeds } from '#src/listings/reference/reference-data.ts'
import { aboutPriceText, milkText, readKind, weightText, type KindShown } from '#src/content/prose/breeds/breed-view.server.ts'
import type { ProseSlug } from './prose.ts'

/** The town in these pages' slugs. */
const TOWN = 'Coimbatore'

interface Kind {
  breedIds?: number[]
  categoryIds?: number[]
  /** Breeds described below the text. */
  explained?: number[]
}

const goats = [203, 201, 202, 206, 207, 205, 208, 214]
const milkCows = [113, 115, 116, 117, 114, 101]

/** The kinds of animal that a page is about; those for sale are shown below its text. */
const kinds: Partial<Record<ProseSlug, Kind>> = {
  'jersey-cattle-sale-coimbatore': { breedIds: [118], explained: [118, 119, 113, 116] },
  'indian-milk-cow-breeds-sale': { breedIds: milkCows, explained: milkCows },
  'goat-farming-in-coimbatore': { categoryIds: [2], explained: goats },
  'farm-animals-pets-in-coimbatore': { categoryIds: [1, 2, 3, 4, 5, 6], explained: [101, 118, 203, 301, 401, 501] },
  'pet-shops-in-coimbatore': { categoryIds: [5], explained: [501, 502, 503, 504, 507] },
}

interface BreedLine {
  name: string
  path: string
  weight: string
  milk: string | null
  price: string
}

/** The live data of a prose page; null when the page is text only. */
export async function readLive(ctx: Ctx, slug: ProseSlug): Promise<{ kind: KindShown; lines: BreedLine[] } | null> {
  const found = kinds[slug]
  if (!found) return null
  const { explained = [], ...wanted } = found
  return {
    kind: await readKind(ctx, { ...wanted, near: TOWN }),
    lines: explained.map((id) => {
      const breed = breeds.find((each) => each.id === id)!
      return {
        name: breed[ctx.locale],
        path: breedPath(breed),
        weight: weightText(breed, ctx.locale),
        milk: milkText(breed, ctx.locale),
        price: aboutPriceText(breed, ctx.locale),
      }
    }),
  }
}
