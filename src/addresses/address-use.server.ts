import type { Ctx } from '#src/kit/context.ts'
import type { PincodePlace } from './addresses.server.ts'

/** A later domain's use of addresses. */
export interface AddressUse {
  /** Called when an address changes its PIN code, in the transaction of the change. */
  move(ctx: Ctx, addressId: number, place: PincodePlace): Promise<void>
  /** How many of the owner's listings use each address, by address id. */
  count(ctx: Ctx, ownerId: number): Promise<Map<number, number>>
}

let registered: AddressUse | null = null

/** Domains stand in a line, and this one must not import later ones: a domain that uses addresses registers when the app starts. */
export function registerAddressUse(use: AddressUse): void {
  registered = use
}

/** Throws when nobody registered: an address that moves without its listings would show them in the wrong place. */
export function addressUse(): AddressUse {
  if (!registered) throw new Error('registerAddressUse was not called.')
  return registered
}
