import { Tick } from '#src/ui/choice.tsx'
import { BROWSE_FORM } from '#src/listings/filter-ids.ts'

interface FilterChoiceProps {
  type: 'radio' | 'checkbox'
  name: string
  value: string | number
  label: string
  isChosen: boolean
  /** How many it leaves. */
  count?: string | undefined
}

/** One of the list's filters, within `filter-cards` or `filter-lines` (listing-row.css): there are seventy of them. */
export function FilterChoice({ type, name, value, label, isChosen, count }: FilterChoiceProps) {
  return (
    <label>
      <Tick form={BROWSE_FORM} type={type} name={name} value={value} defaultChecked={isChosen} tick={null} />
      <span>
        {label}
        {count && <small> ({count})</small>}
      </span>
    </label>
  )
}
