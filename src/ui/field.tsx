import type { ComponentProps, ReactNode } from 'react'
import { MAX_AMOUNT_TEXT } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Input } from './input.tsx'

export interface FieldFrameProps {
  /** Unique within the page; the ids of hint and error derive from it. */
  id: string
  label: ReactNode
  hint?: ReactNode
  /** The error in the reader's language. Empty: the field is wrong, and the form shows the reason. */
  error?: string | undefined
  /** Marks the label with an asterisk and tells screen readers. */
  isRequired?: boolean
}

/** Label, hint, input and error message, from top to bottom. */
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

/** The ARIA attributes that connect an input to its frame. */
export function framedBox({ id, hint, error, isRequired }: Omit<FieldFrameProps, 'label'>) {
  return {
    id,
    'aria-required': isRequired || undefined,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': describedBy(id, hint !== undefined, error),
    // Without scripts, the browser focuses the first wrong field.
    autoFocus: error !== undefined || undefined,
  }
}

interface FieldProps extends FieldFrameProps, Omit<ComponentProps<'input'>, 'id'> {
  /** A prefix such as +91. */
  before?: string
  /** A suffix such as a button or a `Unit`. */
  after?: ReactNode
}

/** A single-line input: text, a number, a date. */
export function Field({ id, label, hint, error, isRequired = false, before, after, ...input }: FieldProps) {
  const frame = { id, hint, error, isRequired }
  return (
    <FieldFrame {...frame} label={label}>
      <div className="flex gap-2 max-[20rem]:flex-wrap">
        {before && <Unit>{before}</Unit>}
        <Input {...framedBox(frame)} {...input} />
        {after}
      </div>
    </FieldFrame>
  )
}

/** An amount in rupees, with or without commas and paise; or in words; the server parses it (kit/time-money/amounts.ts). */
export const MoneyField = (field: FieldProps) => (
  <Field inputMode="decimal" autoComplete="off" maxLength={MAX_AMOUNT_TEXT} before="₹" {...field} />
)

/** The own password again, before an act that asks for it. */
export const OwnPasswordField = (field: Pick<FieldProps, 'id' | 'hint' | 'error' | 'className'>) => (
  <Field name="password" type="password" autoComplete="current-password" label={m.users_own_password()} {...field} />
)

interface Entered {
  typed?: Record<string, string>
  errors?: Record<string, string>
}

/** The props that all fields of a form share: an id that begins with the form's, the typed or stored text, the error. */
export const fieldsOf =
  (form: string, { typed = {}, errors = {} }: Entered = {}) =>
  (name: string, stored = '') => ({ id: `${form}-${name}`, name, defaultValue: typed[name] ?? stored, error: errors[name] })

/** A unit before or after an input: +91, ₹, kg. */
export const Unit = ({ children }: { children: ReactNode }) => (
  <span className="flex min-h-11 shrink-0 items-center rounded-control border border-line bg-husk-dark px-3 font-semibold">{children}</span>
)

/** The asterisk of "required fields (marked with *)". */
export const RequiredMark = () => (
  <span aria-hidden="true" className="text-brick">
    {' '}
    *
  </span>
)

export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null
  return (
    // Another error is another element: `useFocusOnError` may have hidden this one.
    <p key={error} id={`${id}-error`} className="mt-1 text-sm font-semibold text-brick">
      {error}
    </p>
  )
}

/** Screen readers read the error before the hint. */
export const describedBy = (id: string, hasHint: boolean, error: string | undefined) =>
  [error && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean).join(' ') || undefined
