import { formatDay } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import type { Settlement } from './rules.ts'

const methods = { cash: m.order_cash, upi: m.order_upi, bank: m.settle_bank }
export const methodName = (method: Settlement['method'], locale: Locale): string => methods[method]({}, { locale })

/** An entry of an account between Sandhai and a seller, which may take the one before back. */
export function entryText({ kind, amount, method, reference, paidOn }: Settlement, locale: Locale): string {
  const text = { back: m.earn_taken_back, received: m.earn_received_as, paid: m.earn_paid_as }[kind]
  const day = formatDay(new Date(paidOn), locale)
  return text({ amount: formatRupees(amount), method: methodName(method, locale), day, reference }, { locale })
}

/** A payment to or from the seller, in one sentence. */
export const settlementText = ({ kind, amount, method, reference, paidOn }: Omit<Settlement, 'id' | 'note'>, locale: Locale): string =>
  (kind === 'received' ? m.invoice_settled_received : m.invoice_settled_as)(
    { amount: formatRupees(amount), method: methodName(method, locale), day: formatDay(new Date(paidOn), locale), reference },
    { locale },
  )
