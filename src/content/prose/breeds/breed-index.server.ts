import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { breedFacts } from '#src/storefront/breeds/breed-facts.server.ts'
import { countLiveByBreed, COUNTED_UP_TO } from '#src/storefront/breeds/breed-market.server.ts'
import { breedPath } from '#src/storefront/breeds/breed-paths.ts'
import { breedPicture } from '#src/listings/animal-pictures.ts'
import { breeds, categories } from '#src/listings/reference/reference-data.ts'
import type { ProseSlug } from '#src/content/prose/prose.ts'
import { proseHead } from '#src/content/prose/prose-heads.server.ts'
import { m } from '#src/paraglide/messages.js'

/** Every category that has breeds, with the number of animals of each breed for sale. */
export async function readBreedIndex(ctx: Ctx) {
  const counts = await countLiveByBreed(ctx)
  return categories
    .map(({ id, [ctx.locale]: name }) => ({
      id,
      name,
      breeds: breeds
        .filter(({ categoryId }) => categoryId === id)
        .map((breed) => ({
          name: breed[ctx.locale],
          path: breedPath(breed),
          picture: breedPicture(breed.id),
          tract: breedFacts[breed.id]!.tract[ctx.locale],
          count: shownCount(counts.get(breed.id) ?? 0),
        })),
    }))
    .filter((group) => group.breeds.length > 0)
}

/** Formats as "24" or "100+"; empty for 0. */
const shownCount = (count: number) => (count === 0 ? '' : count < COUNTED_UP_TO ? String(count) : `${COUNTED_UP_TO}+`)

const guides: ProseSlug[] = [
  'jersey-cattle-sale-coimbatore',
  'indian-milk-cow-breeds-sale',
  'goat-farming-in-coimbatore',
  'farm-animals-pets-in-coimbatore',
  'pet-shops-in-coimbatore',
]

/** Links to guides about kinds of animals. */
export const moreToRead = (locale: Locale) => guides.map((slug) => ({ path: `/${slug}`, title: proseHead(slug, locale).title }))

export const breedsHead = (locale: Locale) => ({
  title: m.breed_index_title({}, { locale }),
  description: m.breed_index_lead({}, { locale }),
  keywords: m.page_keywords({}, { locale }),
})
