import { Tick } from '#src/ui/choice.tsx'
import { BROWSE_FORM } from '#src/listings/browse/filter-ids.ts'

interface FilterChoiceProps {
  type: 'radio' | 'checkbox'
  name: string
  value: string | number
  label: string
  isChosen: boolean
  /** How many animals it would leave. */
  count?: string | undefined
  picture?: string
}

/** A filter control within `filter-cards` or `filter-lines` (listing-row.css). A page has seventy of them, so the HTML is short. */
export function FilterChoice({ type, name, value, label, isChosen, count, picture }: FilterChoiceProps) {
  const disabled = count === '0' && !isChosen
  return (
    <label>
      <Tick form={BROWSE_FORM} {...{ type, name, value, disabled }} defaultChecked={isChosen} tick={null} />
      {picture && <img src={picture} alt="" loading="lazy" />}
      {label}
      {count && !disabled && <small> ({count})</small>}
    </label>
  )
}
