import { Choice } from '#src/ui/choice.tsx'
import { BROWSE_FORM } from '#src/listings/filter-ids.ts'

interface FilterChoiceProps {
  name: 'category' | 'breed'
  id: number
  label: string
  isChosen: boolean
  count: string | undefined
}

export function FilterChoice({ name, id, label, isChosen, count }: FilterChoiceProps) {
  return (
    <Choice
      form={BROWSE_FORM}
      type="checkbox"
      name={name}
      value={id}
      defaultChecked={isChosen}
      className="gap-3 rounded-control px-1 hover:bg-leaf-soft"
    >
      <span>
        {label}
        {count && <span className="text-stone"> ({count})</span>}
      </span>
    </Choice>
  )
}
