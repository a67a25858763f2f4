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

/**
 * A filter control within `filter-cards` or `filter-lines` (listing-row.css), or nothing if it would leave no animal. A
 * page has seventy of them, so the HTML is short.
 */
export function FilterChoice({ type, name, value, label, isChosen, count, picture }: FilterChoiceProps) {
  if (count === '0' && !isChosen) return null
  return (
    <label>
      <Tick form={BROWSE_FORM} {...{ type, name, value }} defaultChecked={isChosen} tick={null} />
      {picture && <img src={picture} alt="" loading="lazy" />}
      {label}
      {count && <small> ({count})</small>}
    </label>
  )
}
