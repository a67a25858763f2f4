import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { FilterChoice } from './filter-choice.tsx'
import type { FilterGroup } from './filter-groups.ts'

/** The breeds of one category, fetched when they are unfolded (list-breeds.ts). Without scripts, or offline, a link to the category has them. */
export function BreedChoices({ group, chosen, isChosen }: { group: FilterGroup; chosen: number[]; isChosen: boolean }) {
  const to = useLocalPath()
  return (
    <details
      data-breeds-of={group.breeds === null ? group.id : undefined}
      open={(group.breeds !== null && (isChosen || group.breeds.some(({ id }) => chosen.includes(id)))) || undefined}
    >
      <summary>{group.name}</summary>
      {group.breeds?.map((breed) => (
        <FilterChoice
          key={breed.id}
          type="checkbox"
          name="breed"
          value={breed.id}
          label={breed.name}
          count={breed.count}
          isChosen={chosen.includes(breed.id)}
        />
      )) ?? (
        <a href={to(`/buy/${group.id}`)} className="tap-link px-1">
          {m.list_breeds_of({ category: group.name })}
        </a>
      )}
    </details>
  )
}
