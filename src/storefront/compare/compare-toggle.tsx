import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { comparePath, MAX_COMPARED } from './compare-path.ts'

interface CompareToggleProps {
  id: number
  name: string
  className?: string
}

/** Takes an animal among those that this device compares (compare-script.ts). Without scripts it is a link to the comparison. */
export function CompareToggle({ id, name, className = 'compare-on-card' }: CompareToggleProps) {
  const to = useLocalPath()
  return (
    <a href={to(comparePath([id]))} data-compare={id} aria-label={m.compare_add({ name })} rel="nofollow" className={className}>
      <Icon name="compare" size={20} />
    </a>
  )
}

/** How many are chosen, and the way to see them side by side: on pages with toggles, once one is pressed. */
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
