import { ListingRow } from '#src/listings/browse/listing-row.tsx'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { KindShown } from './breed-view.server.ts'

/** Animals of one kind for sale, with a link to all of them. Rendered on the server only. */
export function KindForSale({ kind, title }: { kind: KindShown; title: string }) {
  const to = useLocalPath()
  return (
    <section className="space-y-4">
      <h2 className="text-xl md:text-2xl">{title}</h2>
      {kind.cards.length === 0 ? (
        <div className="panel p-4">
          <p>{m.breed_now_none()}</p>
          <a href={to('/add-enquiry')} className="button-primary mt-3">
            {m.breed_now_ask()}
          </a>
        </div>
      ) : (
        <>
          <ul className="listing-rows">
            {kind.cards.map((card) => (
              <ListingRow key={card.id} card={card} />
            ))}
          </ul>
          {kind.hasMore && (
            <p className="text-center">
              <a href={to(kind.allPath)} className="button-plain w-full sm:w-auto sm:min-w-48">
                {m.breed_all({ count: kind.count })}
              </a>
            </p>
          )}
          {kind.places.length > 0 && (
            <nav aria-label={m.breed_places()}>
              <h3 className="mb-2 text-lg">{m.breed_places()}</h3>
              <ul className="flex flex-wrap gap-2">
                {kind.places.map(({ name, count, path }) => (
                  <li key={name}>
                    <a href={to(path)} className={pillClass}>
                      {m.breed_place({ place: name, count })}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
        </>
      )}
    </section>
  )
}

export const pillClass =
  'inline-flex min-h-11 items-center rounded-full border border-leaf bg-leaf-soft px-4 text-sm font-semibold text-leaf hover:bg-paper'
