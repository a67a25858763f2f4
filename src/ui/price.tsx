import { formatRupees, percentOff, type Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'

/** The price to pay, big; the original struck through and the percentage beside it when there is a real discount. */
export function Price({ original, offer, isLarge = false }: { original: Money; offer: Money | null; isLarge?: boolean }) {
  const percent = percentOff(original, offer)
  const price = percent === null ? original : offer!
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className={isLarge ? 'text-2xl font-bold md:text-3xl' : 'text-xl font-bold'}>{formatRupees(price)}</span>
      {percent !== null && (
        <>
          <s className="text-sm text-stone">{formatRupees(original)}</s>
          <span className="text-sm font-semibold text-brick">{m.card_off({ percent })}</span>
        </>
      )}
    </span>
  )
}
