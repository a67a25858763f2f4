import { m } from '#src/paraglide/messages.js'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'

interface Named {
  id: number
  name: string
}

const optionClass =
  'flex min-h-11 cursor-pointer items-center gap-2 rounded-control border border-line bg-white px-3 py-2 has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-3 has-focus-visible:outline-turmeric'

const Mark = () => (
  <span aria-hidden="true" className="text-brick">
    {' '}
    *
  </span>
)

interface RadiosProps {
  name: string
  /** Set where the name occurs several times on the page. */
  id?: string
  label: string
  options: Named[]
  typed: string | undefined
  error: string | undefined
  isRequired?: boolean
}

/** A few answers as large buttons. */
export function Radios({ name, id = name, label, options, typed, error, isRequired = false }: RadiosProps) {
  const errorId = `enquiry-${id}`
  return (
    <fieldset aria-describedby={describedBy(errorId, false, error)} aria-invalid={error !== undefined || undefined} className="min-w-0">
      <legend className="label">
        {label}
        {isRequired && <Mark />}
      </legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))] gap-2">
        {options.map((option, index) => (
          <label key={option.id} className={optionClass}>
            <input
              type="radio"
              name={name}
              value={option.id}
              defaultChecked={typed === String(option.id)}
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts the browser itself goes to the first wrong field
              autoFocus={(index === 0 && error !== undefined) || undefined}
              className="size-5 shrink-0 accent-leaf"
            />
            <span className="min-w-0">{option.name}</span>
          </label>
        ))}
      </div>
      <FieldError id={errorId} error={error} />
    </fieldset>
  )
}

interface ChoiceProps {
  name: string
  label: string
  options: Named[]
  /** What the empty answer means; '' where one must be given. */
  any: string
  typed: Record<string, string>
  errors: Record<string, string>
  hint?: string
  isRequired?: boolean
}

export function Choice({ name, label, any, typed, errors, isRequired = false, ...field }: ChoiceProps) {
  return (
    <SelectField
      {...field}
      id={`enquiry-${name}`}
      name={name}
      label={
        <>
          {label}
          {isRequired && <Mark />}
        </>
      }
      none={any || m.enquiry_choose()}
      defaultValue={typed[name] ?? ''}
      aria-required={isRequired || undefined}
      error={errors[name]}
    />
  )
}
