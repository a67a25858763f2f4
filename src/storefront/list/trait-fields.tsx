import { m } from '#src/paraglide/messages.js'
import { FilterChoice } from './filter-choice.tsx'
import type { TraitGroup } from './trait-groups.server.ts'

/** The trait filters that leave animals: one value or any per trait, and checkboxes for the trust signs. */
export function TraitFields({ groups }: { groups: TraitGroup[] }) {
  const several = groups.filter(({ isOne }) => !isOne)
  const single = groups.filter(({ isOne }) => isOne)
  return (
    <>
      {several.map((group) => (
        <fieldset key={group.name}>
          <legend>{group.label}</legend>
          <div className="filter-cards">
            <FilterChoice
              type="radio"
              name={group.name}
              value=""
              label={m.list_any()}
              isChosen={!group.options.some(({ isChosen }) => isChosen)}
            />
            {group.options.map((option) => (
              <FilterChoice key={option.value} type="radio" name={group.name} {...option} />
            ))}
          </div>
        </fieldset>
      ))}
      <fieldset hidden={single.length === 0}>
        <legend>{m.list_trust()}</legend>
        <div className="filter-cards">
          {single.map(({ name, options }) => (
            <FilterChoice key={name} type="checkbox" name={name} {...options[0]!} />
          ))}
        </div>
      </fieldset>
    </>
  )
}
