import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Tick } from '#src/ui/choice.tsx'
import { Link } from '#src/ui/link.tsx'
import { Picture } from '#src/ui/picture.tsx'
import { queueQuery, type QueueFilter } from './queue-filter.ts'
import { verdictForm } from './verification-form.tsx'
import type { VerificationPageData } from './verification-page.tsx'

interface QueueListProps {
  listings: VerificationPageData['listings']
  shownId: number
  filter: QueueFilter
}

/**
 * What waits around the animal on the page, the longest waiting first. The verdict goes to those that are ticked, too. On a phone
 * "previous" and "next" are enough.
 */
export function QueueList({ listings, shownId, filter }: QueueListProps) {
  const to = useLocalPath()
  return (
    <nav aria-label={m.verify_queue_title()} className="hidden lg:block">
      <ol className="panel max-h-[calc(100dvh-9rem)] divide-y divide-line overflow-y-auto">
        {listings.map((each) => (
          <li key={each.id} className="relative">
            {each.id !== shownId && (
              <label className="absolute top-0 right-0 z-1 p-2">
                <span className="sr-only">{m.verify_also({ name: each.name })}</span>
                <Tick type="checkbox" name="also" value={`${each.id}.${each.version}`} form={verdictForm(shownId)} />
              </label>
            )}
            <Link
              to={to(`/admin/verification${queueQuery(filter, { id: each.id })}`)}
              aria-current={each.id === shownId ? 'true' : undefined}
              className="flex min-h-14 items-center gap-2 px-2 py-1.5 text-sm leading-tight hover:bg-leaf-soft aria-[current]:bg-leaf-soft aria-[current]:shadow-[inset_3px_0_0_var(--color-leaf)]"
            >
              {each.photoKey && (
                <Picture
                  mediaKey={each.photoKey}
                  alt=""
                  isSmall
                  sizes="44px"
                  width={44}
                  height={44}
                  className="size-11 shrink-0 rounded-control object-cover"
                />
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
