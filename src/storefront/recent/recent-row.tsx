import { m } from '#src/paraglide/messages.js'

/** The animals last viewed on this device (recent-script.ts). Empty and hidden otherwise, and without scripts. */
export function RecentRow() {
  return (
    <section hidden data-recent className="min-h-44">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-xl">{m.recent_title()}</h2>
        <button type="button" data-recent-clear className="link-button">
          {m.recent_clear()}
        </button>
      </div>
      <ul tabIndex={0} aria-label={m.recent_title()} className="card-row"></ul>
    </section>
  )
}
