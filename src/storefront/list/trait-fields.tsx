import { m } from '#src/paraglide/messages.js'
import { Tick } from '#src/ui/choice.tsx'
import { BROWSE_FORM } from '#src/listings/filter-ids.ts'
import type { TraitGroup } from './trait-groups.server.ts'

/** What people scan by: of each trait one value or any, and the signs of trust as boxes to tick. */
export function TraitFields({ groups }: { groups: TraitGroup[] }) {
  const several = groups.filter(({ options }) => options.length > 1)
  const single = groups.filter(({ options }) => options.length === 1)
  return (
    <>
      {several.map((group) => (
        <fieldset key={group.name}>
          <legend className="mb-1 font-semibold">{group.label}</legend>
          <div className="flex flex-wrap gap-2">
            <Value
              type="radio"
              name={group.name}
              value=""
              label={m.list_any()}
              isChosen={!group.options.some(({ isChosen }) => isChosen)}
            />
            {group.options.map((option) => (
              <Value key={option.value} type="radio" name={group.name} {...option} />
            ))}
          </div>
        </fieldset>
      ))}
      <fieldset>
        <legend className="mb-1 font-semibold">{m.list_trust()}</legend>
        <div className="flex flex-wrap gap-2">
          {single.map(({ name, options }) => (
            <Value key={name} type="checkbox" name={name} {...options[0]!} />
          ))}
        </div>
      </fieldset>
    </>
  )
}

interface ValueProps {
  type: 'radio' | 'checkbox'
  name: string
  value: string
  label: string
  isChosen: boolean
  count?: string
}

function Value({ type, name, value, label, isChosen, count }: ValueProps) {
  return (
    <label className="choice-card">
      <Tick form={BROWSE_FORM} type={type} name={name} value={value} defaultChecked={isChosen} />
      <span>
        {label}
        {count && <span className="text-stone"> ({count})</span>}
      </span>
    </label>
  )
}
