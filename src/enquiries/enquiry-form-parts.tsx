import { m } from '#src/paraglide/messages.js'
import { SelectField } from '#src/ui/select-field.tsx'

interface Named {
  id: number
  name: string
}

interface ChoiceProps {
  name: string
  label: string
  options: Named[]
  /** The text of the empty answer; '' when an answer is required. */
  any: string
  typed: Record<string, string>
  errors: Record<string, string>
  hint?: string
  isRequired?: boolean
}

export function Choice({ name, any, typed, errors, ...field }: ChoiceProps) {
  return (
    <SelectField
      {...field}
      id={`enquiry-${name}`}
      name={name}
      none={any || m.enquiry_choose()}
      defaultValue={typed[name] ?? ''}
      error={errors[name]}
    />
  )
}
