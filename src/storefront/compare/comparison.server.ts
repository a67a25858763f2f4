import type { Ctx } from '#src/kit/context.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import type { AlignedFact } from '#src/listings/animal-facts.server.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { withoutPhones } from '#src/listings/public-texts.ts'
import { listProductsById, type Product } from '#src/listings/queries.server.ts'
import { availabilityOf, isCheckValid } from '#src/listings/life/rules.ts'
import { m } from '#src/paraglide/messages.js'
import { comparedFacts, markDifferences } from './compared-facts.server.ts'

/** The data of a comparison page, in one statement. The same for everybody, so that people can share the URL. */
export async function readComparison(ctx: Ctx, ids: readonly number[]) {
  const found = (await listProductsById({ ...ctx, viewer: null }, ids)).map(withoutPhones)
  const products = ids.flatMap((id) => found.find((product) => product.id === id) ?? [])
  const { locale } = ctx
  return {
    animals: products.map((product) => ({
      id: product.id,
      name: product.name,
      originalPrice: product.originalPrice,
      offerPrice: product.offerPrice,
      photo: product.photos[0] ?? null,
      isSample: product.isSample,
      availability: availabilityOf(product, ctx.now),
      rest: ids.filter((id) => id !== product.id),
    })),
    gone: ids.length - products.length,
    facts: [...markDifferences([kindOf(products, ctx)]), ...comparedFacts(products, locale), ...markDifferences(besides(products, ctx))],
  }
}

export type Comparison = Awaited<ReturnType<typeof readComparison>>

const kindOf = (products: Product[], { locale }: Ctx): AlignedFact => ({
  name: 'kind',
  label: m.product_category({}, { locale }),
  texts: products.map(({ categoryId, breedId }) =>
    [nameOf(lookups.category(categoryId), locale), nameOrNull(lookups.breed, breedId, locale)].filter(Boolean).join(' · '),
  ),
})

/** The place and the trust signs of each animal. */
function besides(products: Product[], { locale, now }: Ctx): AlignedFact[] {
  const options = { locale }
  const lines: [name: string, label: string, textOf: (product: Product) => string | null][] = [
    ['place', m.product_place({}, options), ({ district, stateName }) => [district, stateName].filter(Boolean).join(', ')],
    ['vet', m.card_vet({}, options), (product) => lastGoodCheck(product, now, locale)],
    [
      'vaccines',
      m.card_vaccinated({}, options),
      ({ vaccinations }) =>
        [...new Set(vaccinations.map(({ vaccineId }) => nameOf(lookups.vaccine(vaccineId), locale)))].join(', ') || null,
    ],
    ['verified', m.card_verified_seller({}, options), ({ seller }) => (seller.isVerified ? m.compare_yes({}, options) : null)],
    [
      'seller',
      m.product_sold_by({}, options),
      ({ seller }) => seller.name + (seller.stars === null ? '' : ` ★${seller.stars} (${seller.ratings})`),
    ],
  ]
  return lines.map(([name, label, textOf]) => ({ name, label, texts: products.map(textOf) })).filter(({ texts }) => texts.some(Boolean))
}

function lastGoodCheck(product: Product, now: Date, locale: Ctx['locale']): string | null {
  const check = product.vetChecks[0]
  return check?.approved && isCheckValid(check, product, indianDay(now)) ? formatDay(new Date(check.checkedOn), locale) : null
}
