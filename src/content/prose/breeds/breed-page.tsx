import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { localized } from '#src/kit/text/locale.ts'
import { boardPath } from '#src/storefront/sharing/share-path.ts'
import { findBreed } from '#src/storefront/breeds/breed-paths.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import { listThings } from '#src/storefront/animal/structured-data.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { ShareLink } from '#src/ui/link.tsx'
import { speciesPicture } from '#src/listings/animal-pictures.ts'
import { readBreed } from './breed-view.server.ts'
import { breedHead } from './breed-heads.server.ts'
import { KindForSale, pillClass } from './kind-for-sale.tsx'
import { PricePlot } from './price-plot.tsx'
import type { Route } from './+types/breed-page'

export const loader = pageLoader(async (ctx, { params }) => {
  const breed = findBreed(params.breed)
  if (!breed) throw notFound()
  const shown = await readBreed(ctx, breed)
  const category = categories.find(({ id }) => id === breed.categoryId)![ctx.locale]
  const image = { path: boardPath({ what: 'breed', id: breed.id, locale: ctx.locale }), alt: shown.name }
  return { ...shown, ...breedHead(shown, ctx.locale), category, image, locale: ctx.locale, origin: ctx.publicOrigin }
})

export const meta = publicMeta<Route.MetaArgs>((page) => ({ ...page, about: import.meta.env.SSR ? breedThings(page) : [] }))

type BreedData = Route.ComponentProps['loaderData']

function breedThings({ kind, name, guide, path, locale, origin }: BreedData): object[] {
  const url = (to: string) => origin + localized(to, locale)
  const steps = [
    { name: m.site_name(), item: url('/') },
    { name: guide, item: url('/breeds') },
    { name, item: url(path) },
  ]
  const crumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, at) => ({ '@type': 'ListItem', position: at + 1, ...step })),
  }
  return [...listThings(kind.cards, { locale, origin }), crumbs]
}

export default function BreedPage({ loaderData }: Route.ComponentProps) {
  return (
    <ServerOnly
      id={`breed${loaderData.path.replaceAll('/', '-')}`}
      isPersonal
      part={import.meta.env.SSR && <BreedView page={loaderData} />}
    />
  )
}

/** A breed's page. Rendered on the server only. */
function BreedView({ page }: { page: BreedData }) {
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
              <ShareLink text={`${page.name}: ${page.origin}${localized(page.path, page.locale)}`} />
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
      <KindForSale kind={page.kind} title={m.breed_now()} />
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
