import { randomUUID } from 'node:crypto'
import { getAddress } from '#src/addresses/addresses.server.ts'
import { getCart } from '#src/cart/queries.server.ts'
import { linesText, quote, wastedOn } from '#src/cart/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { waitText } from '#src/kit/problem-text.ts'
import { shownAddress } from '#src/addresses/addresses-view.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { findExpectedDays } from './expected-days.server.ts'
import { findDiscount, REFERRAL_CODE } from './discounts.server.ts'
import { findPlaced } from './placed-orders.server.ts'

interface Asked {
  buyerId: number
  addressId: number
  query: URLSearchParams
  /** The code that a link to the site left in a cookie. */
  refcode: string
  /** Takes one try of the rate limit on codes. */
  takeTry: () => Promise<void>
}

/** B §2: items of the cart, address, total and one button. */
export async function readConfirmOrder(ctx: Ctx, { buyerId, addressId, query, refcode, takeTry }: Asked) {
  const shared = { addressId }
  const placedId = parseId(query.get('placed') ?? undefined)
  const placed = placedId === null ? null : await findPlaced(ctx, placedId)
  if (placed) return { ...shared, kind: 'placed' as const, ...placed }
  const address = await getAddress(ctx, addressId)
  const lines = await getCart(ctx)
  const typed = query.get('code')
  const code = codeIn(typed ?? refcode)
  const codeWait = isCode(code) ? await waitOfTry(ctx, takeTry) : ''
  const isHeldBack = codeWait !== ''
  const { offer } = await findDiscount(ctx, isHeldBack ? '' : code)
  const canBeOrdered = lines.filter(({ state }) => state === 'ok')
  return {
    ...shared,
    kind: 'review' as const,
    buyerId,
    address: shownAddress(ctx, address),
    lines,
    sums: quote(canBeOrdered, offer),
    /** The discount that would be used up on less than it is worth. */
    wasted: wastedOn(canBeOrdered[0], offer),
    shownLines: linesText(canBeOrdered),
    /** Exactly as typed, also when it is no valid code. */
    code: typed === null && !isCode(code) ? '' : code,
    codeSays: isHeldBack
      ? ('later' as const)
      : isCode(code)
        ? ('looked' as const)
        : typed === null || code === ''
          ? null
          : ('wrong' as const),
    codeWait,
    isCodeTyped: typed !== null && !query.has('changed'),
    isDeliverable: address.isDeliverable && lines.every((line) => line.isPickupDeliverable),
    days: await findExpectedDays(
      ctx,
      address.pincode,
      canBeOrdered.map(({ pickupPincode }) => pickupPincode),
    ),
    isBlocked: canBeOrdered.length < lines.length,
    hasChanged: query.has('changed'),
    /** The form's idempotency key: repeated submits make one order. */
    attempt: randomUUID(),
  }
}

/** Longer than a code, so that the field keeps a mistyped one. */
const CODE_TEXT = 40

/** Removes the spaces that come with a code copied from a message. */
export const codeIn = (text: string) => text.replace(/\s/g, '').toUpperCase().slice(0, CODE_TEXT)

export const isCode = (text: string) => REFERRAL_CODE.test(text)

/** Takes one try of the limit on codes, whether the code comes by address or cookie. Returns '', or how long to wait. */
async function waitOfTry({ locale }: Ctx, take: () => Promise<void>): Promise<string> {
  try {
    await take()
    return ''
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return waitText(error.retryAfterSeconds ?? 60, locale)
    throw error
  }
}
