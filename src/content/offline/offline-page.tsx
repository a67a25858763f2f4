import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { ServerOnly } from '#src/document/server-only.tsx'
import { OFFLINE_PATH } from './names.ts'
import { OfflineView } from './offline-view.tsx'
import type { Route } from './+types/offline-page'

/** Lists the pages on the phone. The service worker shows it in place of any page that it can neither fetch nor find a copy of. */
export const loader = pageLoader(async (ctx) => ({ locale: ctx.locale, origin: ctx.publicOrigin }))

export const clientLoader = loadDocument

export const handle = appOnDemand

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: OFFLINE_PATH, title: m.offline_title(), description: m.offline_lead() }) : []

export default function OfflinePage() {
  return <ServerOnly id="on-phone" part={import.meta.env.SSR && <OfflineView />} />
}
