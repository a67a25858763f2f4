import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { Picture } from '#src/ui/picture.tsx'
import type { VerificationPageData } from './verification-page.tsx'

/** What waits around the animal on the page, the longest waiting first. On a phone "previous" and "next" are enough. */
export function QueueList({ listings, shownId }: { listings: VerificationPageData['listings']; shownId: number }) {
  const to = useLocalPath()
  return (
    <nav aria-label={m.verify_queue_title()} className="hidden lg:block">
      <ol className="panel max-h-[calc(100dvh-9rem)] divide-y divide-line overflow-y-auto">
        {listings.map((each) => (
          <li key={each.id}>
            <Link
              to={to(`/admin/verification?id=${each.id}`)}
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
                <span className="line-clamp-2 font-semibold">{each.name}</span>
                <span className="block text-stone">
                  {each.price} · {each.age}
                </span>
                {(each.isNewSeller || each.isAgain) && (
                  <span className="block text-brick">
                    {[each.isAgain && m.verify_flag_again(), each.isNewSeller && m.verify_flag_new_seller()].filter(Boolean).join(' · ')}
                  </span>
                )}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
