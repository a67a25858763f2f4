import { useEffect, useRef } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'

export interface CategoryShortcut {
  id: number
  name: string
}

/** Pictures of the species in public/species/, by category id. */
const pictures: Record<number, string> = { 0: 'all', 1: 'cow', 2: 'goat', 3: 'sheep', 4: 'chicken', 5: 'dog', 6: 'horse' }

interface CategoryRowProps {
  shortcuts: CategoryShortcut[]
  more: CategoryShortcut[]
  chosen: number[]
  /** The path of a category that preserves all other choices. */
  pathFor: (id: number) => string
}

/** Animals, Cow, Goat, Sheep, Chicken, Horse, Dog (A §2.4) and, behind More, feeds and equipment. */
export function CategoryRow({ shortcuts, more, chosen, pathFor }: CategoryRowProps) {
  const to = useLocalPath()
  const row = useRef<HTMLUListElement>(null)
  const isChosen = (id: number) => (id === 0 ? chosen.length === 0 : chosen.includes(id))
  const first = chosen[0]
  // On a phone the last species are beyond the edge; the selected one must be visible.
  useEffect(() => {
    const tile = row.current?.querySelector<HTMLElement>('[aria-current]')?.parentElement
    if (row.current && tile) row.current.scrollLeft = tile.offsetLeft + tile.offsetWidth / 2 - row.current.clientWidth / 2
  }, [first])
  return (
    <nav aria-label={m.list_categories()} className="md:flex md:items-start md:gap-2">
      <ul
        ref={row}
        className="relative -mx-4 flex snap-x scroll-px-4 gap-2 overflow-x-auto px-4 py-1 md:mx-0 md:flex-wrap md:overflow-visible md:px-0"
      >
        {shortcuts.map((category) => (
          <li key={category.id} className="snap-start">
            <Link to={to(pathFor(category.id))} aria-current={isChosen(category.id) ? 'true' : undefined} className={tileClass}>
              <img
                src={`/species/${pictures[category.id] ?? 'all'}.webp`}
                alt=""
                width={56}
                height={56}
                fetchPriority="low"
                className="size-12 md:size-14"
              />
              {category.name}
            </Link>
          </li>
        ))}
      </ul>
      <details className="md:relative md:py-1">
        <summary className="flex min-h-11 list-none items-center gap-2 text-sm font-semibold text-leaf md:min-w-18 md:flex-col md:gap-0 md:rounded-card md:border md:border-line md:bg-paper md:p-2 md:text-ink md:hover:border-leaf lg:min-w-24">
          <img src="/species/more.webp" alt="" width={56} height={56} fetchPriority="low" className="size-7 md:size-14" />
          {m.list_more_categories()}
        </summary>
        <ul className="flex flex-wrap gap-2 pb-1 md:absolute md:right-0 md:z-20 md:mt-1 md:grid md:w-64 md:gap-1 md:rounded-card md:border md:border-line md:bg-paper md:p-2 md:shadow-card">
          {more.map((category) => (
            <li key={category.id}>
              <Link
                to={to(pathFor(category.id))}
                aria-current={isChosen(category.id) ? 'true' : undefined}
                className="flex min-h-11 items-center rounded-control border border-line px-3 py-1 hover:bg-leaf-soft aria-[current]:bg-leaf-soft aria-[current]:font-semibold md:border-0"
              >
                {category.name}
              </Link>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}

const tileClass =
  'flex min-w-20 cursor-pointer flex-col items-center rounded-card border border-line bg-paper px-2 py-2 text-center text-sm font-semibold hover:border-leaf aria-[current]:border-leaf aria-[current]:bg-leaf-soft aria-[current]:text-leaf md:min-w-18 lg:min-w-24'
