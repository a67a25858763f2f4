import { internalText } from '#src/accounts/profile/profile-fact.tsx'
import { m } from '#src/paraglide/messages.js'
import { eventText } from './event-texts.ts'
import type { UserPageData } from './user-page.tsx'

export function UserHistory({ history, types }: Pick<UserPageData, 'history' | 'types'>) {
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
              <b>{eventText(event.event)}</b>
              <DetailsLine details={event.details} types={types} />
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

function DetailsLine({ details, types }: { details: Details; types: Types }) {
  const text = detailsText(details, types)
  return text === '' ? null : <span className="block text-sm break-words">{text}</span>
}

type Details = UserPageData['history'][number]['details']
type Types = UserPageData['types']

/** Which page was viewed, and which fields of a profile were changed. */
const partTexts: Record<string, () => string> = {
  profile: m.users_facts,
  addresses: m.users_part_addresses,
  picture: m.users_part_picture,
  name: m.profile_name,
  titleId: m.profile_salutation,
  email: m.profile_email,
  locale: m.profile_language,
  degree: m.profile_degree,
  typeId: m.profile_type,
  panSealed: m.profile_pan,
  vetApproved: m.users_vet_title,
  isVerified: m.card_verified_seller,
}
const partText = (part: string) => partTexts[part]?.() ?? null
const yesOrNo = (value: unknown) => (value === true ? m.profile_yes() : m.profile_no())

/** Details of the trail in words; those without words are left to readers of the trail itself. */
function detailsText(details: Details, types: Types): string {
  const type = (id: unknown) => types.find((each) => each.id === id)?.name ?? m.profile_none()
  const { what, changed, from, to, internalFrom, internalTo, typeId, isApproved } = details
  return [
    typeof what === 'string' && partText(what),
    typeof changed === 'string' && changed.split(' ').map(partText).filter(Boolean).join(', '),
    typeId !== undefined && type(typeId),
    isApproved !== undefined && `${m.users_approved()}: ${yesOrNo(isApproved)}`,
    from !== undefined && from !== to && `${type(from)} → ${type(to)}`,
    internalFrom !== undefined &&
      internalFrom !== internalTo &&
      `${internalText(Number(internalFrom))} → ${internalText(Number(internalTo))}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
