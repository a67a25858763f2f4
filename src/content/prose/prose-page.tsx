import { use } from 'react'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { PageInfo } from '#src/document/page-info.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { GrievanceAddress } from '#src/content/support/grievance.tsx'
import { KindForSale } from '#src/content/prose/breeds/kind-for-sale.tsx'
import { isIndexed, proseSlugOf } from './prose.ts'
import { proseHead } from './prose-heads.server.ts'
import { readLive } from './prose-live.server.ts'
import { shownSheet } from './terms-paper.server.ts'
import { HowChart } from './how-chart.tsx'
import { ProseText } from './prose-text.tsx'
import { TermsViewer } from './terms-viewer.tsx'
import type { Route } from './+types/prose-page'

/** A prose page: About, How it works, Terms and the others (prose.ts). Any other one-word address is a 404. */
export const loader = pageLoader(async (ctx, { params, url }) => {
  const slug = proseSlugOf(params.page)
  if (slug === null) throw notFound()
  return {
    slug,
    ...proseHead(slug, ctx.locale),
    live: await readLive(ctx, slug),
    sheet: slug === 'terms' ? shownSheet(ctx, url.searchParams.get('page')) : null,
  }
})

export const meta = publicMeta<Route.MetaArgs>((page) => ({ ...page, path: `/${page.slug}`, noIndex: !isIndexed(page.slug) }))

type ProseData = Route.ComponentProps['loaderData']

/** Text and links only. The server renders all of it, so a phone loads no script for it. */
export default function ProsePage({ loaderData }: Route.ComponentProps) {
  const { contact } = use(PageInfo)
  return (
    <ServerOnly
      id={`prose-${loaderData.slug}`}
      isPersonal
      part={import.meta.env.SSR && <ProseView page={loaderData} contact={contact!} />}
    />
  )
}

/** A prose page, with the animals for sale that it is about. Rendered on the server only. */
function ProseView({ page, contact }: { page: ProseData; contact: ContactSetting }) {
  const to = useLocalPath()
  const locale = useLocale()
  const { slug, live } = page
  return (
    <article className={`space-y-8 ${asideGrid(page) ? '' : 'mx-auto max-w-3xl'}`}>
      <header className="max-w-3xl">
        <h1 className="text-2xl md:text-3xl">{page.title}</h1>
        <p className="mt-2 text-lg text-stone">{page.description}</p>
        {page.sheet && (
          <p className="flex flex-wrap gap-x-5">
            <a href="#pdf" className="tap-link lg:hidden">
              {m.terms_viewer()}
            </a>
            <a href={to('/terms.pdf')} className="tap-link">
              {m.terms_download()}
            </a>
          </p>
        )}
      </header>
      <div className={asideGrid(page)}>
        {slug === 'how-it-works' && (
          <div className="lg:sticky lg:top-20 lg:order-last">
            <HowChart />
          </div>
        )}
        <div className="max-w-3xl">
          <ProseText
            slug={slug}
            locale={locale}
            parts={{
              Grievance: () => (
                <GrievanceAddress contact={contact} className="my-4 rounded-card border-l-4 border-leaf bg-leaf-soft px-4 py-3" />
              ),
            }}
          />
        </div>
        {live && <Aside live={live} />}
        {page.sheet && <TermsViewer {...page.sheet} />}
      </div>
      {slug === 'careers' && (
        <a href={`mailto:${contact.mail}?subject=${encodeURIComponent(m.page_mail_subject())}`} className="button-primary">
          {m.page_apply_mail({ mail: contact.mail })}
        </a>
      )}
      {live && <KindForSale kind={live.kind} title={m.page_near()} />}
    </article>
  )
}

/** The grid that makes room for the aside on a wide screen. */
function asideGrid({ slug, live, sheet }: ProseData): string | undefined {
  if (live) return 'grid items-start gap-8 lg:grid-cols-[1fr_22rem] lg:gap-12'
  return slug === 'how-it-works' || sheet ? 'grid items-start gap-8 lg:grid-cols-[1fr_30rem] lg:gap-10' : undefined
}

/** Asking prices, and the facts of the breeds that the text names. */
function Aside({ live: { kind, lines } }: { live: NonNullable<ProseData['live']> }) {
  const to = useLocalPath()
  return (
    <aside className="space-y-4">
      {kind.usual && (
        <div className="rounded-card bg-leaf-soft p-4">
          <h2 className="text-lg">{m.page_prices()}</h2>
          <p className="mt-1">{m.page_prices_text({ ...kind.usual, count: kind.count })}</p>
        </div>
      )}
      <div className="panel overflow-hidden">
        <h2 className="panel-title text-lg">{m.breed_kinds()}</h2>
        <ul className="divide-y divide-line">
          {lines.map(({ name, path, weight, milk, price }) => (
            <li key={path} className="px-4 py-3">
              <a href={to(path)} className="tap-link font-semibold">
                {name}
              </a>
              <p className="text-sm">{weight}</p>
              {milk && <p className="text-sm">{milk}</p>}
              <p className="text-sm text-stone">{price}</p>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  )
}
