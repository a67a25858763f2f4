import type { Quote } from '#src/cart/rules.ts'
import { formatRupees, type Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'

/** The lines of B §9. At most one of the two discounts applies; the other line shows 0. */
export function OrderSummary({ sums }: { sums: Quote }) {
  return (
    <div className="space-y-3">
      <dl className="grid grid-cols-[1fr_auto] gap-y-1">
        <Row label={m.confirm_price()}>{formatRupees(sums.price)}</Row>
        <Row label={m.confirm_first_discount()}>{deductionText(sums.firstOrderDiscount)}</Row>
        <Row label={m.confirm_referral_discount()}>{deductionText(sums.referralDiscount)}</Row>
        <Row label={m.confirm_delivery()}>{formatRupees(sums.delivery)}</Row>
        <dt className="mt-1 border-t border-line pt-2 text-lg font-semibold">{m.confirm_payable()}</dt>
        <dd className="mt-1 border-t border-line pt-2 pl-4 text-right text-2xl font-bold">{formatRupees(sums.payable)}</dd>
      </dl>
      <p className="font-semibold text-leaf">{m.confirm_delivery_free()}</p>
      {sums.savings > 0n && <p className="done text-leaf">{m.confirm_savings({ amount: formatRupees(sums.savings) })}</p>}
    </div>
  )
}

const deductionText = (discount: Money) => (discount > 0n ? `− ${formatRupees(discount)}` : formatRupees(0n))

function Row({ label, children }: { label: string; children: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="pl-4 text-right">{children}</dd>
    </>
  )
}
