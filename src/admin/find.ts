import { redirect } from 'react-router'
import { plainDigits, searchText } from '#src/kit/text/plain-text.ts'
import { readPhone } from '#src/kit/text/readers.ts'
import { findUserByPhone } from '#src/accounts/people/users.server.ts'
import { readProductNumber } from '#src/listings/browse/search.server.ts'
import { hasOrder } from '#src/orders/queries.server.ts'
import { bareNumber, pageOfNumber, pageOfOrder } from './found-number.ts'
import { localized } from '#src/kit/text/locale.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'

/** The office's search redirects by the form of the text: a number to what has it, a phone to its person, a name to the list of people. */
export const loader = pageLoader(async (ctx, { url }) => {
  const typed = plainDigits(searchText(url.searchParams.get('q') ?? '', 80))
  throw redirect(localized(await placeOf(typed), ctx.locale))

  async function placeOf(text: string): Promise<string> {
    if (text === '') return '/admin'
    const page = pageOfNumber(text)
    if (page !== null) return page
    const orderId = bareNumber(text)
    if (orderId !== null && (await hasOrder(ctx, orderId))) return pageOfOrder(orderId)
    const listing = readProductNumber(text)
    if (listing !== null) return `/product/${listing.id}?tab=verification`
    const phone = readPhone(text)
    const userId = phone === null ? null : await findUserByPhone(ctx, phone)
    return userId === null ? `/admin/users?q=${encodeURIComponent(text)}` : `/admin/users/${userId}`
  }
})
