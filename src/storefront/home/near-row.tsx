import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/** Animals near the place chosen on this device (near-row-script.ts). Hidden without a place and without scripts. */
export function NearRow() {
  const to = useLocalPath()
  return (
    <section data-near-row className="near-row">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-xl">
          <a href={to('/buy/0')} className="inline-link">
            {m.home_near()}
          </a>
        </h2>
        <button type="button" data-near-clear className="link-button">
          {m.recent_clear()}
        </button>
      </div>
      <ul tabIndex={0} aria-label={m.home_near()} className="card-row"></ul>
    </section>
  )
}
