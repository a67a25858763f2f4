import { m } from '#src/paraglide/messages.js'

/** The animals that were looked at last on this device (recent-script.ts): empty and hidden for everybody else, and without scripts. */
export function RecentRow() {
  return (
    <section hidden data-recent className="min-h-44">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 className="text-xl">{m.recent_title()}</h2>
        <button type="button" data-recent-clear className="link-button">
          {m.recent_clear()}
        </button>
      </div>
      <ul
        tabIndex={0}
        aria-label={m.recent_title()}
        className="-mx-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 md:mx-0 md:px-0"
      ></ul>
    </section>
  )
}
