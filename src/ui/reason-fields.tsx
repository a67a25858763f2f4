import { m } from '#src/paraglide/messages.js'
import { SelectField } from './select-field.tsx'
import { TextAreaField } from './text-area-field.tsx'

interface ReasonProps {
  id: string
  /** Says who reads the reason. */
  label: string
  reasons: readonly { id: string; name: string }[]
  /** The text box for own words. Missing when the reason is stored for good, where free text has no place. */
  own?: { name: string; label?: string; maxLength: number }
  refused: { typed: Record<string, string>; errors: Record<string, string> } | undefined
}

/** The reason why a desk ends something: one from the list, own words, or both. Works without scripts. */
export function ReasonFields({ id, label, reasons, own, refused }: ReasonProps) {
  const { typed = {}, errors = {} } = refused ?? {}
  return (
    <>
      <SelectField
        id={`${id}-reason`}
        name="reason"
        label={label}
        none={m.order_end_choose()}
        options={reasons}
        defaultValue={typed.reason ?? ''}
        error={errors.reason}
      />
      {own && (
        <TextAreaField
          id={`${id}-${own.name}`}
          name={own.name}
          rows={2}
          maxLength={own.maxLength}
          label={own.label ?? m.order_end_more()}
          defaultValue={typed[own.name]}
          error={errors[own.name]}
        />
      )}
    </>
  )
}
