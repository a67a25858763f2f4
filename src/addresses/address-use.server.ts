import type { Ctx } from '#src/kit/context.ts'
import type { PincodePlace } from './places.server.ts'

/** How a later domain uses addresses. */
export interface AddressUse {
  /** Called in the transaction that changes the PIN code of an address. */
  move(ctx: Ctx, addressId: number, place: PincodePlace): Promise<void>
  /** The number of the owner's listings at each address, by address id. */
  count(ctx: Ctx, ownerId: number): Promise<Map<number, number>>
  /** The address of the buyer's last order, which they may have removed since; null before the first order. */
  lastOrdered(ctx: Ctx, buyerId: number): Promise<number | null>
}

let registered: AddressUse | null = null

/** This domain must not import later ones (CONTRIBUTING.md), so a domain that uses addresses registers at startup. */
export function registerAddressUse(use: AddressUse): void {
  registered = use
}

/** Throws when nothing is registered, because listings would otherwise keep the old place of a changed address. */
export function addressUse(): AddressUse {
  if (!registered) throw new Error('registerAddressUse was not called.')
  return registered
}
