import { isMasked } from '#src/accounts/rules.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import type { Product } from './queries.server.ts'

/** The product in a list: its texts without the phone numbers in them. */
export const withoutPhones = (product: Product): Product => ({
  ...product,
  name: hidePhones(product.name),
  description: hidePhones(product.description),
  vetChecks: product.vetChecks.map((check) => ({ ...check, comments: hidePhones(check.comments) })),
})

/** Numbers in the texts are whole for readers who see the seller's own. `mayCall` is the result of `revealContact`. */
export const withTextsFor = (product: Product, mayCall: boolean | null): Product =>
  mayCall && !isMasked(product.seller.phone) ? product : withoutPhones(product)
