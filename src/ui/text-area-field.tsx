import type { ComponentProps, ReactNode } from 'react'
import { describedBy, FieldFrame, framedBox, type FieldFrameProps } from './field.tsx'

interface TextAreaFieldProps extends FieldFrameProps, Omit<ComponentProps<'textarea'>, 'id'> {
  name: string
  rows: number
  maxLength: number
  /** Below the input and read together with it: how much of the limit is used. */
  note?: ReactNode
}

/** A multi-line input. `maxLength` counts UTF-16 units but the server counts characters, so it may exceed the limit. */
export function TextAreaField({ id, label, hint, error, isRequired = false, note, ...area }: TextAreaFieldProps) {
  const frame = { id, hint, error, isRequired }
  const described = [describedBy(id, hint !== undefined, error), note && `${id}-note`].filter(Boolean).join(' ')
  return (
    <FieldFrame {...frame} label={label}>
      <textarea {...framedBox(frame)} aria-describedby={described || undefined} {...area} className="field" />
      {note && <div id={`${id}-note`}>{note}</div>}
    </FieldFrame>
  )
}
