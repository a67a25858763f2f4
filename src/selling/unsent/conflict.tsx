import { m } from '#src/paraglide/messages.js'
import { readRupees } from '#src/kit/time-money/amounts.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'

/** Two windows or devices edited one draft: nothing is overwritten before somebody has said which one stays. */
export function TwoDrafts({ other, onChoose }: { other: Typed; onChoose: (which: 'this' | 'other') => void }) {
  const words = [other.name, other.originalPrice && priceText(other.originalPrice)].filter(Boolean).join(' · ')
  return (
    <div role="alert" className="standing-alarm">
      <p className="font-semibold text-brick">{m.sell_two_drafts()}</p>
      {words && <p>{m.sell_two_drafts_other({ words })}</p>}
      <div className="grid gap-2 xs:grid-cols-2">
        <button type="button" onClick={() => onChoose('this')} className="button-primary px-2">
          {m.sell_two_drafts_this()}
        </button>
        <button type="button" onClick={() => onChoose('other')} className="button-plain px-2">
          {m.sell_two_drafts_take()}
        </button>
      </div>
    </div>
  )
}

/** As typed, or the amount that it means. */
function priceText(typed: string): string {
  const price = readRupees(typed)
  return price === null ? `₹${typed}` : formatRupees(price)
}
