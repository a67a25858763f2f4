import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { BreedData } from './breed-page.tsx'
import { KindView, pillClass } from './kind-view.tsx'
import { PricePlot } from './price-plot.tsx'
import { ShareLink } from '#src/storefront/sharing/share-link.tsx'
import { speciesPicture } from '#src/listings/animal-pictures.ts'

/** A breed's page. Rendered on the server only. */
export function BreedView({ page }: { page: BreedData }) {
  const to = useLocalPath()
  return (
    <article className="space-y-8">
      <div>
        <a href={to('/breeds')} className="tap-link font-semibold">
          {m.breed_back()}
        </a>
        <div className="flex items-center gap-4 max-[20rem]:flex-wrap">
          <img
            src={page.picture ?? speciesPicture(page.categoryId)}
            alt={page.picture ? m.breed_picture({ breed: page.name }) : ''}
            width={160}
            height={160}
            className="size-28 shrink-0 md:size-40"
          />
          <div className="min-w-0">
            <h1 className="text-2xl md:text-3xl">{page.name}</h1>
            <p className="text-stone">
              {page.category} · <span lang={page.locale === 'ta' ? 'en' : 'ta'}>{page.otherName}</span>
            </p>
            <p className="mt-2">
              <ShareLink title={page.name} path={page.path} page={page} />
            </p>
          </div>
        </div>
      </div>
      {page.story && <p className="max-w-3xl text-lg leading-relaxed">{page.story}</p>}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="space-y-6">
          <Facts page={page} />
          {page.kind.prices && <PricePlot steps={page.kind.prices} />}
        </div>
        <Vaccines vaccines={page.vaccines} />
      </div>
      <KindView kind={page.kind} title={m.breed_now()} />
      <nav aria-label={m.breed_neighbours()}>
        <h2 className="mb-2 text-xl">{m.breed_neighbours()}</h2>
        <ul className="flex flex-wrap gap-2">
          {page.neighbours.map(({ name, path }) => (
            <li key={path}>
              <a href={to(path)} className={pillClass}>
                {name}
              </a>
            </li>
          ))}
        </ul>
        <a href={to(`/breeds#c${page.categoryId}`)} className="tap-link mt-2 font-semibold">
          {m.breed_of({ category: page.category })}
        </a>
      </nav>
    </article>
  )
}

function Facts({ page }: { page: BreedData }) {
  const facts: [string, string | null][] = [
    [m.breed_tract(), page.tract],
    [m.breed_weight(), page.weight],
    [m.breed_colors(), page.colors],
    [m.breed_milk(), page.milk],
    [m.breed_price(), page.price],
  ]
  return (
    <section className="panel overflow-hidden">
      <h2 className="panel-title text-lg">{m.breed_facts()}</h2>
      <dl className="divide-y divide-line">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="gap-4 px-4 py-2.5 sm:grid sm:grid-cols-[9rem_1fr]">
                <dt className="text-stone">{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  )
}

function Vaccines({ vaccines }: Pick<BreedData, 'vaccines'>) {
  return (
    <section className="panel overflow-hidden">
      <h2 className="panel-title text-lg">{m.breed_vaccines()}</h2>
      <table className="w-full text-left">
        <thead className="text-sm text-stone max-sm:sr-only">
          <tr>
            {[m.product_vaccine(), m.breed_first(), m.breed_again()].map((name) => (
              <th key={name} scope="col" className="px-4 py-2">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {vaccines.map(({ name, first, again }) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="px-4 pt-2.5 font-semibold max-sm:block sm:py-2.5">
                {name}
              </th>
              <td className="px-4 max-sm:inline-block max-sm:pr-0 max-sm:pb-2.5 sm:py-2.5">{first}</td>
              <td className="px-4 max-sm:inline-block max-sm:pb-2.5 max-sm:text-stone sm:py-2.5">{again}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="border-t border-line bg-husk-dark px-4 py-2 text-sm text-stone">{m.breed_vaccine_hint()}</p>
    </section>
  )
}
