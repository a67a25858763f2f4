import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/** Rendered by the server alone; phone-page.ts fills it in. */
export function OfflineView() {
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
      <section className="panel p-4 sm:p-5" aria-labelledby="copies-title">
        <h2 id="copies-title" className="text-lg">
          {m.offline_pages()}
        </h2>
        <ul data-copies className="mt-1 divide-y divide-line" />
        <p data-phone="none" className="mt-1">
          {m.offline_none()}
        </p>
        <p className="row mt-4 items-center justify-between gap-3">
          <span data-phone="size" className="text-sm text-stone" />
          <button type="button" data-phone="forget" className="button-plain">
            {m.offline_forget()}
          </button>
        </p>
      </section>
      <p>
        <a href={to('/')} className="tap-link font-semibold">
          {m.frame_home()}
        </a>
      </p>
    </div>
  )
}
