import type { ComponentProps, ReactNode } from 'react'

interface StepperProps extends ComponentProps<'input'> {
  /** The minus and plus buttons; omitted where no script handles them. */
  less?: ReactNode
  more?: ReactNode
}

/** A number between a minus and a plus button. `className` sets the width of the number. */
export const Stepper = ({ less, more, className = 'w-16 max-[20rem]:w-8', ...input }: StepperProps) => (
  <span className="inline-flex items-stretch overflow-hidden rounded-control border border-stone/60 bg-field has-focus-visible:shadow-[0_0_0_2px_var(--color-ink)] has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-turmeric has-aria-invalid:border-2 has-aria-invalid:border-brick">
    {less}
    <input
      {...input}
      className={`min-h-11 [appearance:textfield] text-center text-base font-semibold focus-visible:shadow-none focus-visible:outline-none [&::-webkit-inner-spin-button]:appearance-none ${less ? 'border-x border-stone/60' : ''} ${className}`}
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
