import { isMasked } from '#src/accounts/rules.ts'
import { hidePhones } from '#src/kit/text/phones-in-text.ts'
import type { Product } from './queries.server.ts'

/** The API's document says so of each of these texts. */
export const HIDDEN_NUMBERS = "Phone numbers are masked as xxxxx in lists and for callers who do not get the seller's number."

/** The product for visitors and in lists: its texts without the phone numbers in them. */
export const withoutPhones = (product: Product): Product => ({
  ...product,
  name: hidePhones(product.name),
  description: hidePhones(product.description),
  clips: product.clips.map((clip) => ({ ...clip, caption: hidePhones(clip.caption) })),
  vetChecks: product.vetChecks.map((check) => ({ ...check, comments: hidePhones(check.comments) })),
})

/**
 * Numbers in the texts are whole for readers who see the seller's own, or that of the pickup place, as the vet who holds the
 * animal. `mayCall` is the result of `revealContact`.
 */
export function withTextsFor(product: Product, mayCall: boolean | null): Product {
  const { seller, pickup } = product
  const seesPlace = pickup !== null && !isMasked(pickup.phone)
  return seesPlace || (mayCall && !isMasked(seller.phone)) ? product : withoutPhones(product)
}
