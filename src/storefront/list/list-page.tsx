import { use } from 'react'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { onServer, readOnServer } from '#src/router-seams/on-server.ts'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { PageInfo } from '#src/document/page-info.ts'
import { ServerOnly } from '#src/document/server-only.tsx'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { browsePath } from '#src/listings/browse/schemas.ts'
import { boardPath } from '#src/storefront/sharing/share-path.ts'
import { listThings } from '#src/storefront/animal/structured-data.ts'
import { categoryNames } from './category-names.ts'
import { ListBody } from './list-body.tsx'
import { showChosenView } from './list-view.ts'
import { readList } from './list-view.server.ts'
import type { Route } from './+types/list-page'

export const handle = appOnDemand
export { loadDocument as clientLoader }

export const loader = pageLoader(async (ctx, { params, url }) => {
  const typeId = /^\d{1,4}$/.test(params.typeId ?? '') ? Number(params.typeId) : -1
  if (typeId !== 0 && !knownIds.categoryIds.has(typeId)) throw notFound()
  const page = await readList(ctx, typeId, url.searchParams)
  const { choices } = page
  return {
    page: onServer(page),
    text: choices.text,
    what: categoryNames(page),
    path: browsePath(choices),
  }
})

export const meta = publicMeta<Route.MetaArgs>(({ page, text, what, path }, site) => {
  const title = text ? m.list_title_search({ text }) : what ? m.list_title_category({ category: what }) : m.list_title_all()
  // Every search has its own URL, but search engines should index categories only.
  const isCategory = !path.includes('?')
  return {
    title,
    description: m.list_description({ what: what || m.list_title_all() }),
    keywords: import.meta.env.SSR && m.list_keywords({ what: what || m.list_title_all() }),
    path,
    image: import.meta.env.SSR
      ? { path: boardPath({ what: 'list', id: Number(/^\/buy\/(\d+)/.exec(path)?.[1]), locale: site.locale }), alt: title }
      : undefined,
    about: import.meta.env.SSR && isCategory ? listThings(readOnServer(page).cards, site) : [],
    noIndex: !isCategory,
  }
})

/** Server only; list-script.ts has the page's scripts. */
export default function ListPage({ loaderData }: Route.ComponentProps) {
  const { nonce } = use(PageInfo)
  return (
    <>
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: showChosenView }} />
      <ServerOnly id="list-page" isPersonal part={import.meta.env.SSR && <ListBody page={readOnServer(loaderData.page)} />} />
    </>
  )
}
