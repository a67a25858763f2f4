import { useEffect, useRef } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

interface Props {
  refused: FormRefusal
  /** Names of the lines concerned, in the viewer's language. */
  names: Map<number, string>
  /** Id of the form to send again, so that a retry has the same idempotency key. Null: there is nothing left to send. */
  form: string | null
}

/** 'Failed to place your order' of B §8: the reason, a retry button and the support contact. */
export function CheckoutFailure({ refused, names, form }: Props) {
  const to = useLocalPath()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [refused])
  const { code, lines = [] } = refused
  const isOurs = code === 'INTERNAL' || code === 'UNAVAILABLE'
  return (
    <section aria-labelledby="failed" role="alert" className="rounded-card bg-brick-soft p-4">
      <h2 id="failed" ref={title} tabIndex={-1} className="text-lg text-brick outline-none">
        {m.confirm_failed_title()}
      </h2>
      <p className="mt-1">{m.confirm_failed_text()}</p>
      {/* The page shows the message of an empty cart below. */}
      {code !== 'CART_EMPTY' && <p className="mt-1 font-semibold">{refused.detail || m.confirm_no_line()}</p>}
      {code === 'STOCK_CHANGED' && (
        <ul className="mt-1 list-disc pl-6">
          {lines.map((line) => (
            <li key={line.id}>
              {line.stock === 0
                ? m.confirm_failed_gone({ name: names.get(line.id) ?? line.name })
                : m.confirm_failed_left({ name: names.get(line.id) ?? line.name, wanted: line.items_count, stock: line.stock })}
            </li>
          ))}
        </ul>
      )}
      {isOurs && (
        <>
          <p className="mt-1">{m.confirm_retry_hint()}</p>
          {form !== null && (
            <button type="submit" form={form} name="act" value="place" className="button-primary mt-3">
              {m.cart_try_again()}
            </button>
          )}
        </>
      )}
      <p className="row mt-2 gap-x-5">
        {code === 'STOCK_CHANGED' && (
          <a href={to('/my-cart')} className="tap-link font-semibold">
            {m.confirm_open_cart()}
          </a>
        )}
        {code === 'NOT_DELIVERABLE' && (
          <a href={to('/coming-soon')} className="tap-link font-semibold">
            {m.confirm_no_service_more()}
          </a>
        )}
        <a href={to('/support')} className="tap-link font-semibold">
          {m.confirm_support()}
        </a>
        {refused.requestId && (
          <span className="text-sm text-stone">
            {m.confirm_reference()}: <code className="break-all">{refused.requestId}</code>
          </span>
        )}
      </p>
    </section>
  )
}
