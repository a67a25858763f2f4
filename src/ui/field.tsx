import type { ComponentProps, ReactNode } from 'react'
import { Input } from './input.tsx'

export interface FieldFrameProps {
  /** Unlike any other on the page; hint and error are named after it. */
  id: string
  label: ReactNode
  hint?: ReactNode
  /** What is wrong with it, in the reader's language. Empty: it is wrong, and the form says why. */
  error?: string | undefined
  /** Marks the label with an asterisk, and says so to screen readers. */
  isRequired?: boolean
}

/** Label above, hint under the label, the box, and what is wrong with it in words. */
export function FieldFrame({ id, label, hint, error, isRequired, children }: FieldFrameProps & { children: ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="label">
        {label}
        {isRequired && <RequiredMark />}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="mb-1 text-sm text-stone">
          {hint}
        </p>
      )}
      {children}
      <FieldError id={id} error={error} />
    </div>
  )
}

/** What a box tells screen readers of the frame around it. */
export function framedBox({ id, hint, error, isRequired }: Omit<FieldFrameProps, 'label'>) {
  return {
    id,
    'aria-required': isRequired || undefined,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': describedBy(id, hint !== undefined, error),
    // Without scripts the browser itself goes to the first wrong field.
    autoFocus: error !== undefined || undefined,
  }
}

interface FieldProps extends FieldFrameProps, Omit<ComponentProps<'input'>, 'id'> {
  /** Stands before the box, such as +91. */
  before?: string
  /** Stands after the box, such as a button or a `Unit`. */
  after?: ReactNode
}

/** One line of text, a number, a date. */
export function Field({ id, label, hint, error, isRequired = false, before, after, ...input }: FieldProps) {
  const frame = { id, hint, error, isRequired }
  return (
    <FieldFrame {...frame} label={label}>
      <div className="flex gap-2">
        {before && <Unit>{before}</Unit>}
        <Input {...framedBox(frame)} {...input} />
        {after}
      </div>
    </FieldFrame>
  )
}

/** Rupees, with or without commas and paise: the server reads it (kit/time-money/money.ts). */
export const MoneyField = (field: FieldProps) => <Field inputMode="decimal" autoComplete="off" maxLength={20} before="₹" {...field} />

/** A sign before or after a box: +91, ₹, kg. */
export const Unit = ({ children }: { children: ReactNode }) => (
  <span className="flex min-h-11 shrink-0 items-center rounded-control border border-line bg-husk-dark px-3 font-semibold">{children}</span>
)

/** Of a label: "required fields (marked with *)". */
export const RequiredMark = () => (
  <span aria-hidden="true" className="text-brick">
    {' '}
    *
  </span>
)

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
