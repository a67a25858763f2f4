import { placeName } from '#src/addresses/places.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { Product } from './queries.server.ts'

/** The pickup place on one line; null for viewers who may not see it. */
export const pickupText = ({ pickup, taluk, pincode }: Product, locale: Locale) =>
  pickup && `${pickup.name}, ${pickup.address1}, ${pickup.address2}, ${placeName(taluk, locale)} ${pincode}`
