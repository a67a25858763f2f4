import type { ComponentProps } from 'react'

/** The input only, where its label is elsewhere on the page. `Field` (field.tsx) adds label, hint and error. */
export const Input = ({ className, ...input }: ComponentProps<'input'>) => (
  <input {...input} className={className ? `field ${className}` : 'field'} />
)
