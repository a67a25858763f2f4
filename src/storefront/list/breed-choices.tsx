import { useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { FilterChoice } from './filter-choice.tsx'
import { fetchBreeds, type FilterGroup, type NamedBreed } from './filter-groups.ts'

/** The breeds of one category, loaded when they are unfolded. Without JavaScript, or offline, a link to the category has them. */
export function BreedChoices({ group, chosen, isChosen }: { group: FilterGroup; chosen: number[]; isChosen: boolean }) {
  const locale = useLocale()
  const to = useLocalPath()
  const [fetched, setFetched] = useState<NamedBreed[] | null>(null)
  const breeds = group.breeds ?? fetched
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen && group.breeds === null) fetchBreeds(group.id, locale).then(setFetched, () => {})
  }, [isOpen, group.id, group.breeds, locale])
  return (
    <details
      // It may have been unfolded before this code was loaded.
      ref={(details) => void (details?.open && setOpen(true))}
      open={(group.breeds !== null && (isChosen || group.breeds.some(({ id }) => chosen.includes(id)))) || undefined}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className="flex min-h-11 items-center font-semibold text-leaf">{group.name}</summary>
      {breeds?.map((breed) => (
        <FilterChoice key={breed.id} name="breed" id={breed.id} label={breed.name} isChosen={chosen.includes(breed.id)} />
      )) ?? (
        <Link to={to(`/buy/${group.id}`)} className="tap-link px-1">
          {m.list_breeds_of({ category: group.name })}
        </Link>
      )}
    </details>
  )
}
