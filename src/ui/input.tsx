import type { ComponentProps } from 'react'

/** The bare box, for where its label stands elsewhere on the page; `Field` (field.tsx) brings label, hint and error. */
export const Input = ({ className, ...input }: ComponentProps<'input'>) => (
  <input {...input} className={className ? `field ${className}` : 'field'} />
)
