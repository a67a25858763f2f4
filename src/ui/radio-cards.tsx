import { useEffect, useRef, type ReactNode } from 'react'
import { Tick, type ChoiceProps } from './choice.tsx'
import { describedBy, FieldError, RequiredMark } from './field.tsx'

interface RadioOption {
  id: number | string
  name: ReactNode
  /** Smaller text under the name. */
  more?: ReactNode
  /** For the card, such as another colour when it is chosen. */
  className?: string
  /** For its radio button. */
  tick?: string
}

interface RadioCardsProps {
  /** Unique within the page; the ids of hint and error derive from it. */
  id: string
  /** The form field's name. */
  name: string
  legend: ReactNode
  hint?: ReactNode
  options: readonly RadioOption[]
  /** The initially chosen option; none if undefined or unknown. */
  chosen?: number | string | null | undefined
  onChoose?: (id: RadioOption['id']) => void
  error?: string | undefined
  isRequired?: boolean
  /** The grid columns of the cards. */
  columns?: string
  /** For every card. */
  card?: string
  /** Shows the legend to screen readers only, because a headline says the same. */
  hasHiddenLegend?: boolean
  /** Content that depends on the choice, between the cards and the error. */
  children?: ReactNode
}

/** A radio group whose options are all visible as cards. */
export function RadioCards(props: RadioCardsProps) {
  const { id, name, legend, hint, options, chosen, onChoose, error, isRequired, columns = '', card = '', hasHiddenLegend, children } = props
  const group = useRef<HTMLFieldSetElement>(null)
  // A person may have chosen before the scripts loaded.
  useEffect(() => {
    const chosenEarly = group.current?.querySelector<HTMLInputElement>('input:checked')
    if (chosenEarly) onChoose?.(chosenEarly.value)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, [])
  return (
    <fieldset
      ref={group}
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
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts, the browser focuses the first wrong field
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

/** A choice whose border and background show that it is selected. */
export const ChoiceCard = ({ className = '', children, ...input }: ChoiceProps) => (
  <label className={`choice-card ${className}`}>
    <Tick {...input} />
    <span className="min-w-0">{children}</span>
  </label>
)
