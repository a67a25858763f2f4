import { BROWSE_FORM } from '#src/listings/filter-ids.ts'

export function Choice({ name, id, label, isChosen }: { name: 'category' | 'breed'; id: number; label: string; isChosen: boolean }) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-1 hover:bg-leaf-soft">
      {/* The key updates the box when the choice changes by a link and not by a tap on it. */}
      <input
        key={String(isChosen)}
        form={BROWSE_FORM}
        type="checkbox"
        name={name}
        value={id}
        defaultChecked={isChosen}
        className="size-5 shrink-0 accent-leaf"
      />
      {label}
    </label>
  )
}
