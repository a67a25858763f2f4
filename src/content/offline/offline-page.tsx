import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { appOnDemand } from '#src/router-seams/start-app.ts'
import { loadDocument } from '#src/router-seams/load-document.ts'
import { ServerOnly } from '#src/document/server-only.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { OFFLINE_PATH } from './names.ts'
import type { Route } from './+types/offline-page'

/** Lists the pages on the phone. The service worker shows it in place of any page that it can neither fetch nor find a copy of. */
export const loader = pageLoader(async () => ({}))

export const clientLoader = loadDocument

export const handle = appOnDemand

export const meta = plainMeta<Route.MetaArgs>(() => ({ path: OFFLINE_PATH, title: m.offline_title(), description: m.offline_lead() }))

export default function OfflinePage() {
  return <ServerOnly id="on-phone" part={import.meta.env.SSR && <OnPhone />} />
}

/** Rendered on the server only; phone-page.ts fills it in. */
function OnPhone() {
  const to = useLocalPath()
  return (
    <div className="page-column mx-auto max-w-2xl">
      <section data-phone="wanted" hidden className="panel bg-turmeric-soft p-4 sm:p-5">
        <h2 className="text-xl">{m.offline_wanted_title()}</h2>
        <p className="mt-1">{m.offline_wanted_text()}</p>
        <button type="button" data-phone="retry" className="button-primary mt-3">
          {m.error_retry()}
        </button>
      </section>
      <h1 className="text-2xl">{m.offline_title()}</h1>
      <p className="text-stone">{m.offline_lead()}</p>
      <section id="acts" data-acts hidden className="panel p-4 sm:p-5" aria-labelledby="acts-title">
        <h2 id="acts-title" className="text-lg">
          {m.offline_acts()}
        </h2>
        <p className="text-sm text-stone">{m.offline_acts_hint()}</p>
        <ul className="mt-1 divide-y divide-line" />
        <button type="button" data-phone="send" className="button-primary mt-3">
          {m.offline_acts_send()}
        </button>
      </section>
      <section className="panel p-4 sm:p-5" aria-labelledby="copies-title">
        <h2 id="copies-title" className="text-lg">
          {m.offline_pages()}
        </h2>
        <ul data-copies className="mt-1 divide-y divide-line" />
        <p data-phone="none" className="mt-1">
          {m.offline_none()}
        </p>
        <button type="button" data-phone="forget" className="button-plain mt-4">
          {m.offline_forget()}
        </button>
      </section>
      <p>
        <a href={to('/')} className="tap-link font-semibold">
          {m.frame_home()}
        </a>
      </p>
    </div>
  )
}
