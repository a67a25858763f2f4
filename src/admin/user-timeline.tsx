import { internalText } from '#src/accounts/profile/profile-fact.tsx'
import { flagTexts } from '#src/forum/flag-reasons.ts'
import { m } from '#src/paraglide/messages.js'
import { reasonTexts } from '#src/reports/report-reasons.ts'
import { tableAddress } from '#src/ui/desk-query.ts'
import { TableViews } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { eventText } from './event-texts.ts'
import type { UserPageData } from './user-view.server.ts'
import type { TimelineGroup, TimelineKind } from './user-timeline.server.ts'

type Event = UserPageData['timeline']['events'][number]

const kindTexts: Record<Exclude<TimelineKind, 'audit'>, () => string> = {
  registered: m.users_event_created,
  listed: m.timeline_listed,
  verdict: m.timeline_verdict,
  'vet-check': m.timeline_vet_check,
  bought: m.timeline_bought,
  sold: m.timeline_sold,
  reported: m.timeline_reported,
  'was-reported': m.timeline_was_reported,
  flagged: m.timeline_flagged,
  'was-flagged': m.timeline_was_flagged,
  enquiry: m.timeline_enquiry,
  offer: m.timeline_offer,
  thread: m.timeline_thread,
  reply: m.timeline_reply,
  reviewed: m.timeline_reviewed,
  'was-reviewed': m.timeline_was_reviewed,
  ticket: m.timeline_ticket,
}

const groupTexts: Record<TimelineGroup, () => string> = {
  account: m.timeline_account,
  listings: m.users_listings,
  orders: m.users_orders,
  reports: m.users_reports,
  talk: m.timeline_talk,
}

/** The text of a state, by the name that its domain uses. */
const stateTexts: Record<string, () => string> = {
  passed: m.timeline_passed,
  failed: m.timeline_failed,
  left: m.timeline_left,
  'taken-down': m.timeline_taken_down,
  hidden: m.timeline_hidden,
  review: m.timeline_review,
  deleted: m.timeline_deleted,
  closed: m.timeline_closed,
}

export function UserTimeline({ user, timeline, types }: Pick<UserPageData, 'user' | 'timeline' | 'types'>) {
  const to = useLocalPath()
  const { group, page, events, hasMore } = timeline
  const address = (changes: Record<string, string | number | null>) =>
    `${to(tableAddress(`/admin/users/${user.id}`, { kind: group, ...changes }))}#user-timeline`
  return (
    <TitledPanel id="user-timeline" title={m.users_history()} className="panel space-y-3 p-4">
      <TableViews
        views={[
          { name: m.timeline_all(), address: address({ kind: null }), isHere: group === null },
          ...(Object.keys(groupTexts) as TimelineGroup[]).map((name) => ({
            name: groupTexts[name](),
            address: address({ kind: name }),
            isHere: group === name,
          })),
        ]}
      />
      {events.length === 0 ? (
        <p className="text-stone">{m.users_history_none()}</p>
      ) : (
        <ol className="divide-y divide-line">
          {events.map((event, n) => (
            <TimelineRow key={n} event={event} types={types} />
          ))}
        </ol>
      )}
      <Pager
        label={m.users_pages()}
        first={page > 1 ? address({ page: null }) : null}
        next={hasMore ? address({ page: page + 1 }) : null}
      />
      <a href={to(`/admin/audit?actor=${user.id}`)} className="tap-link">
        {m.timeline_own_acts()}
      </a>
    </TitledPanel>
  )
}

function TimelineRow({ event, types }: { event: Event; types: Types }) {
  const to = useLocalPath()
  const { kind, title, path, at } = event
  const note = noteText(event, types)
  return (
    <li className="py-2">
      <b>{kind === 'audit' ? eventText(event.state) : kindTexts[kind]()}</b>
      <State event={event} />
      {title !== '' && (
        <a href={to(path)} className="link block w-fit max-w-full py-1 break-words">
          {title}
        </a>
      )}
      {note !== '' && <span className="block text-sm break-words">{note}</span>}
      <span className="block text-sm text-stone">
        {at}
        <Other event={event} />
      </span>
    </li>
  )
}

function Other({ event: { kind, otherId, otherName } }: { event: Event }) {
  const to = useLocalPath()
  if (otherId === null) return kind === 'audit' ? ` · ${m.users_by_market()}` : null
  return (
    <>
      {' · '}
      <a href={to(`/admin/users/${otherId}`)} className="inline-link">
        {otherName || m.profile_deleted_user()}
      </a>
    </>
  )
}

function State({ event: { kind, state, order } }: { event: Event }) {
  const text = order?.name ?? stateTexts[state]?.()
  if (kind === 'reviewed' || kind === 'was-reviewed') return state && <span className="ml-2">★ {state}</span>
  if (kind === 'audit' || !text) return null
  const isBad = ['failed', 'taken-down', 'hidden'].includes(state) || order?.isCalledOff
  return <span className={`chip ml-2 ${isBad ? 'bg-brick-soft text-brick' : 'bg-husk-dark'}`}>{text}</span>
}

type Types = UserPageData['types']

function noteText({ kind, note, details }: Event, types: Types): string {
  if (kind === 'audit') return detailsText(details, types)
  const [reason = '', ...comment] = note.split(':')
  if (kind === 'reported' || kind === 'was-reported') return withReason(reasonTexts, reason, comment.join(':'))
  if (kind === 'flagged' || kind === 'was-flagged') return withReason(flagTexts, reason, comment.join(':'))
  return note
}

const withReason = (texts: Record<string, () => string>, reason: string, comment: string) =>
  [texts[reason]?.(), comment].filter(Boolean).join(': ')

/** The page that was viewed, and the profile fields that were changed. */
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

/** Details of an audit event as text. Details without a text appear only in the trail itself. */
function detailsText(details: Event['details'], types: Types): string {
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
