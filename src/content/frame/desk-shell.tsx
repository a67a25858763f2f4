import type { DeskCounts } from '#src/content/frame/frame-viewer.ts'
import { railOf } from '#src/content/desks.ts'
import type { Viewer } from '#src/kit/context.ts'
import { OFFLINE_NOTE_ID } from '#src/kit/device/offline-tap.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'

/** The office's search. Rendered by the server alone. */
export function DeskFind() {
  const to = useLocalPath()
  return (
    <form method="get" action={to('/admin/find')} role="search" className="flex w-full max-w-xl items-center">
      <Input
        name="q"
        type="search"
        maxLength={80}
        aria-label={m.desk_find()}
        placeholder={m.desk_find()}
        className="min-h-10 flex-1 border-transparent"
      />
      <button type="submit" aria-label={m.desk_find_button()} className="icon-button hover:bg-leaf-dark">
        <Icon name="search" size={22} />
      </button>
    </form>
  )
}

/**
 * The desks with how much waits at each: a rail on a desk, one row that scrolls on a phone. Rendered by the server alone. `here`: the page's
 * path without the language.
 */
export function DeskRail({ viewer, counts, here }: { viewer: Viewer; counts: DeskCounts | null; here: string }) {
  const to = useLocalPath()
  return (
    <nav aria-label={m.desk_nav()} className="border-b border-line bg-paper lg:w-56 lg:shrink-0 lg:border-r lg:border-b-0">
      <ul className="relative flex gap-1 overflow-x-auto px-2 py-1.5 lg:sticky lg:top-0 lg:flex-col lg:py-3">
        {railOf(viewer).map(({ path, label, id }) => {
          const count = id && counts?.[id]
          const page = path.split('?')[0]!
          const isHere = here === page || (page !== '/admin' && here.startsWith(`${page}/`))
          return (
            <li key={path} className="shrink-0">
              <a
                href={to(path)}
                aria-current={isHere ? 'page' : undefined}
                className="flex min-h-11 items-center justify-between gap-2 rounded-control px-3 text-sm leading-tight font-semibold hover:bg-leaf-soft aria-[current=page]:bg-leaf aria-[current=page]:text-white"
              >
                {label}
                {count !== undefined && count > 0 && (
                  <span className="min-w-6 rounded-full bg-turmeric px-1.5 text-center text-sm leading-6 font-bold text-ink">
                    {count}
                    <span className="sr-only"> {m.desk_waiting_word()}</span>
                  </span>
                )}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** Where nothing but the desk is: the note that the line is away. */
export const DeskFoot = () => (
  <p
    id={OFFLINE_NOTE_ID}
    role="status"
    data-says={`${m.error_offline_title()}. ${m.error_offline_text()}`}
    className="fixed inset-x-0 bottom-0 z-40 bg-ink px-4 py-3 text-center font-semibold text-white empty:hidden"
  />
)
