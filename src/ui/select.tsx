import type { ComponentProps } from 'react'

/** The select only, like `Input` (input.tsx). */
export const Select = ({ className, ...select }: ComponentProps<'select'>) => (
  <select {...select} className={className ? `field ${className}` : 'field'} />
)
