import type { ComponentProps, ReactNode } from 'react'

interface FieldProps extends ComponentProps<'input'> {
  /** Unlike any other on the page; hint and error are named after it. */
  id: string
  label: ReactNode
  hint?: ReactNode
  /** What is wrong with it, in the reader's language. Empty: it is wrong, and the form says why. */
  error?: string | undefined
  /** Stands before the box, such as +91. */
  before?: ReactNode
  /** Stands after the box, such as a button. */
  after?: ReactNode
}

/** Label above, hint under the label, the box, and what is wrong with it in words. */
export function Field({ id, label, hint, error, before, after, className = '', ...input }: FieldProps) {
  return (
    <div>
      <label htmlFor={id} className="label">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="mb-1 text-sm text-stone">
          {hint}
        </p>
      )}
      <div className="flex gap-2">
        {before && (
          <span className="flex min-h-11 items-center rounded-control border border-line bg-husk-dark px-3 font-semibold">{before}</span>
        )}
        <input
          id={id}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy(id, hint !== undefined, error)}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts the browser itself goes to the first wrong field
          autoFocus={error !== undefined || undefined}
          {...input}
          className={`field aria-invalid:border-2 aria-invalid:border-brick ${className}`}
        />
        {after}
      </div>
      <FieldError id={id} error={error} />
    </div>
  )
}

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p id={`${id}-error`} className="mt-1 text-sm font-semibold text-brick">
      {error}
    </p>
  )
}

/** Screen readers read the error before the hint. */
export const describedBy = (id: string, hasHint: boolean, error: string | undefined) =>
  [error && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean).join(' ') || undefined
