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
  <label className={`flex min-h-11 cursor-pointer items-center ${className}`}>
    <Tick {...input} />
    {children}
  </label>
)

/** Only the box: for a label that is built otherwise. */
export const Tick = ({ tick = '', ...input }: ComponentProps<'input'> & { tick?: string | undefined }) => (
  <input {...input} className={`tick ${tick}`} />
)
