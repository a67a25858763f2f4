import type { DeskCounts } from './frame-viewer.ts'
import { railOf, type RailId } from './desks.ts'
import { countText, sumOf } from './live-counts.ts'
import type { Viewer } from '#src/kit/context.ts'
import { OFFLINE_NOTE_ID } from '#src/kit/device/offline-tap.ts'
import { m } from '#src/paraglide/messages.js'
import { hideChosenColumns } from '#src/kit/device/desk-columns.ts'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'

/** The office's search. Rendered on the server only. */
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

interface RailProps {
  viewer: Viewer
  counts: DeskCounts | null
  /** The page's path without the language prefix. */
  here: string
  nonce: string | undefined
}

/** A phone has room for fewer entries side by side. */
const ROW_ON_PHONES = 3

/** The desks with their counts: a rail on a desktop, folded on a phone. Rendered on the server only. */
export function DeskRail({ viewer, counts, here, nonce }: RailProps) {
  const desks = railOf(viewer)
  const isFolded = desks.length > ROW_ON_PHONES
  const waiting = sumOf(counts)
  const links = desks.map(({ path, label, id }) => (
    <DeskLink key={path} path={path} label={label} id={id} count={(id && counts?.[id]) ?? 0} here={here} />
  ))
  return (
    <nav aria-label={m.desk_nav()} className="border-b border-line bg-paper lg:w-56 lg:shrink-0 lg:border-r lg:border-b-0">
      <script nonce={nonce} dangerouslySetInnerHTML={{ __html: hideChosenColumns }} />
      {isFolded && (
        <details className="group lg:hidden">
          <summary className="flex min-h-11 items-center gap-2 px-4 font-semibold">
            <Icon name="menu" size={20} />
            {m.desk_nav()}
            <Waiting of="all" count={waiting} />
            <span aria-hidden="true" className="ml-auto text-leaf fold-arrow" />
          </summary>
          <ul className="grid grid-cols-2 gap-1 px-2 pb-2">{links}</ul>
        </details>
      )}
      <ul className={`gap-1 px-2 py-1.5 lg:sticky lg:top-0 lg:flex lg:flex-col lg:gap-px lg:py-1.5 ${isFolded ? 'hidden' : 'flex'}`}>
        {links}
      </ul>
    </nav>
  )
}

interface LinkProps {
  path: string
  label: string
  /** Set when the desk has a queue. */
  id: RailId | undefined
  count: number
  here: string
}

function DeskLink({ path, label, id, count, here }: LinkProps) {
  const to = useLocalPath()
  const page = path.split('?')[0]!
  const isHere = here === page || (page !== '/admin' && here.startsWith(`${page}/`))
  return (
    <li>
      <a
        href={to(path)}
        aria-current={isHere ? 'page' : undefined}
        className="flex min-h-11 items-center justify-between gap-2 rounded-control px-3 text-sm leading-tight font-semibold hover:bg-leaf-soft aria-[current=page]:bg-leaf aria-[current=page]:text-white lg:min-h-9"
      >
        {label}
        {id && <Waiting of={id} count={count} />}
      </a>
    </li>
  )
}

/** Rendered for 0 too, because an act on the page may change the count (live-counts.ts). */
function Waiting({ of, count }: { of: RailId | 'all'; count: number }) {
  return (
    <span
      data-waiting={of}
      hidden={count === 0}
      className={`min-w-6 shrink-0 rounded-full px-1.5 text-center text-sm leading-6 font-bold text-ink ${of === 'checks' ? 'bg-husk-dark' : 'bg-turmeric'}`}
    >
      <span>{countText(of, count)}</span>
      <span className="sr-only"> {m.desk_waiting_word()}</span>
    </span>
  )
}

/** The foot of a desk page: only the note that the connection is lost. */
export const DeskFoot = () => (
  <p
    id={OFFLINE_NOTE_ID}
    role="status"
    data-says={`${m.error_offline_title()}. ${m.error_offline_text()}`}
    className="fixed inset-x-0 bottom-0 z-40 bg-ink px-4 py-3 text-center font-semibold text-white empty:hidden"
  />
)
