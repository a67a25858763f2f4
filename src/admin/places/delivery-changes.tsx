import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import { deliveryReasonTexts } from './delivery-reasons.ts'
import type { PlacesData } from './places-view.server.ts'

/** Past changes of delivery, newest first: who, where, when, why, and for how many PIN codes. */
export function DeliveryChanges({ changes, object = '' }: Pick<PlacesData, 'changes'> & { object?: string }) {
  const to = useLocalPath()
  return (
    <TitledPanel id="places-history" title={m.places_history()}>
      {changes.length === 0 ? (
        <p className="mt-2 text-stone">{m.places_history_none()}</p>
      ) : (
        <ol className="mt-2 divide-y divide-line">
          {changes.map(({ id, key, district, isDeliverable, count, pincodes, reason, at, actorId, actorName }) => (
            <li key={id} className="py-2">
              <a href={to(tableAddress('/admin/places', { district: key }))} className="tap-link font-semibold">
                {district}
              </a>{' '}
              <span className={`chip ${isDeliverable ? 'bg-leaf-soft text-leaf' : 'bg-brick-soft text-brick'}`}>
                {isDeliverable ? m.places_opened({ count }) : m.places_stopped({ count })}
              </span>
              <span className="block">{deliveryReasonTexts[reason]()}</span>
              <span className="block text-sm text-stone">
                {at} · {actorId === null ? m.users_by_market() : actorName || m.profile_deleted_user()}
              </span>
              <details className="text-sm">
                <summary className="tap-link cursor-pointer">{m.places_which()}</summary>
                <p className="break-words tabular-nums">{pincodes}</p>
              </details>
            </li>
          ))}
        </ol>
      )}
      <a href={to(tableAddress('/admin/audit', { event: 'delivery_changed', object }))} className="tap-link">
        {m.places_trail()}
      </a>
    </TitledPanel>
  )
}
