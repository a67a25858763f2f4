import type { ComponentProps } from 'react'

/** The bare list, as `Input` is the bare box (input.tsx). */
export const Select = ({ className, ...select }: ComponentProps<'select'>) => (
  <select {...select} className={className ? `field ${className}` : 'field'} />
)
