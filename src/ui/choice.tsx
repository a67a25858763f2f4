import type { ComponentProps, ReactNode } from 'react'

export interface ChoiceProps extends ComponentProps<'input'> {
  type: 'radio' | 'checkbox'
  /** For the label around it. */
  className?: string
  /** For the input itself. */
  tick?: string | undefined
  children: ReactNode
}

/** A checkbox or radio button with its text; the whole label is the target. */
export const Choice = ({ className = 'gap-3', children, ...input }: ChoiceProps) => (
  <label className={`choice ${className}`}>
    <Tick {...input} />
    {children}
  </label>
)

/** The input only, for labels with another layout. `tick={null}` where the stylesheet styles all inputs of an area. */
export const Tick = ({ tick, ...input }: ComponentProps<'input'> & { tick?: string | null | undefined }) => (
  <input {...input} className={tick === null ? undefined : tick ? `tick ${tick}` : 'tick'} />
)
