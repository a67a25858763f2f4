import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import type { ShownOrder } from './order-view.server.ts'

/** The next step with its time, then the latest event; the rest is folded. */
export function OrderTimeline({ order }: { order: ShownOrder }) {
  const [newest, ...older] = order.steps.toReversed()
  return (
    <div className="min-w-0">
      <ol aria-label={m.order_history()}>
        <Next order={order} />
        {newest && <Step step={newest} />}
      </ol>
      {older.length > 0 && (
        <details className="border-l-2 border-leaf pl-4">
          <summary className="flex min-h-11 items-center text-sm font-semibold text-leaf">{m.order_earlier()}</summary>
          <ol className="-ml-[18px]">
            {older.map((step) => (
              <Step key={step.id} step={step} />
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

/** The folded timeline for a desk, which shows the status above. */
export function FoldedTimeline({ order }: { order: ShownOrder }) {
  return (
    <details className="group rounded-control border border-line">
      <summary className="flex min-h-11 unmarked items-center justify-between gap-2 px-3 font-semibold text-leaf">
        {m.order_history()}
        <span aria-hidden="true" className="fold-arrow" />
      </summary>
      <ol className="px-3 pb-3">
        <Next order={order} />
        {order.steps.toReversed().map((step) => (
          <Step key={step.id} step={step} />
        ))}
      </ol>
    </details>
  )
}

function Next({ order: { next, when, usually, toCome, isOver } }: { order: ShownOrder }) {
  if (isOver || (next === null && toCome.length === 0)) return null
  const [first, ...rest] = toCome
  return (
    <li aria-current="step" className="relative border-l-2 border-dashed border-leaf pb-3 pl-4">
      <span aria-hidden="true" className="absolute top-3 -left-[7px] size-3 rounded-full border-2 border-leaf bg-paper" />
      <div className="notice">
        <b className="block text-sm">{m.confirm_placed_what_next()}</b>
        <p>{next ?? first}</p>
        {(when ?? usually) && (
          <p className="mt-1 flex items-start gap-2 font-semibold">
            <Icon name="truck" size={20} className="mt-0.5 shrink-0" />
            {when ? m.order_comes({ when }) : usually}
          </p>
        )}
        {rest.length > 0 && <p className="mt-1 text-sm">{m.order_then({ steps: rest.join(' · ') })}</p>}
      </div>
    </li>
  )
}

function Step({ step }: { step: ShownOrder['steps'][number] }) {
  return (
    <li className="relative border-l-2 border-leaf pb-3 pl-4 last:pb-0">
      <span aria-hidden="true" className="absolute top-1 -left-[7px] size-3 rounded-full bg-leaf" />
      <p className="leading-snug font-semibold">{step.text}</p>
      <p className="text-sm text-stone">
        <bdi>{step.by}</bdi> ·{' '}
        <time dateTime={step.when} className="whitespace-nowrap max-[20rem]:whitespace-normal">
          {step.at}
        </time>
      </p>
      {step.note && <p className="text-sm break-words whitespace-pre-line">“{step.note}”</p>}
    </li>
  )
}
