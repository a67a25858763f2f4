import { useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { VIEWS_BEFORE_PROMPT } from './rules.ts'
import { clickViews } from './view-counter.ts'

/** From the sixth product on, a courtesy and no lock: it can be put away, and the page stays readable beside it. */
export function LoginPrompt() {
  const to = useLocalPath()
  const [isShown, setShown] = useState(false)
  useEffect(() => setShown(clickViews() > VIEWS_BEFORE_PROMPT), [])
  useEffect(() => {
    if (!isShown) return
    const putAway = (event: KeyboardEvent) => event.key === 'Escape' && setShown(false)
    addEventListener('keydown', putAway)
    return () => removeEventListener('keydown', putAway)
  }, [isShown])
  if (!isShown) return null
  return (
    <section
      aria-labelledby="login-prompt"
      data-prompt
      className="fixed inset-x-3 bottom-44 z-30 short:static mx-auto max-w-md rounded-card border-2 border-leaf bg-paper p-4 shadow-card md:right-6 md:bottom-6 md:left-auto"
    >
      <h2 id="login-prompt" className="text-lg">
        {m.product_prompt_title()}
      </h2>
      <p className="mt-1">{m.product_prompt_text()}</p>
      <div className="mt-3 grid grid-cols-2 gap-2">
        <button type="button" className="button-plain" onClick={() => setShown(false)}>
          {m.product_prompt_later()}
        </button>
        <a href={to('/login')} className="button-primary">
          {m.frame_login()}
        </a>
      </div>
    </section>
  )
}
