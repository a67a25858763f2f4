import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

export interface CategoryShortcut {
  id: number
  name: string
}

/** Pictures of the species in public/species/, by category id. */
const pictures: Record<number, string> = { 0: 'all', 1: 'cow', 2: 'goat', 3: 'sheep', 4: 'chicken', 5: 'dog', 6: 'horse' }

interface CategoryRowProps {
  shortcuts: CategoryShortcut[]
  more: CategoryShortcut[]
}

/** Animals, Cow, Goat, Sheep, Chicken, Horse, Dog (A §2.4) and, behind More, feeds and equipment: on the home page. */
export function CategoryRow({ shortcuts, more }: CategoryRowProps) {
  const to = useLocalPath()
  return (
    <nav aria-label={m.list_categories()} className="category-row">
      <ul>
        {shortcuts.map(({ id, name }) => (
          <li key={id}>
            <a href={to(`/buy/${id}`)}>
              <img src={`/species/${pictures[id] ?? 'all'}.webp`} alt="" width={56} height={56} fetchPriority="low" />
              {name}
            </a>
          </li>
        ))}
      </ul>
      <details>
        <summary>
          <img src="/species/more.webp" alt="" width={56} height={56} fetchPriority="low" />
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
