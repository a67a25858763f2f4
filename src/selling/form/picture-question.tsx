import { use, type ReactNode } from 'react'
import { ChoiceQuestion, ListingForm } from './form-parts.tsx'

interface PictureQuestionProps {
  name: string
  label: string
  hint?: string
  options: { id: number | string; name: string; picture: ReactNode }[]
}

/** A choice with a picture of each answer, for people who know the animal better than the word. Without scripts the pictures explain only. */
export function PictureQuestion({ options, ...question }: PictureQuestionProps) {
  const { typed, isAlive, write } = use(ListingForm)
  const box = 'flex h-full w-full flex-col items-center gap-1 rounded-control border border-line bg-field p-2 text-center text-sm'
  return (
    <div className="grid gap-3">
      <ChoiceQuestion {...question} options={options} />
      <ul className="grid grid-cols-2 gap-2 xs:grid-cols-3 sm:grid-cols-5">
        {options.map(({ id, name, picture }) => (
          <li key={id} className="max-xs:last:odd:col-span-2">
            {isAlive ? (
              <button
                type="button"
                aria-pressed={typed[question.name] === String(id)}
                onClick={() => write(question.name, String(id))}
                className={`${box} cursor-pointer hover:border-leaf aria-pressed:border-leaf aria-pressed:bg-leaf-soft`}
              >
                {picture}
                <span>{name}</span>
              </button>
            ) : (
              <div className={box}>
                {picture}
                <span>{name}</span>
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
