import type { ComponentProps, ReactNode } from 'react'
import { describedBy, FieldError } from './field.tsx'

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'children'> {
  /** Unlike any other on the page; the error is named after it. */
  id: string
  label: ReactNode
  /** What the empty answer means: it stands first. Without it one of the options is always chosen. */
  none?: string
  options: readonly { id: number | string; name: string }[]
  error?: string | undefined
}

/** One of a list, under its label. */
export function SelectField({ id, label, none, options, error, ...select }: SelectFieldProps) {
  return (
    <div>
      <label htmlFor={id} className="label">
        {label}
      </label>
      <select
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, false, error)}
        {...select}
        className="field aria-invalid:border-2 aria-invalid:border-brick"
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
      <FieldError id={id} error={error} />
    </div>
  )
}
