/** Turns links into toggle buttons by script. Without the script they lead to a page that does the same. */
export function answerToggles(selector: string, press: (toggle: HTMLElement) => void): void {
  const toggleOf = ({ target }: Event) => (target instanceof Element ? target.closest<HTMLElement>(selector) : null)
  document.addEventListener('click', (event) => {
    const toggle = toggleOf(event)
    if (!toggle || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    press(toggle)
  })
  // This link acts as a button, so the space bar must press it too.
  document.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || !toggleOf(event)) return
    event.preventDefault()
    toggleOf(event)!.click()
  })
}

export function showToggle(toggle: HTMLElement, isPressed: boolean): void {
  toggle.role = 'button'
  toggle.ariaPressed = String(isPressed)
}

export const isPressed = (toggle: HTMLElement): boolean => toggle.getAttribute('aria-pressed') === 'true'
