import { availabilityOf } from '#src/listings/life/rules.ts'

/** Is the listing on the market? Stock that an order returns is not always for sale again. */
export const isForSale = (listing: { state: string; isSold: boolean; stock: number; touchedAt: Date }, now: Date): boolean =>
  listing.state === 'passed' && availabilityOf(listing, now) === 'available'
