import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { CategoryShortcut } from './category-row.tsx'

/** Pictures of the species in public/species/, by category id. */
const pictures: Record<number, string> = { 0: 'all', 1: 'cow', 2: 'goat', 3: 'sheep', 4: 'chicken', 5: 'dog', 6: 'horse' }

interface SpeciesRowProps {
  shortcuts: CategoryShortcut[]
  more: CategoryShortcut[]
  chosen: number[]
  /** The path of a category that preserves all other choices. */
  pathFor: (id: number) => string
}

/** Animals, Cow, Goat … (A §2.4) in one line that scrolls on phones, and behind More, feeds and equipment. */
export function SpeciesRow({ shortcuts, more, chosen, pathFor }: SpeciesRowProps) {
  const to = useLocalPath()
  const current = (id: number) => ((id === 0 ? chosen.length === 0 : chosen.includes(id)) ? 'true' : undefined)
  return (
    <nav aria-label={m.list_categories()} className="list-species">
      <ul>
        {shortcuts.map((category) => (
          <li key={category.id}>
            <a href={to(pathFor(category.id))} aria-current={current(category.id)}>
              <img src={`/species/${pictures[category.id] ?? 'all'}.webp`} alt="" width={56} height={56} fetchPriority="low" />
              {category.name}
            </a>
          </li>
        ))}
        <li>
          <details>
            <summary>
              <img src="/species/more.webp" alt="" width={56} height={56} fetchPriority="low" />
              {m.list_more_categories()}
            </summary>
            <ul>
              {more.map((category) => (
                <li key={category.id}>
                  <a href={to(pathFor(category.id))} aria-current={current(category.id)}>
                    {category.name}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        </li>
      </ul>
    </nav>
  )
}
