import type { ComponentProps, ReactNode } from 'react'
import { describedBy, FieldError } from './field.tsx'

interface SelectFieldProps extends Omit<ComponentProps<'select'>, 'children'> {
  /** Unlike any other on the page; hint and error are named after it. */
  id: string
  label: ReactNode
  hint?: ReactNode
  /** What the empty answer means: it stands first. Without it one of the options is always chosen. */
  none?: string
  options: readonly { id: number | string; name: string }[]
  error?: string | undefined
}

/** One of a list, under its label. */
export function SelectField({ id, label, hint, none, options, error, ...select }: SelectFieldProps) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="label">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="mb-1 text-sm text-stone">
          {hint}
        </p>
      )}
      <select
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, hint !== undefined, error)}
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
