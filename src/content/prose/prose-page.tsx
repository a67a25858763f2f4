import { use } from 'react'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { PageInfo } from '#src/document/page-info.ts'
import { isIndexed, proseSlugOf } from './prose.ts'
import { proseHead } from './prose-heads.server.ts'
import { readLive } from './prose-live.server.ts'
import { shownSheet } from './terms-paper.server.ts'
import { ProseView } from './prose-view.tsx'
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
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: `/${loaderData.slug}`,
        siteName: m.site_name(),
        noIndex: !isIndexed(loaderData.slug),
      })
    : []

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

export type ProseData = Route.ComponentProps['loaderData']
