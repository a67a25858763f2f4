import { useEffect, useRef } from 'react'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { showCartCount } from '#src/listings/cart-count.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { Placed } from './placed-orders.server.ts'

/** The order is placed: the numbers to quote on the telephone, and what comes next. Opened later, it shows the current status. */
export function CheckoutPlaced({ placed }: { placed: Placed }) {
  const { orders, payable, isOver, isAwaited, cartLines } = placed
  const to = useLocalPath()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus()
    showCartCount(cartLines)
  }, [cartLines])
  return (
    <div className="mx-auto max-w-xl py-2 md:py-6">
      <div className="panel grid justify-items-center gap-4 p-6 text-center shadow-card">
        {!isOver && (
          <span className="grid size-16 place-items-center rounded-full bg-leaf-soft text-leaf">
            <Icon name="badge" size={36} />
          </span>
        )}
        <div role="status">
          <h1 ref={title} tabIndex={-1} className="text-2xl outline-none">
            {isOver ? m.confirm_placed_over() : m.confirm_placed_title()}
          </h1>
        </div>
        <section aria-labelledby="numbers" className="w-full">
          <h2 id="numbers" className="text-base font-semibold text-stone">
            {orders.length === 1 ? m.confirm_placed_numbers_one() : m.confirm_placed_numbers()}
          </h2>
          <ul className="mt-2 divide-y divide-line text-left">
            {orders.map((order) => (
              <li key={order.id} className="flex items-baseline justify-between gap-x-4 py-2">
                <span className={`min-w-0 wrap-anywhere ${order.isOver ? 'text-stone' : ''}`}>
                  {order.name}
                  {order.count > 1 && `\u00a0×\u00a0${order.count}`}
                  {order.statusName && <b className="block text-sm">{order.statusName}</b>}
                </span>
                <b className="text-lg whitespace-nowrap">{order.orderNo}</b>
              </li>
            ))}
          </ul>
        </section>
        {!isOver && (
          <p className="w-full rounded-control bg-turmeric-soft p-3 text-left font-semibold">
            {m.confirm_placed_keep({ amount: formatRupees(payable) })}
          </p>
        )}
        {isAwaited && <p className="text-left">{m.confirm_placed_next()}</p>}
        <p className="row justify-center gap-3">
          <a href={to('/orders')} className="button-primary">
            {m.confirm_orders()}
          </a>
          <a href={to('/buy/0')} className="button-plain">
            {m.cart_continue_buy()}
          </a>
        </p>
      </div>
    </div>
  )
}
