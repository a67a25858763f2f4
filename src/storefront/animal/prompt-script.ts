import { VIEWS_BEFORE_PROMPT } from '#src/listings/life/rules.ts'
import { clickViews } from './view-counter.ts'

/** Shows the login prompt from the sixth product page on; its button and Escape close it (login-prompt.tsx). */
export function startPrompt(): void {
  const prompt = document.querySelector<HTMLElement>('[data-prompt]')
  if (!prompt || clickViews() <= VIEWS_BEFORE_PROMPT) return
  prompt.hidden = false
  const putAway = () => (prompt.hidden = true)
  prompt.querySelector('[data-later]')!.addEventListener('click', putAway)
  addEventListener('keydown', ({ key }) => key === 'Escape' && putAway())
}
