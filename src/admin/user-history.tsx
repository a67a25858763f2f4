import { m } from '#src/paraglide/messages.js'
import type { UserPageData } from './user-page.tsx'

/** What happened to the account, in words; what has none yet stands by its name in the trail. */
const eventTexts: Record<string, () => string> = {
  user_created: m.users_event_created,
  user_updated: m.users_event_updated,
  user_phone_changed: m.users_event_phone,
  user_type_requested: m.users_event_requested,
  user_type_decided: m.users_event_decided,
  privilege_permissions_changed: m.users_event_rights,
  vet_approval_changed: m.users_event_vet,
  seller_badge_given: m.users_event_badge_given,
  seller_badge_withdrawn: m.users_event_badge_withdrawn,
  seller_badge_ended: m.users_event_badge_ended,
  user_activated: m.users_event_activated,
  user_deactivated: m.users_event_deactivated,
  authn_password_change: m.users_event_password,
  upload_stored: m.users_event_picture,
  upload_deleted: m.users_event_picture_removed,
  sensitive_read: m.users_event_read,
  user_data_exported: m.users_event_exported,
}

export function UserHistory({ history }: Pick<UserPageData, 'history'>) {
  return (
    <section aria-labelledby="user-history" className="panel p-4">
      <h2 id="user-history" className="text-lg">
        {m.users_history()}
      </h2>
      {history.length === 0 ? (
        <p className="mt-2 text-stone">{m.users_history_none()}</p>
      ) : (
        <ol className="mt-2 divide-y divide-line">
          {history.map((event) => (
            <li key={event.id} className="py-2">
              <b>{eventTexts[event.event]?.() ?? event.event}</b>
              {detailsText(event.details) && <span className="block text-sm break-words">{detailsText(event.details)}</span>}
              <span className="block text-sm text-stone">
                {event.at} · {event.actorId === null ? m.users_by_market() : event.actorName || m.profile_deleted_user()}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** As the trail has them: names of what is in them, for people who know it. */
const detailsText = (details: UserPageData['history'][number]['details']) =>
  typeof details.note === 'string'
    ? details.note
    : Object.entries(details)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', ')
