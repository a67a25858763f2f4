import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { namedBy } from '#src/ui/named-by.ts'
import { comparePath, MAX_COMPARED } from './compare-path.ts'

type CompareToggleProps = { id: number; className?: string } & (
  | { name: string }
  /** The id of the element with the name, on a page with `CompareWords`. */
  | { nameId: string }
)

/** Adds an animal to the comparison on this device (compare-script.ts). Without scripts it links to the comparison. */
export function CompareToggle({ id, className = 'compare-on-card', ...by }: CompareToggleProps) {
  const to = useLocalPath()
  const label =
    'name' in by
      ? { 'aria-label': m.compare_add({ name: by.name }) }
      : { 'aria-labelledby': namedBy(by.nameId, COMPARE_WORDS, m.compare_add) }
  return (
    <a href={to(comparePath([id]))} data-compare={id} {...label} rel="nofollow" className={className}>
      {/* Shown when the stylesheet is missing; the stylesheet draws an icon instead. */}⚖
    </a>
  )
}

const COMPARE_WORDS = 'to-compare'

export const CompareWords = () => (
  <span hidden id={COMPARE_WORDS}>
    {m.compare_add({ name: '' })}
  </span>
)

/** The number of chosen animals and the link to the comparison, on pages with toggles, once one is chosen. */
export function CompareTray() {
  const to = useLocalPath()
  return (
    <div
      data-compare-tray={to('/compare')}
      hidden
      className="fixed bottom-20 left-1/2 z-30 flex w-max max-w-[92vw] -translate-x-1/2 items-center rounded-full bg-ink pl-4 text-white shadow-card md:bottom-4"
    >
      <p role="status" className="font-semibold">
        <a href={to('/compare')} className="inline-flex min-h-11 items-center gap-2 underline-offset-4 hover:underline">
          <Icon name="compare" size={20} />
          <span>{m.compare_open()}</span>
          <b data-count></b>
        </a>
        <span data-full hidden className="block pb-2 text-sm">
          {m.compare_full({ max: MAX_COMPARED })}
        </span>
      </p>
      <button type="button" data-clear aria-label={m.compare_clear()} className="icon-button shrink-0">
        <Icon name="close" size={20} />
      </button>
    </div>
  )
}
