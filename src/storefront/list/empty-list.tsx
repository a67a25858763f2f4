import { browsePath } from '#src/listings/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { chosenOf, type Chosen } from './chosen-filters.tsx'
import type { NearMiss } from './near-misses.server.ts'

/** Nothing matches: what there is without one of the things asked for, and what else to do. */
export function EmptyList({ page }: { page: Chosen & { nearMisses: NearMiss[] } }) {
  const to = useLocalPath()
  const locale = useLocale()
  return (
    <div lang={locale} className="panel px-4 py-10 text-center">
      <img src="/species/none.webp" alt="" width={96} height={96} className="mx-auto mb-4 opacity-70" />
      <p className="mx-auto max-w-lg">{m.list_empty()}</p>
      <NearMisses page={page} />
      <div className="row justify-center gap-3 mt-5">
        <a href={to('/buy/0')} className="button-primary">
          {m.list_empty_clear()}
        </a>
        <a href={to('/add-enquiry')} className="button-plain">
          {m.list_empty_wanted()}
        </a>
      </div>
    </div>
  )
}

function NearMisses({ page }: { page: Chosen & { nearMisses: NearMiss[] } }) {
  const to = useLocalPath()
  if (page.nearMisses.length === 0) return null
  const labels = new Map(chosenOf(page).map(({ label, rest }) => [browsePath(rest), label]))
  return (
    <>
      <p className="mt-4 font-semibold">{m.list_near_miss()}</p>
      <ul className="row mt-2 justify-center gap-2">
        {page.nearMisses.map(({ path, count, isMore }) => (
          <li key={path}>
            <a href={to(path)} className="usual-filter">
              {m.list_without({ what: labels.get(path)!, count: `${count}${isMore ? '+' : ''}` })}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
