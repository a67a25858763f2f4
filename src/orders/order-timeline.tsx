import { m } from '#src/paraglide/messages.js'
import type { ShownOrder } from './order-shown.server.ts'

/** Who did what and when, and which steps usually follow. */
export function OrderTimeline({ order, isOpen }: { order: ShownOrder; isOpen: boolean }) {
  return (
    <details open={isOpen || undefined} className="group rounded-control border border-line">
      <summary className="flex min-h-11 list-none items-center justify-between gap-2 px-3 font-semibold text-leaf [&::-webkit-details-marker]:hidden">
        {m.order_history()}
        <span aria-hidden="true" className="transition-transform group-open:rotate-180">
          ▾
        </span>
      </summary>
      <ol className="px-3 pb-3">
        {order.steps.map((step) => (
          <li key={step.id} className="relative border-l-2 border-leaf pb-3 pl-4 last:pb-0">
            <span aria-hidden="true" className="absolute top-1 -left-[7px] size-3 rounded-full bg-leaf" />
            <p className="leading-snug font-semibold">{step.text}</p>
            <p className="text-sm text-stone">
              <bdi>{step.by}</bdi> ·{' '}
              <time dateTime={step.when} className="whitespace-nowrap">
                {step.at}
              </time>
            </p>
            {step.note && <p className="text-sm break-words whitespace-pre-line">“{step.note}”</p>}
          </li>
        ))}
        {order.toCome.map((text) => (
          <li key={text} className="relative border-l-2 border-dashed border-line pb-3 pl-4 text-stone last:pb-0">
            <span aria-hidden="true" className="absolute top-1 -left-[7px] size-3 rounded-full border-2 border-stone/60 bg-paper" />
            <p className="leading-snug">
              <span className="sr-only">{m.order_to_come()} </span>
              {text}
            </p>
          </li>
        ))}
      </ol>
    </details>
  )
}
