import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { onServer, readOnServer } from '#src/router-seams/on-server.ts'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { ServerOnly } from '#src/document/server-only.tsx'
import { comparePath, readCompared } from './compare-path.ts'
import { CompareView } from './compare-view.tsx'
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

export const meta = ({ loaderData }: Route.MetaArgs) => (loaderData ? plainMeta({ ...loaderData, description: m.compare_lead() }) : [])

export default function ComparePage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="compare" isPersonal part={import.meta.env.SSR && <CompareView page={readOnServer(loaderData.page)} />} />
}

export interface CompareData extends Awaited<ReturnType<typeof readComparison>> {
  path: string
  locale: Locale
  origin: string
}
