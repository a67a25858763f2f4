/**
 * Turns links into toggle buttons by script. Without the script they lead to a page that does the same. Returns a function that removes the
 * listeners.
 */
export function answerToggles(selector: string, press: (toggle: HTMLElement) => void): () => void {
  const toggleOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>(selector) : null)
  const stop = new AbortController()
  const { signal } = stop
  const click = (event: MouseEvent) => {
    const toggle = toggleOf(event)
    if (!toggle || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    press(toggle)
  }
  // This link acts as a button, so the space bar must press it too.
  const pressSpace = (event: KeyboardEvent) => {
    if (event.key !== ' ' || !toggleOf(event)) return
    event.preventDefault()
    toggleOf(event)!.click()
  }
  document.addEventListener('click', click, { signal })
  document.addEventListener('keydown', pressSpace, { signal })
  return () => stop.abort()
}

export function showToggle(toggle: HTMLElement, isPressed: boolean): void {
  toggle.role = 'button'
  toggle.ariaPressed = String(isPressed)
}

export const isPressed = (toggle: HTMLElement): boolean => toggle.getAttribute('aria-pressed') === 'true'
