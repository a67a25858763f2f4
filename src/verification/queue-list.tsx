import { useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Tick } from '#src/ui/choice.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Link } from '#src/ui/link.tsx'
import { Thumbnail } from '#src/ui/picture.tsx'
import { LISTED, queuePath, type QueueFilter } from './queue-filter.ts'
import { verdictForm } from './verification-form.tsx'
import type { VerificationPageData } from './verification-view.server.ts'

interface QueueListProps {
  listings: VerificationPageData['listings']
  shownId: number
  filter: QueueFilter
  count: number
}

/**
 * The listings around the current one, the longest waiting first, with links to the parts before and after. A verdict also applies to the
 * ticked ones. On a phone "previous" and "next" replace the list.
 */
export function QueueList({ listings, shownId, filter, count }: QueueListProps) {
  const to = useLocalPath()
  const [first, last] = [listings[0]?.place ?? 1, listings.at(-1)?.place ?? count]
  const isInParts = first > 1 || last < count
  const list = useRef<HTMLOListElement>(null)
  // Scroll to the top of a new part.
  useEffect(() => {
    if (list.current) list.current.scrollTop = 0
  }, [first])
  const partAt = (place: number) => to(queuePath(filter, { id: shownId, list: Math.max(1, place) }))
  return (
    <nav aria-label={m.verify_queue_title()} className="hidden lg:block">
      {isInParts && (
        <div className="mb-2 flex items-center justify-between gap-1 text-sm">
          <PartLink id={EARLIER_ID} icon="previous" label={m.verify_list_before()} address={first > 1 ? partAt(first - LISTED) : null} />
          <span className="text-center font-semibold tabular-nums">{m.verify_list_part({ first, last, count })}</span>
          <PartLink id={LATER_ID} icon="next" label={m.verify_list_after()} address={last < count ? partAt(last + 1) : null} />
        </div>
      )}
      <ol
        ref={list}
        className={`panel divide-y divide-line overflow-y-auto ${isInParts ? 'max-h-[calc(100dvh-12.5rem)]' : 'max-h-[calc(100dvh-9rem)]'}`}
      >
        {listings.map((each) => (
          <li key={each.id} className="relative">
            {each.id !== shownId && (
              <label className="absolute top-0 right-0 z-1 p-2">
                <span className="sr-only">{m.verify_also({ name: each.name })}</span>
                <Tick type="checkbox" name="also" value={`${each.id}:${each.seen}`} form={verdictForm(shownId)} />
              </label>
            )}
            <Link
              to={to(queuePath(filter, { id: each.id }))}
              aria-current={each.id === shownId ? 'true' : undefined}
              className="flex min-h-14 items-center gap-2 px-2 py-1.5 text-sm leading-tight hover:bg-leaf-soft aria-[current]:bg-leaf-soft aria-[current]:shadow-[inset_3px_0_0_var(--color-leaf)]"
            >
              {each.photoKey && (
                <Thumbnail mediaKey={each.photoKey} width={44} height={44} className="size-11 shrink-0 rounded-control object-cover" />
              )}
              <span className="min-w-0 flex-1">
                <span className="line-clamp-2 pr-5 font-semibold">{each.name}</span>
                <span className="block text-stone">
                  {each.price} · {each.age}
                </span>
                <Flags of={each} />
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** Ids of the links to the list's previous and next part; each has a keyboard shortcut. */
export const EARLIER_ID = 'verify-list-before'
export const LATER_ID = 'verify-list-after'

const PartLink = ({ id, icon, label, address }: { id: string; icon: 'previous' | 'next'; label: string; address: string | null }) =>
  address === null ? (
    <span className="size-11" />
  ) : (
    <Link id={id} to={address} preventScrollReset aria-label={label} title={label} className="icon-button text-leaf hover:bg-leaf-soft">
      <Icon name={icon} size={20} />
    </Link>
  )

type Queued = VerificationPageData['listings'][number]

const Flags = ({ of }: { of: Queued }) => {
  const flags = [
    of.isDuplicate && m.verify_flag_duplicate(),
    of.isAnswered && m.verify_flag_answered(),
    of.isAgain && m.verify_flag_again(),
    of.isNewSeller && m.verify_flag_new_seller(),
    of.isSkipped && m.verify_flag_skipped(),
  ].filter(Boolean)
  return (
    <>
      {flags.length > 0 && <span className="block text-brick">{flags.join(' · ')}</span>}
      {of.claimedBy !== null && <span className="block text-stone italic">{m.verify_claimed_short({ name: of.claimedBy })}</span>}
    </>
  )
}
