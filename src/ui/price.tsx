import { formatRupees, percentOff, type Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'

/** The price to pay in large type. With a real discount, also the struck-through original price and the percentage. */
export function Price({ original, offer, isLarge = false }: { original: Money; offer: Money | null; isLarge?: boolean }) {
  const percent = percentOff(original, offer)
  const price = percent === null ? original : offer!
  return (
    <span className={isLarge ? 'money is-large' : 'money'}>
      <b>{formatRupees(price)}</b>
      {percent !== null && (
        <>
          <s>{formatRupees(original)}</s>
          <span>{m.card_off({ percent })}</span>
        </>
      )}
    </span>
  )
}
