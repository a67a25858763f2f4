import { requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { toRupeeNumber } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { alignedFacts } from '#src/listings/animal-facts.server.ts'
import type { fieldTable } from '#src/listings/fields/field-table.ts'
import { lookups, nameOf, nameOrNull } from '#src/listings/reference/lookups.server.ts'
import { listProductsById, type Product } from '#src/listings/queries.server.ts'
import { listingCode } from '#src/listings/life/rules.ts'
import { MAX_TOP } from '#src/listings/browse/schemas.ts'
import { listOwnIds } from './own-listings.server.ts'

/** All listings of the viewer as a CSV file (RFC 4180) in their language: in stock first, then the newest. */
export async function ownListingsFile(ctx: Ctx): Promise<string> {
  const products: Product[] = []
  for (const tab of ['instock', 'soldout'] as const) {
    let afterId: number | null = null
    do {
      const page: Awaited<ReturnType<typeof listOwnIds>> = await listOwnIds(ctx, {
        sellerId: requireLoggedIn(ctx).id,
        tab,
        top: MAX_TOP,
        afterId,
      })
      const found = new Map((await listProductsById(ctx, page.ids)).map((product) => [product.id, product]))
      products.push(...page.ids.flatMap((id) => found.get(id) ?? []))
      afterId = page.next
    } while (afterId !== null)
  }
  return listingLines(products, ctx).join('')
}

/** The heading and a line for each listing: the common columns, then each fact that any listing has. */
export function listingLines(products: readonly Product[], { locale }: Pick<Ctx, 'locale'>, table?: typeof fieldTable): string[] {
  const head = [m.order_csv_code, m.sell_name, m.product_category, m.product_breed, m.sell_original_price, m.sell_offer_price]
  const facts = alignedFacts(products, 'csv', locale, table)
  return [
    csvLine([...head.map((text) => text({}, { locale })), ...facts.map(({ label }) => label)]),
    ...products.map((product, index) => {
      const category = lookups.category(product.categoryId)
      return csvLine([
        listingCode(category.shortEn, product.id),
        product.name,
        nameOf(category, locale),
        nameOrNull(lookups.breed, product.breedId, locale) ?? '',
        toRupeeNumber(product.originalPrice),
        product.offerPrice === null ? '' : toRupeeNumber(product.offerPrice),
        ...facts.map(({ texts }) => texts[index] ?? ''),
      ])
    }),
  ]
}
