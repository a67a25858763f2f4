import { Fragment, type ComponentType } from 'react'
import { fieldTable, type Field, type FieldTable, type NumberField } from '#src/listings/fields/field-table.ts'
import { CountQuestion, notKnown, PictureQuestion } from './form-parts.tsx'
import { TapeQuestion } from './tape-question.tsx'
import { TeethQuestion } from './teeth-question.tsx'

interface StepProps {
  step: Field['question']['step']
  categoryId: number
  ages: { id: number; name: string }[]
  table?: FieldTable
}

/**
 * The questions of the field table that this step puts to such an animal. Those for females alone are opened by the style sheet, so that they
 * need no script.
 */
export function FactQuestions({ step, categoryId, ages, table = fieldTable }: StepProps) {
  const runs = asked(step, categoryId, table).reduce<[string, Field][][]>((groups, entry) => {
    const last = groups.at(-1)
    if (last && last[0]![1].asked.sex === entry[1].asked.sex) last.push(entry)
    else groups.push([entry])
    return groups
  }, [])
  return runs.map((run) => {
    const [
      first,
      {
        asked: { sex },
      },
    ] = run[0]!
    const questions = run.map(([name, field]) => <FactQuestion key={name} name={name} field={field} categoryId={categoryId} ages={ages} />)
    if (sex === undefined) return <Fragment key={first}>{questions}</Fragment>
    return (
      <div key={first} className="hidden gap-4 group-has-[input[name=genderId][value='0']:checked]/form:grid sm:grid-cols-2">
        {questions}
      </div>
    )
  })
}

/** The facts that this step asks of such an animal. */
export const factNames = (step: StepProps['step'], categoryId: number, table: FieldTable): string[] =>
  asked(step, categoryId, table).map(([name]) => name)

const asked = (step: StepProps['step'], categoryId: number, table: FieldTable): [string, Field][] =>
  Object.entries(table).filter(([, field]) => field.question.step === step && field.asked.of.includes(categoryId))

interface QuestionProps extends Pick<StepProps, 'categoryId' | 'ages'> {
  name: string
  field: Field
}

function FactQuestion({ name, field, ...animal }: QuestionProps) {
  if (field.kind !== 'choice') {
    const Control = controls[field.question.control]
    return <Control name={name} field={field} {...animal} />
  }
  const { label, hint } = field.question
  const options = Object.entries(field.choices).map(([id, choice]) => ({
    id,
    name: choice.label(),
    picture: (
      <svg viewBox="0 0 48 48" aria-hidden="true" className="size-12 fill-none stroke-ink stroke-2">
        <path d={choice.picture} />
      </svg>
    ),
  }))
  return <PictureQuestion name={name} label={label()} {...(hint && { hint: hint() })} options={[...options, notKnown()]} />
}

const controls: Record<NumberField['question']['control'], ComponentType<QuestionProps & { field: NumberField }>> = {
  stepper: StepperQuestion,
  teeth: TeethQuestion,
  tape: TapeQuestion,
  part: () => null,
}

function StepperQuestion({ name, field }: QuestionProps & { field: NumberField }) {
  const { label, hint, unit } = field.question
  return (
    <CountQuestion
      name={name}
      label={label()}
      {...(hint && { hint: hint() })}
      {...(unit && { after: unit() })}
      {...(field.step && { step: field.step })}
      min={field.min}
      max={field.max}
    />
  )
}
