import { describedBy, FieldError } from '#src/ui/field.tsx'

interface VerdictFieldProps {
  /** Id of the field, within the page; its error is named after it. */
  id: string
  name: string
  label: string
  pass: string
  fail: string
  typed: string | undefined
  error: string | undefined
}

/** Pass or Fail of an animal, by an admin or a vet: `yes` or `no`, nothing preselected. */
export function VerdictField({ id, name, label, pass, fail, typed, error }: VerdictFieldProps) {
  return (
    <fieldset className="min-w-0" aria-invalid={error !== undefined || undefined} aria-describedby={describedBy(id, false, error)}>
      <legend className="label">{label}</legend>
      <div className="grid grid-cols-1 gap-2 xs:grid-cols-2">
        <label className={`${choice} has-checked:border-leaf has-checked:bg-leaf-soft has-checked:ring-1 has-checked:ring-leaf`}>
          <input type="radio" name={name} value="yes" defaultChecked={typed === 'yes'} className="size-5 shrink-0 accent-leaf" />
          {pass}
        </label>
        <label className={`${choice} has-checked:border-brick has-checked:bg-brick-soft has-checked:ring-1 has-checked:ring-brick`}>
          <input type="radio" name={name} value="no" defaultChecked={typed === 'no'} className="size-5 shrink-0 accent-brick" />
          {fail}
        </label>
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

const choice =
  'flex min-h-12 min-w-0 cursor-pointer items-center gap-3 rounded-control border border-line bg-white px-4 py-2 text-lg font-semibold has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-turmeric'
