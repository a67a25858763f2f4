import type { ComponentProps, ReactNode } from 'react'

export interface ChoiceProps extends ComponentProps<'input'> {
  type: 'radio' | 'checkbox'
  /** Of the label around it. */
  className?: string
  /** Of the box itself. */
  tick?: string | undefined
  children: ReactNode
}

/** A box to tick, or one of several, with its words beside it: a tap on either counts. */
export const Choice = ({ className = 'gap-3', children, ...input }: ChoiceProps) => (
  <label className={`choice ${className}`}>
    <Tick {...input} />
    {children}
  </label>
)

/** Only the box: for a label that is built otherwise. `tick={null}` where the stylesheet says it of all boxes around it. */
export const Tick = ({ tick, ...input }: ComponentProps<'input'> & { tick?: string | null | undefined }) => (
  <input {...input} className={tick === null ? undefined : tick ? `tick ${tick}` : 'tick'} />
)
