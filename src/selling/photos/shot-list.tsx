import { m } from '#src/paraglide/messages.js'
import { shotOf, shotsOf } from './shots.ts'

/** The photos that sell, drawn. */
export function ShotList({ categoryId, isMale }: { categoryId: number | null; isMale: boolean }) {
  const shots = shotsOf(categoryId, isMale)
  if (shots.length === 0) return null
  return (
    // Scrolls by keyboard, too.
    <div role="group" tabIndex={0} aria-label={m.sell_shots()} className="-mx-4 overflow-x-auto px-4">
      <ul className="flex gap-2 sm:flex-wrap">
        {shots.map((shot) => (
          <li
            key={shot}
            className="grid w-26 shrink-0 sm:w-28 justify-items-center gap-1 rounded-control bg-husk-dark p-1.5 text-center text-sm leading-tight break-words hyphens-auto"
          >
            <svg viewBox="0 0 48 48" aria-hidden="true" className="size-10 fill-none stroke-ink stroke-2">
              <path d={shotOf(shot).picture} />
            </svg>
            {shotOf(shot).name()}
          </li>
        ))}
      </ul>
    </div>
  )
}
