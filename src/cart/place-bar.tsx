import type { ReactNode } from 'react'
import { formatRupees } from '#src/kit/time-money/money.ts'

/** The sum of an order and the act that goes on with it. On a phone fixed at the foot of the screen, in place of the market's navigation. */
export const PlaceBar = ({ payable, children }: { payable: bigint; children: ReactNode }) => (
  <div data-place-bar className="action-bar">
    <div className="mx-auto flex max-w-md items-center gap-3 max-[20rem]:flex-wrap md:max-w-none">
      <b className="text-lg whitespace-nowrap md:hidden">{formatRupees(payable)}</b>
      {children}
    </div>
  </div>
)
