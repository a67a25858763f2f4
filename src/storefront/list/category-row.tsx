import { speciesPicture } from '#src/listings/animal-pictures.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

export interface CategoryShortcut {
  id: number
  name: string
}

interface CategoryRowProps {
  shortcuts: CategoryShortcut[]
  more: CategoryShortcut[]
}

/** On the home page: Animals, Cow, Goat, Sheep, Chicken, Horse, Dog (A §2.4); behind More, feeds and equipment. */
export function CategoryRow({ shortcuts, more }: CategoryRowProps) {
  const to = useLocalPath()
  return (
    <nav aria-label={m.list_categories()} className="category-row">
      <ul>
        {shortcuts.map(({ id, name }) => (
          <li key={id}>
            <a href={to(`/buy/${id}`)}>
              <img src={speciesPicture(id)} alt="" width={56} height={56} loading="lazy" />
              {name}
            </a>
          </li>
        ))}
      </ul>
      <details>
        <summary>
          <img src="/species/more.webp" alt="" width={56} height={56} loading="lazy" />
          {m.list_more_categories()}
        </summary>
        <ul>
          {more.map(({ id, name }) => (
            <li key={id}>
              <a href={to(`/buy/${id}`)}>{name}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  )
}
