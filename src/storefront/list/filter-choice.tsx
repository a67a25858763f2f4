import { Choice } from '#src/ui/choice.tsx'
import { BROWSE_FORM } from '#src/listings/filter-ids.ts'

export function FilterChoice({ name, id, label, isChosen }: { name: 'category' | 'breed'; id: number; label: string; isChosen: boolean }) {
  return (
    <Choice
      form={BROWSE_FORM}
      type="checkbox"
      name={name}
      value={id}
      defaultChecked={isChosen}
      className="gap-3 rounded-control px-1 hover:bg-leaf-soft"
    >
      {label}
    </Choice>
  )
}
