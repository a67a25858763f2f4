import { formatDay } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import type { Settlement } from './rules.ts'

const methods = { cash: m.order_cash, upi: m.order_upi, bank: m.settle_bank }
export const methodName = (method: Settlement['method'], locale: Locale): string => methods[method]({}, { locale })

/** A payment to or from the seller, in one sentence. */
export const settlementText = ({ kind, amount, method, reference, paidOn }: Omit<Settlement, 'id' | 'note'>, locale: Locale): string =>
  (kind === 'received' ? m.invoice_settled_received : m.invoice_settled_as)(
    { amount: formatRupees(amount), method: methodName(method, locale), day: formatDay(new Date(paidOn), locale), reference },
    { locale },
  )
