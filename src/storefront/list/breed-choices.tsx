import { breedPicture, speciesPicture } from '#src/listings/animal-pictures.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { FilterChoice } from './filter-choice.tsx'
import type { FilterGroup } from './filter-groups.ts'

interface BreedChoicesProps {
  group: FilterGroup
  chosen: number[]
  isChosen: boolean
  /** The list of this category with all other choices. */
  path: string
}

/** The breeds of one category, loaded when somebody unfolds them (list-breeds.ts). Without scripts or offline, a link to the category shows them. */
export function BreedChoices({ group, chosen, isChosen, path }: BreedChoicesProps) {
  const to = useLocalPath()
  return (
    <details
      data-breeds={group.breeds === null ? '' : undefined}
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
          picture={breedPicture(breed.id) ?? speciesPicture(group.id)}
          isChosen={chosen.includes(breed.id)}
        />
      )) ?? (
        <a href={to(path)} className="tap-link px-1">
          {m.list_breeds_of({ category: group.name })}
        </a>
      )}
    </details>
  )
}
