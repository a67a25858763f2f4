import { speciesPicture } from '#src/listings/animal-pictures.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { CategoryShortcut } from './category-row.tsx'

interface SpeciesRowProps {
  shortcuts: CategoryShortcut[]
  more: CategoryShortcut[]
  chosen: number[]
  /** The path of a category with all other choices kept. */
  pathFor: (id: number) => string
}

/** Animals, Cow, Goat … (A §2.4) in one line that scrolls on phones; behind More, feeds and equipment. */
export function SpeciesRow({ shortcuts, more, chosen, pathFor }: SpeciesRowProps) {
  const to = useLocalPath()
  const current = (id: number) => ((id === 0 ? chosen.length === 0 : chosen.includes(id)) ? 'true' : undefined)
  return (
    <nav aria-label={m.list_categories()} className="list-species">
      <ul>
        {shortcuts.map((category) => (
          <li key={category.id}>
            <a href={to(pathFor(category.id))} aria-current={current(category.id)}>
              <img src={speciesPicture(category.id)} alt="" width={56} height={56} loading="lazy" />
              {category.name}
            </a>
          </li>
        ))}
        <li>
          <details>
            <summary>
              <img src="/species/more.webp" alt="" width={56} height={56} loading="lazy" />
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
