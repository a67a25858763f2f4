import type { CannedAnswer } from '#src/kit/text/canned-answers.ts'
import { m } from '#src/paraglide/messages.js'

/**
 * Ready answers above a text box: a tap puts one behind what is written there, to be changed before it is sent. Not shown without scripts,
 * where the box is filled by hand.
 */
export function CannedAnswers({ field, answers }: { /** The id of the box. */ field: string; answers: CannedAnswer[] }) {
  const add = (text: string) => {
    const box = document.getElementById(field) as HTMLTextAreaElement | null
    if (!box) return
    box.value = [box.value.trim(), text].filter(Boolean).join(' ')
    box.dispatchEvent(new Event('input', { bubbles: true }))
    box.focus()
  }
  return (
    <details className="noscript:hidden">
      <summary className="link inline-flex min-h-11 items-center font-semibold">{m.canned_title()}</summary>
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
    </details>
  )
}
