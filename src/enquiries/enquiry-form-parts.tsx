import { m } from '#src/paraglide/messages.js'
import { fieldsOf } from '#src/ui/field.tsx'
import { SelectField } from '#src/ui/select-field.tsx'

interface ChoiceProps {
  name: string
  label: string
  options: { id: number; name: string }[]
  /** The text of the empty answer; '' when an answer is required. */
  any: string
  typed: Record<string, string>
  errors: Record<string, string>
  hint?: string
  isRequired?: boolean
}

export function Choice({ name, any, typed, errors, ...field }: ChoiceProps) {
  return <SelectField {...field} {...fieldsOf('enquiry', { typed, errors })(name)} none={any || m.enquiry_choose()} />
}
