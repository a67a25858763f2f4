import { createContext, use, useRef, type ComponentProps, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { plainFigures } from '#src/listings/typed-figures.ts'
import { describedBy } from '#src/ui/field.tsx'
import type { Typed } from './draft-fields.ts'

/** The state of a listing's form: what was typed, what is wrong with it, and whether scripts run. */
interface ListingFormState {
  typed: Typed
  errors: Record<string, string>
  isAlive: boolean
  /** For values that a button writes into a field; the form handles them like typed text. */
  write(name: string, text: string): void
}

export const ListingForm = createContext<ListingFormState>({ typed: {}, errors: {}, isAlive: false, write: () => {} })

/** One section: a heading, and the questions that belong to it. */
export function Step({ id, title, hint, children }: { id: string; title: string; hint?: string; children: ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="panel grid min-w-0 gap-4 p-4 sm:p-5">
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

/** Asterisk and all: "required fields (marked with *)". */
function Label({ name, label, isRequired }: QuestionProps) {
  return (
    <label htmlFor={idOf(name)} className="label">
      {label}
      {isRequired && <Star />}
    </label>
  )
}

export const Star = () => (
  <span aria-hidden="true" className="text-brick">
    {' '}
    *
  </span>
)

function Frame({ children, ...question }: QuestionProps & { children: ReactNode }) {
  const { errors } = use(ListingForm)
  const { name, hint } = question
  return (
    <div className="min-w-0">
      <Label {...question} />
      {hint && (
        <p id={`${idOf(name)}-hint`} className="-mt-0.5 mb-1 text-sm text-stone">
          {hint}
        </p>
      )}
      {children}
      <Wrong name={name} error={errors[name]} />
    </div>
  )
}

export function Wrong({ name, error }: { name: string; error: string | undefined }) {
  if (!error) return null
  return (
    <p id={`${idOf(name)}-error`} className="mt-1 font-semibold text-brick">
      {error}
    </p>
  )
}

/** Attributes of a box: its name, what was typed, what is wrong. */
function useBox({ name, hint, isRequired }: QuestionProps) {
  const { typed, errors } = use(ListingForm)
  const error = errors[name]
  const isFirst = error !== undefined && Object.keys(errors)[0] === name
  return {
    id: idOf(name),
    name,
    defaultValue: typed[name] ?? '',
    'aria-required': isRequired || undefined,
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': describedBy(idOf(name), hint !== undefined, error),
    // Before scripts run; after them the page does it.
    autoFocus: isFirst || undefined,
    className: 'field aria-invalid:border-2 aria-invalid:border-brick',
  }
}

export function TextQuestion({
  before,
  after,
  ...rest
}: QuestionProps & { before?: string; after?: string } & Omit<ComponentProps<'input'>, 'name'>) {
  const { name, label, hint, isRequired, ...input } = rest
  const box = useBox({ name, label, hint, ...(isRequired && { isRequired }) })
  return (
    <Frame {...{ name, label, hint, ...(isRequired && { isRequired }) }}>
      <div className="flex items-stretch gap-2">
        {before && <Unit>{before}</Unit>}
        <input {...box} autoComplete="off" {...input} />
        {after && <Unit>{after}</Unit>}
      </div>
    </Frame>
  )
}

const Unit = ({ children }: { children: string }) => (
  <span className="flex min-h-11 shrink-0 items-center rounded-control border border-line bg-husk-dark px-3 font-semibold">{children}</span>
)

export function LongQuestion({ rows, maxLength, ...question }: QuestionProps & { rows: number; maxLength: number }) {
  const box = useBox(question)
  return (
    <Frame {...question}>
      <textarea {...box} rows={rows} maxLength={maxLength} />
    </Frame>
  )
}

export function ChoiceQuestion({ options, ...question }: QuestionProps & { options: { id: number | string; name: string }[] }) {
  const box = useBox(question)
  return (
    <Frame {...question}>
      <select {...box}>
        <option value="">{m.sell_choose()}</option>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** A few answers as large buttons. */
export function RadioQuestion({ options, ...question }: QuestionProps & { options: { id: number; name: string }[] }) {
  const { typed, errors } = use(ListingForm)
  const { name, label, isRequired } = question
  const error = errors[name]
  return (
    <fieldset aria-describedby={error && `${idOf(name)}-error`} aria-invalid={error !== undefined || undefined} className="min-w-0">
      <legend className="label">
        {label}
        {isRequired && <Star />}
      </legend>
      <div className="flex flex-wrap gap-2 *:flex-auto sm:grid sm:grid-cols-2">
        {options.map((option) => (
          <label key={option.id} className={optionClass}>
            <input
              type="radio"
              name={name}
              value={option.id}
              defaultChecked={typed[name] === String(option.id)}
              className="size-5 shrink-0 accent-leaf"
            />
            <span className="min-w-0">{option.name}</span>
          </label>
        ))}
      </div>
      <Wrong name={name} error={error} />
    </fieldset>
  )
}

export const optionClass =
  'flex min-h-11 cursor-pointer items-center gap-2 rounded-control border border-line bg-white px-3 py-2 has-checked:border-leaf has-checked:bg-leaf-soft has-focus-visible:outline-3 has-focus-visible:outline-turmeric'

/** A number with a plus and a minus for thumbs; without scripts a plain box. */
export function CountQuestion({
  min,
  max,
  step = 1,
  after,
  ...question
}: QuestionProps & { min: number; max: number; step?: number; after?: string }) {
  const { isAlive, write } = use(ListingForm)
  const box = useBox(question)
  const input = useRef<HTMLInputElement>(null)
  const change = (by: number) => {
    const now = Number(plainFigures(input.current?.value ?? '') || (by > 0 ? min - by : min))
    if (Number.isFinite(now)) write(question.name, String(Math.min(max, Math.max(min, now + by))))
  }
  return (
    <Frame {...question}>
      <div className="flex items-stretch gap-2">
        {isAlive && <StepButton label={`− ${question.label}`} sign="−" onClick={() => change(-step)} />}
        <input
          {...box}
          ref={input}
          inputMode={step < 1 ? 'decimal' : 'numeric'}
          autoComplete="off"
          maxLength={7}
          className={`${box.className} text-center`}
        />
        {after && <Unit>{after}</Unit>}
        {isAlive && <StepButton label={`+ ${question.label}`} sign="+" onClick={() => change(step)} />}
      </div>
    </Frame>
  )
}

function StepButton({ label, sign, onClick }: { label: string; sign: string; onClick: () => void }) {
  return (
    <button type="button" aria-label={label} onClick={onClick} className="button-plain min-w-12 shrink-0 px-0 text-2xl leading-none">
      {sign}
    </button>
  )
}

export function TickQuestion({ name, label, hint }: QuestionProps) {
  const { typed, errors } = use(ListingForm)
  const error = errors[name]
  return (
    <div>
      <label className={`${optionClass} items-start`}>
        <input
          type="checkbox"
          name={name}
          value="1"
          defaultChecked={typed[name] === '1'}
          aria-required
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy(idOf(name), hint !== undefined, error)}
          className="mt-0.5 size-6 shrink-0 accent-leaf"
        />
        <span>
          {label}
          <Star />
        </span>
      </label>
      {hint && (
        <p id={`${idOf(name)}-hint`} className="mt-1 text-sm text-stone">
          {hint}
        </p>
      )}
      <Wrong name={name} error={error} />
    </div>
  )
}
