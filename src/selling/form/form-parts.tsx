import { createContext, use, useRef, useState, type ComponentProps, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { describedBy, Field, FieldError, FieldFrame, framedBox, RequiredMark, Unit } from '#src/ui/field.tsx'
import { Tick } from '#src/ui/choice.tsx'
import { ChoiceCard } from '#src/ui/radio-cards.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { StepButton, Stepper } from '#src/ui/stepper.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { wordsBehind } from '../paste/understood.ts'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'

/** The state of a listing's form: what was typed, what is wrong with it, and whether scripts run. */
interface ListingFormState {
  typed: Typed
  errors: Record<string, string>
  isAlive: boolean
  /** For values that a button writes into a field; the form handles them like typed text. */
  write(name: string, text: string): void
}

export const ListingForm = createContext<ListingFormState>({ typed: {}, errors: {}, isAlive: false, write: () => {} })

/** A heading, and the questions that belong to it. */
export function Section({ id, title, hint, children }: { id: string; title: string; hint?: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="form-panel sm:p-5">
      <div>
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        {hint && <p className="text-sm text-stone">{hint}</p>}
      </div>
      {children}
    </section>
  )
}

interface QuestionProps {
  name: string
  label: string
  hint?: ReactNode
  isRequired?: boolean
}

const idOf = (name: string) => `listing-${name}`

/** A question as a field of ui/: its name, what was typed, what is wrong. */
function useField({ name, label, hint, isRequired = false }: QuestionProps) {
  const { typed, errors } = use(ListingForm)
  const error = errors[name]
  const isFirst = error !== undefined && Object.keys(errors)[0] === name
  // Before scripts run the browser goes to the first wrong field; after them the page does it.
  const words = wordsBehind(typed, name)
  const hints = words === null ? hint : <UnderstoodHint hint={hint} words={words} />
  return { id: idOf(name), name, label, hint: hints, error, isRequired, defaultValue: typed[name] ?? '', autoFocus: isFirst || undefined }
}

/** Says that the answer was read in the seller's own message, and where. */
const UnderstoodHint = ({ hint, words }: { hint: ReactNode; words: string }) => (
  <>
    {hint} <span className="block font-semibold text-leaf">{m.sell_paste_from({ words })}</span>
  </>
)

export function TextQuestion({
  after,
  ...rest
}: QuestionProps & { before?: string; after?: string } & Omit<ComponentProps<'input'>, 'name'>) {
  const { name, label, hint, isRequired, ...input } = rest
  const field = useField({ name, label, hint, ...(isRequired && { isRequired }) })
  return <Field {...field} autoComplete="off" {...input} after={after && <Unit>{after}</Unit>} />
}

export function LongQuestion({
  name,
  label,
  hint,
  isRequired = false,
  ...area
}: QuestionProps & { rows: number; maxLength: number } & Omit<ComponentProps<'textarea'>, 'name'>) {
  return <TextAreaField {...useField({ name, label, hint, isRequired })} {...area} />
}

export const ChoiceQuestion = ({ options, ...question }: QuestionProps & { options: { id: number | string; name: string }[] }) => (
  <SelectField {...useField(question)} none={m.sell_choose()} options={options} />
)

interface PictureQuestionProps extends QuestionProps {
  /** Without a picture they are short words. */
  options: { id: number | string; name: string; picture?: ReactNode }[]
  /** The legend only for screen readers, where a headline says the same. */
  hasHiddenLegend?: boolean
}

/** Takes an answer back. */
export const notKnown = () => ({ id: '', name: m.sell_not_known() })

/** One of many as cards, all in sight. What was chosen before stands first. */
export function PictureQuestion({ options, hasHiddenLegend, ...question }: PictureQuestionProps) {
  const { id, name, label, hint, error, isRequired, defaultValue } = useField(question)
  const [first] = useState(defaultValue)
  const isFirst = (id: number | string) => Number(first !== '' && String(id) === first)
  return (
    <fieldset
      aria-invalid={error !== undefined || undefined}
      aria-describedby={describedBy(id, hint !== undefined, error)}
      className="min-w-0"
    >
      <legend className={hasHiddenLegend ? 'sr-only' : 'label'}>
        {label}
        {isRequired && <RequiredMark />}
      </legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-1 text-sm text-stone">
          {hint}
        </p>
      )}
      <div
        className={`gap-1.5 py-1 sm:gap-2 ${options.some(({ picture }) => picture) ? '-mx-2 grid grid-cols-3 sm:mx-0 sm:flex sm:flex-wrap' : 'flex flex-wrap'}`}
      >
        {options
          .toSorted((a, b) => isFirst(b.id) - isFirst(a.id))
          .map((option) => (
            <PictureCard key={option.id} name={name} option={option} isChosen={String(option.id) === defaultValue} />
          ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

function PictureCard({ name, option, isChosen }: { name: string; option: PictureQuestionProps['options'][number]; isChosen: boolean }) {
  const look = option.picture
    ? 'flex-col justify-start max-sm:text-[0.8125rem] max-sm:px-0 sm:w-30 gap-1 p-1 text-sm leading-tight'
    : 'justify-center px-4'
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- Tick is its control
    <label
      className={`relative flex min-h-11 min-w-0 cursor-pointer items-center rounded-control border-2 border-line bg-field text-center font-semibold has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-3 has-focus-visible:outline-turmeric ${look}`}
    >
      <Tick
        type="radio"
        name={name}
        value={option.id}
        defaultChecked={isChosen}
        tick="absolute inset-0 z-1 m-0 h-full w-full cursor-pointer opacity-0"
      />
      {option.picture}
      <span className="max-w-full break-words">{option.name}</span>
    </label>
  )
}

/** A number with a plus and a minus for thumbs; without scripts a plain box. */
export function CountQuestion({
  min,
  max,
  step = 1,
  after,
  ...question
}: QuestionProps & { min: number; max: number; step?: number; after?: string }) {
  const { isAlive, write } = use(ListingForm)
  const { label, ...field } = useField(question)
  const box = { ...framedBox(field), autoFocus: field.autoFocus }
  const input = useRef<HTMLInputElement>(null)
  const change = (by: number) => {
    const now = Number(plainFigures(input.current?.value ?? '') || (by > 0 ? min - by : min))
    const next = Math.round((now + by) / step) * step
    if (Number.isFinite(now)) write(question.name, String(Math.min(max, Math.max(min, next))))
  }
  const button = (sign: '+' | '−', by: number) =>
    isAlive && <StepButton type="button" sign={sign} aria-label={`${sign} ${label}`} onClick={() => change(by)} />
  return (
    <FieldFrame {...field} label={label}>
      <div className="flex items-center gap-2">
        <Stepper
          {...box}
          ref={input}
          name={field.name}
          defaultValue={field.defaultValue}
          inputMode={step < 1 ? 'decimal' : 'numeric'}
          autoComplete="off"
          maxLength={7}
          className="w-24"
          less={button('−', -step)}
          more={button('+', step)}
        />
        {after && <Unit>{after}</Unit>}
      </div>
    </FieldFrame>
  )
}

export function TickQuestion({ name, label, hint }: QuestionProps) {
  const { typed, errors } = use(ListingForm)
  const error = errors[name]
  const id = idOf(name)
  return (
    <div>
      <ChoiceCard
        type="checkbox"
        name={name}
        value="1"
        defaultChecked={typed[name] === '1'}
        aria-required
        aria-invalid={error !== undefined || undefined}
        aria-describedby={describedBy(id, hint !== undefined, error)}
        className="items-start"
        tick="mt-0.5 size-6"
      >
        {label}
        <RequiredMark />
      </ChoiceCard>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-stone">
          {hint}
        </p>
      )}
      <FieldError id={id} error={error} />
    </div>
  )
}
