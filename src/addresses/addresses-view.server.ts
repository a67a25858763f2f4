import { addressUse } from './address-use.server.ts'
import { addressTypes } from '#src/accounts/reference-data.ts'
import { listAddresses, type SavedAddress } from './addresses.server.ts'
import { type PincodePlace, namesPlace, placeName } from './places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'

/** The purpose of the address by the page's path: delivery, pickup, or neither. */
export type Purpose = 'buy' | 'sell' | 'manage'

/** The place of a PIN code for the form, with names in the viewer's language. */
export interface ShownPlace {
  pincode: string
  taluk: string
  district: string
  state: string
  isDeliverable: boolean
}

export interface ShownAddress {
  id: number
  name: string
  phone: string
  typeId: number
  type: string
  address1: string
  address2: string
  /** The lines to show: the second one is left out where the place beneath repeats it. */
  lines: string[]
  place: ShownPlace
  listings: number
}

export function shownPlaceOf(ctx: Ctx, { pincode, taluk, district, state, isDeliverable }: PincodePlace): ShownPlace {
  const [inTaluk, inDistrict, inState] = [taluk, district, state].map((name) => placeName(name, ctx.locale)) as [string, string, string]
  return { pincode, taluk: inTaluk, district: inDistrict, state: inState, isDeliverable }
}

/** The viewer's address book; null when the database is unavailable, which differs from an empty book. */
export async function findBook(ctx: Ctx, viewerId: number, noteAway: (error: unknown) => void): Promise<ShownAddress[] | null> {
  try {
    const [book, counts] = await Promise.all([listAddresses(ctx, viewerId), addressUse().count(ctx, viewerId)])
    return book.map((address) => shownAddress(ctx, address, counts.get(address.id)))
  } catch (error) {
    if (!isDatabaseAway(error)) throw error
    noteAway(error)
    return null
  }
}

/** The saved address that an order proposes: the one of the last order, or else the newest, as long as we deliver there. */
export async function findProposed(ctx: Ctx, buyerId: number, book: ShownAddress[]): Promise<number | null> {
  const deliverable = book.filter(({ place }) => place.isDeliverable)
  const last = await addressUse().lastOrdered(ctx, buyerId)
  return (deliverable.find(({ id }) => id === last) ?? deliverable[0])?.id ?? null
}

export function shownAddress(ctx: Ctx, address: SavedAddress, listings = 0): ShownAddress {
  const { id, name, phone, typeId, address1, address2, taluk } = address
  const type = addressTypes.find((each) => each.id === typeId)?.[ctx.locale] ?? ''
  const lines = namesPlace(address2, taluk) ? [address1] : [address1, address2]
  return { id, name, phone, typeId, type, address1, address2, lines, place: shownPlaceOf(ctx, address), listings }
}
