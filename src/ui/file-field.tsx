import type { ComponentProps } from 'react'
import { FieldFrame, framedBox, type FieldFrameProps } from './field.tsx'

interface FileFieldProps extends FieldFrameProps, Omit<ComponentProps<'input'>, 'id'> {
  name: string
}

/** Photographs from the phone: JPEG or PNG. */
export function FileField({ id, label, hint, error, isRequired = false, ...input }: FileFieldProps) {
  const frame = { id, hint, error, isRequired }
  return (
    <FieldFrame {...frame} label={label}>
      <input
        type="file"
        accept="image/jpeg,image/png"
        {...framedBox(frame)}
        {...input}
        className="min-h-11 w-full text-sm file:mr-2 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-leaf file:bg-paper file:px-3 file:font-semibold file:text-leaf"
      />
    </FieldFrame>
  )
}
