import type { ComponentProps, ReactNode } from 'react'
import { FieldFrame, framedBox, type FieldFrameProps } from './field.tsx'
import { Select } from './select.tsx'

interface SelectFieldProps extends FieldFrameProps, Omit<ComponentProps<'select'>, 'id' | 'children'> {
  /** The text of the empty option, which comes first. Without it, one of the options is always selected. */
  none?: string
  options?: readonly { id: number | string; name: string }[]
  /** Replaces `options` when they are grouped. */
  children?: ReactNode
}

export function SelectField({ id, label, hint, error, isRequired = false, none, options = [], children, ...select }: SelectFieldProps) {
  const frame = { id, hint, error, isRequired }
  return (
    <FieldFrame {...frame} label={label}>
      <Select {...framedBox(frame)} {...select}>
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
        {children}
      </Select>
    </FieldFrame>
  )
}
