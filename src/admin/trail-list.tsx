import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { OfficeData } from './office-view.server.ts'
import { eventText, objectText } from './event-texts.ts'

/** Audit events: what, on which object, by whom, when. The object links to its page if it has one. */
export function TrailList({ events }: { events: OfficeData['events'] }) {
  const to = useLocalPath()
  if (events.length === 0) return <p className="mt-2 text-stone">{m.trail_none()}</p>
  return (
    <ol className="mt-2 divide-y divide-line">
      {events.map(({ id, event, object, actorId, actorName, at }) => {
        const path = pathOf(object)
        return (
          <li key={id} className="py-2">
            <b>{eventText(event)}</b>{' '}
            {path ? (
              <a href={to(path)} className="inline-link">
                {objectText(object)}
              </a>
            ) : (
              <span className="text-stone">{objectText(object)}</span>
            )}
            <span className="block text-sm text-stone">
              {at} · {actorId === null ? m.users_by_market() : actorName || m.profile_deleted_user()}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const pages: Record<string, (id: string) => string> = {
  answers: (desk) => `/admin/answers?desk=${desk}`,
  user: (id) => `/admin/users/${id}`,
  listing: (id) => `/product/${id}?tab=verification`,
  order: (id) => `/orders?q=${id}`,
  enquiry: (id) => `/view-enquiry/${id}`,
  thread: (id) => `/forum/thread/${id}/replies`,
  setting: () => '/admin/settings',
  district: (key) => `/admin/places?district=${key}`,
}

function pathOf(object: string): string | null {
  const [kind = '', id = ''] = object.split(':')
  return pages[kind]?.(id) ?? null
}
