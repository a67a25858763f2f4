import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { type Locale, localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { onServer, readOnServer } from '#src/router-seams/on-server.ts'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { ServerOnly } from '#src/document/server-only.tsx'
import { SaveHeart } from '#src/alerts/save-heart.tsx'
import { CardPhoto } from '#src/listings/browse/listing-row.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { ShareLink } from '#src/ui/link.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Price } from '#src/ui/price.tsx'
import { comparePath, readCompared, MAX_COMPARED } from './compare-path.ts'
import { readComparison } from './comparison.server.ts'
import type { Route } from './+types/compare-page'

export const handle = appOnDemand
export { loadDocument as clientLoader }

export const loader = pageLoader(async (ctx, { url }) => {
  const ids = readCompared(url.searchParams.get('ids'))
  const head = { path: comparePath(ids), locale: ctx.locale, origin: ctx.publicOrigin }
  const page = { ...(await readComparison(ctx, ids)), ...head }
  return { page: onServer<CompareData>(page), title: page.animals.map(({ name }) => name).join(' · ') || m.compare_title(), ...head }
})

export const meta = plainMeta<Route.MetaArgs>(({ path, title }) => ({ path, title, description: m.compare_lead() }))

export default function ComparePage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="compare" isPersonal part={import.meta.env.SSR && <CompareView page={readOnServer(loaderData.page)} />} />
}

interface CompareData extends Awaited<ReturnType<typeof readComparison>> {
  path: string
  locale: Locale
  origin: string
}

type Props = { page: CompareData }
type Animal = CompareData['animals'][number]

function CompareView({ page }: Props) {
  const to = useLocalPath()
  const { animals, gone } = page
  const hasTwo = animals.length > 1
  return (
    <div className="compare-page space-y-4 py-2">
      <header className="space-y-1">
        <h1 className="text-2xl">{m.compare_title()}</h1>
        {!hasTwo && <p className="max-w-3xl text-stone">{m.compare_lead()}</p>}
      </header>
      {gone > 0 && (
        <p role="status" className="notice">
          {gone === 1 ? m.compare_gone_one() : m.compare_gone({ count: gone })}
        </p>
      )}
      {hasTwo && (
        <Choice type="checkbox" id="only-differences">
          {m.compare_only_differences()}
        </Choice>
      )}
      {animals.length > 0 && <Table page={page} />}
      <p className="row gap-3">
        {animals.length < MAX_COMPARED && (
          <a href={to('/buy/0')} className={hasTwo ? 'button-plain' : 'button-primary'}>
            {animals.length === 0 ? m.saved_browse() : m.compare_choose()}
          </a>
        )}
        {hasTwo && <ShareLink text={m.compare_share({ url: page.origin + localized(page.path, page.locale) })} />}
      </p>
    </div>
  )
}

const columns = ['', 'compare-1', 'compare-2', 'compare-3']

/** Names and prices stay visible while scrolling. On a phone each label is above its row, on a wide screen beside it (compare.css). */
function Table({ page: { animals, facts } }: Props) {
  const to = useLocalPath()
  return (
    <table className={`compare-table ${columns[animals.length]}`}>
      <thead>
        <tr>
          <td className="compare-corner">
            <span className="sr-only">{m.product_facts()}</span>
          </td>
          {animals.map(({ id, name, originalPrice, offerPrice }) => (
            <th key={id} scope="col" className="font-normal">
              <a href={to(`/product/${id}`)} className="link font-semibold wrap-anywhere">
                {name}
              </a>
              <Price original={originalPrice} offer={offerPrice} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr data-always>
          <th scope="row" className="sr-only">
            {m.product_photos()}
          </th>
          {animals.map((animal) => (
            <td key={animal.id}>
              <Photo animal={animal} />
            </td>
          ))}
        </tr>
        {facts.map(({ name, label, texts, differs }) => (
          <tr key={name} data-differs={differs || undefined}>
            <th scope="row">
              {label}
              {differs && <span className="sr-only"> ({m.compare_differs()})</span>}
            </th>
            {texts.map((text, at) => (
              <td key={animals[at]!.id}>{text ?? <Unknown />}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The word is too long for a third of a phone's width. */
const Unknown = () => (
  <span className="text-stone">
    <span aria-hidden="true">–</span>
    <span className="sr-only">{m.compare_unknown()}</span>
  </span>
)

const stateTexts = { sold: m.product_sold, closed: m.product_closed }

function Photo({ animal }: { animal: Animal }) {
  const to = useLocalPath()
  const { id, name, photo, availability } = animal
  return (
    <div className="relative grid gap-1">
      <span className="photo relative block aspect-4/3 overflow-hidden rounded-control bg-husk-dark">
        <CardPhoto photo={photo} sizes="(min-width: 768px) 33vw, 50vw" />
        {animal.isSample && <span className="label-on-card top-auto bottom-1 left-1">{m.card_sample()}</span>}
      </span>
      {availability === 'available' ? (
        <SaveHeart id={id} name={name} />
      ) : (
        <span className="failure px-2 text-sm">{stateTexts[availability]()}</span>
      )}
      <a href={to(comparePath(animal.rest))} data-uncompare={id} aria-label={m.compare_remove_of({ name })} className="tap-link text-sm">
        {m.compare_remove()}
      </a>
    </div>
  )
}
