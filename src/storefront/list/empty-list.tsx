import type { ReactNode } from 'react'
import { ListingRow } from '#src/listings/browse/listing-row.tsx'
import { browsePath } from '#src/listings/browse/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import type { Chosen } from './chosen-filters.tsx'
import type { NearMiss, NearMisses } from './near-misses.server.ts'

interface EmptyListProps {
  page: Chosen & { nearMisses: NearMisses | null }
  togglesOf: (id: number) => ReactNode
}

/** No match: shows near matches, the results without one of the conditions, and other actions. */
export function EmptyList({ page, togglesOf }: EmptyListProps) {
  const to = useLocalPath()
  const locale = useLocale()
  return (
    <div lang={locale} className="space-y-4">
      <p className="panel px-4 py-3 md:py-5 md:text-center">{m.list_empty()}</p>
      {page.nearMisses?.nearest && <Nearest page={page} nearest={page.nearMisses.nearest} togglesOf={togglesOf} />}
      <div className="panel px-4 py-5 text-center">
        {page.nearMisses && page.nearMisses.ways.length > 0 && <Ways ways={page.nearMisses.ways} />}
        <div className="row justify-center gap-3">
          <a href={to('/buy/0')} className="button-primary">
            {m.list_empty_clear()}
          </a>
          <a href={to('/add-enquiry')} className="button-plain">
            {m.list_empty_wanted()}
          </a>
        </div>
      </div>
    </div>
  )
}

const countOf = ({ count, isMore }: NearMiss) => `${count}${isMore ? '+' : ''}`

function Ways({ ways }: { ways: NearMiss[] }) {
  const to = useLocalPath()
  return (
    <>
      <p className="font-semibold">{m.list_near_miss()}</p>
      <ul className="row mt-2 mb-5 justify-center gap-2">
        {ways.map((way) => (
          <li key={way.path}>
            <a href={to(way.path)} className="usual-filter">
              {m.list_without({ what: way.labels[0]!, count: countOf(way) })}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Its first animals; a link leads to the rest. */
function Nearest({ page, nearest, togglesOf }: EmptyListProps & { nearest: NonNullable<NearMisses['nearest']> }) {
  const to = useLocalPath()
  const { cards, count, path } = nearest
  return (
    <section aria-labelledby="nearest">
      <h2 id="nearest" className="mb-2 text-lg">
        {nearest.labels.length > 0 && (
          <>
            <s>{nearest.labels.join(' ')}</s> ·{' '}
          </>
        )}
        {nearestText(page, nearest)}
      </h2>
      <ul className="listing-rows">
        {cards.map((card, index) => (
          <ListingRow key={card.id} card={card} isFirst={index === 0} toggles={togglesOf(card.id)} />
        ))}
      </ul>
      {count > cards.length && path !== browsePath(page.choices) && (
        <p className="mt-2 text-center">
          <a href={to(path)} className="button-plain max-sm:w-full">
            {m.list_near_all()}
          </a>
        </p>
      )}
    </section>
  )
}

function nearestText({ choices, groups }: Chosen, nearest: NearMiss): string {
  const count = countOf(nearest)
  const radius = String(choices.withinKm)
  const [what = '', other = ''] = nearest.labels
  switch (nearest.kind) {
    case 'wider':
      return m.list_near_wider({ asked: radius, km: String(nearest.km), count })
    case 'farther':
      return m.list_near_farther({ asked: radius, count })
    case 'without':
      return m.list_without({ what, count })
    case 'without-two':
      return m.list_without_two({ what, other, count })
    case 'species':
      return m.list_newest_of({
        what: groups
          .filter(({ id }) => choices.categoryIds.includes(id))
          .map(({ name }) => name)
          .join(', '),
      })
    case 'market':
      return m.list_newest_market()
  }
}
