import type { ReactNode } from 'react'
import { Tick, type ChoiceProps } from './choice.tsx'
import { describedBy, FieldError, RequiredMark } from './field.tsx'

export interface RadioOption {
  id: number | string
  name: ReactNode
  /** Under the name, smaller. */
  more?: ReactNode
  /** Of the card, such as another colour when it is chosen. */
  className?: string
  /** Of its radio button. */
  tick?: string
}

interface RadioCardsProps {
  /** Unlike any other on the page; hint and error are named after it. */
  id: string
  /** What is sent. */
  name: string
  legend: ReactNode
  hint?: ReactNode
  options: readonly RadioOption[]
  /** The option that is chosen at first; none is when it is undefined or no option. */
  chosen?: number | string | null | undefined
  onChoose?: (id: RadioOption['id']) => void
  error?: string | undefined
  isRequired?: boolean
  /** How the cards stand: the columns of a grid. */
  columns?: string
  /** Of every card. */
  card?: string
  /** The legend only for screen readers, where a headline says the same. */
  hasHiddenLegend?: boolean
  /** What depends on the choice, between the cards and what is wrong with it. */
  children?: ReactNode
}

/** A few answers, all of them visible, one of them to be chosen. */
export function RadioCards(props: RadioCardsProps) {
  const { id, name, legend, hint, options, chosen, onChoose, error, isRequired, columns = '', card = '', hasHiddenLegend, children } = props
  return (
    <fieldset
      aria-invalid={error !== undefined || undefined}
      aria-describedby={describedBy(id, hint !== undefined, error)}
      className="min-w-0"
    >
      <legend className={hasHiddenLegend ? 'sr-only' : 'label'}>
        {legend}
        {isRequired && <RequiredMark />}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-stone">
          {hint}
        </p>
      )}
      <div className={`grid gap-2 ${columns}`}>
        {options.map((option, index) => (
          <ChoiceCard
            key={option.id}
            type="radio"
            name={name}
            value={option.id}
            defaultChecked={String(option.id) === String(chosen ?? NaN)}
            onChange={onChoose && (() => onChoose(option.id))}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts the browser itself goes to the first wrong field
            autoFocus={(index === 0 && error !== undefined) || undefined}
            className={option.className ?? card}
            tick={option.tick}
          >
            {option.name}
            {option.more && <span className="block text-sm text-stone">{option.more}</span>}
          </ChoiceCard>
        ))}
      </div>
      {children}
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

/** A choice whose frame and ground show that it is taken. */
export const ChoiceCard = ({ className = '', children, ...input }: ChoiceProps) => (
  <label className={`choice-card ${className}`}>
    <Tick {...input} />
    <span className="min-w-0">{children}</span>
  </label>
)
