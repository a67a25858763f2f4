import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { m } from '#src/paraglide/messages.js'
import type { RunSheet } from './run-sheet.server.ts'

/** The animals whose orders ended on the way, each with the seller to whom it goes back. */
export function Returns({ returns }: Pick<RunSheet, 'returns'>) {
  if (returns.length === 0) return null
  return (
    <section aria-label={m.run_returns()} className="mt-3 wrap-anywhere">
      <p className="font-semibold text-brick">{m.run_returns()}</p>
      <ul className="divide-y divide-line">
        {returns.map(({ id, orderNo, animal, statusName, place }) => (
          <li key={id} className="py-2">
            <b>{orderNo}</b> {animal} · {statusName}
            <address className="not-italic">
              <bdi className="font-semibold">{place.name}</bdi> {place.lines.join(', ')}{' '}
              {place.phone && <PhoneLink phone={place.phone} className="inline-link whitespace-nowrap" />}
            </address>
          </li>
        ))}
      </ul>
    </section>
  )
}
