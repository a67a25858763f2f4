import type { ComponentProps, ReactNode } from 'react'

interface StepperProps extends ComponentProps<'input'> {
  /** The buttons for one less and one more; left out where nothing answers them. */
  less?: ReactNode
  more?: ReactNode
}

/** A number between a minus and a plus, for thumbs. */
export const Stepper = ({ less, more, ...input }: StepperProps) => (
  <span className="inline-flex items-stretch overflow-hidden rounded-control border border-stone/60 bg-white">
    {less}
    <input
      {...input}
      className="min-h-11 w-16 [appearance:textfield] border-x border-stone/60 text-center text-base font-semibold [&::-webkit-inner-spin-button]:appearance-none"
    />
    {more}
  </span>
)

interface StepButtonProps extends ComponentProps<'button'> {
  sign: '+' | '−'
  type: 'button' | 'submit'
  'aria-label': string
}

export const StepButton = ({ sign, ...button }: StepButtonProps) => (
  <button
    {...button}
    className="grid min-h-11 w-11 cursor-pointer place-items-center text-xl font-bold text-leaf hover:bg-leaf-soft disabled:cursor-default disabled:text-stone/50"
  >
    <span aria-hidden="true">{sign}</span>
  </button>
)
