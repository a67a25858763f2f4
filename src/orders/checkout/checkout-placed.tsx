import { useEffect, useRef } from 'react'
import { PushOffer } from '#src/accounts/notifications/push-offer.tsx'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { showCartCount } from '#src/listings/cart-count.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { Placed } from './placed-orders.server.ts'

/** Confirmation page: order numbers to quote on the phone and the next steps. Opened later, it shows the current status. */
export function CheckoutPlaced({ placed }: { placed: Placed }) {
  const { orders, payable, isOver, isAwaited, cartLines, sellers, days } = placed
  const to = useLocalPath()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus()
    showCartCount(cartLines)
  }, [cartLines])
  return (
    <div className="mx-auto max-w-xl py-2 md:py-6">
      <div className="panel grid grid-cols-1 justify-items-center gap-4 p-4 text-center sm:p-6 shadow-card">
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
        <Numbers orders={orders} />
        {!isOver && <p className="w-full notice text-left font-semibold">{m.confirm_placed_keep({ amount: formatRupees(payable) })}</p>}
        {!isOver && <NextSteps isAwaited={isAwaited} days={days} />}
        <SellerCalls sellers={sellers} />
        <p className="grid w-full gap-2 sm:grid-cols-2">
          <a href={to('/orders')} className="button-primary">
            {m.confirm_orders()}
          </a>
          <a href={to('/buy/0')} className="button-plain">
            {m.cart_continue_buy()}
          </a>
        </p>
      </div>
      {!isOver && (
        <div className="mt-4">
          <PushOffer about="order" />
        </div>
      )}
    </div>
  )
}

/** The usual next steps and their usual times; none is a promise. */
function NextSteps({ isAwaited, days }: Pick<Placed, 'isAwaited' | 'days'>) {
  return (
    <section aria-labelledby="next-steps" className="w-full text-left">
      <h2 id="next-steps" className="text-base font-semibold text-stone">
        {m.confirm_placed_what_next()}
      </h2>
      <ol className="mt-1 list-decimal space-y-1 pl-6">
        {isAwaited && <li>{m.confirm_placed_next()}</li>}
        {days && <li>{days.from === days.to ? m.confirm_placed_when_one({ days: days.to }) : m.confirm_placed_when(days)}</li>}
        <li>{m.order_next_5()}</li>
      </ol>
    </section>
  )
}

function Numbers({ orders }: Pick<Placed, 'orders'>) {
  return (
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
  )
}

const SellerCalls = ({ sellers }: Pick<Placed, 'sellers'>) =>
  sellers.map(({ id, name, phone }) => (
    <a key={id} href={`tel:${phone}`} className="button-plain w-full wrap-anywhere">
      <Icon name="phone" size={20} className="shrink-0" />
      {m.confirm_placed_call({ name })}
    </a>
  ))
