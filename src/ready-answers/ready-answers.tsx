import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import type { AnswerDesk } from './tables.ts'

/** `label` is in the admin's language, `text` in the receiver's. */
export interface ReadyAnswer {
  label: string
  text: string
}

interface Props {
  /** Id of the text box. */
  field: string
  answers: ReadyAnswer[]
  /** The desk whose admins may change the answers; missing for fixed answers. */
  desk?: AnswerDesk
}

/** Ready answers above a text box: a tap appends one to the text, for editing before it is sent. Hidden without scripts. */
export function ReadyAnswers({ field, answers, desk }: Props) {
  const to = useLocalPath()
  const add = (text: string) => {
    const box = document.getElementById(field) as HTMLTextAreaElement | null
    if (!box) return
    box.value = [box.value.trim(), text].filter(Boolean).join(' ')
    box.dispatchEvent(new Event('input', { bubbles: true }))
    box.focus()
  }
  return (
    <details className="noscript:hidden">
      <summary className="tap-link font-semibold">{m.answers_ready()}</summary>
      <ul className="space-y-1.5">
        {answers.map(({ label, text }) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => add(text)}
              className="min-h-11 w-full cursor-pointer rounded-control border border-line bg-field px-3 py-2 text-left text-sm hover:border-leaf hover:bg-leaf-soft"
            >
              {label}
              {label !== text && <span className="block text-stone">{text}</span>}
            </button>
          </li>
        ))}
      </ul>
      {desk && (
        <a href={to(`/admin/answers?desk=${desk}`)} className="tap-link text-sm">
          {m.answers_change()}
        </a>
      )}
    </details>
  )
}
