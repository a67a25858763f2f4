/** How long a carousel shows each slide (spec B, home). */
const ROTATE_EVERY_MS = 5000
/** A row counts as at rest after this long without scrolling. */
const AT_REST_AFTER_MS = 120

const lessMotion = () => matchMedia('(prefers-reduced-motion: reduce)')

export const startCarousels = () => document.querySelectorAll<HTMLElement>('[data-carousel]').forEach(startCarousel)

/**
 * Advances a row of slides (carousel.tsx), each as wide as the row. It pauses while somebody points at it, has the focus in it or has stopped it, and
 * while it is off-screen. It does not start by itself when the reader prefers reduced motion. Swiping works without this script.
 */
function startCarousel(carousel: HTMLElement): void {
  const row = carousel.querySelector<HTMLElement>('[data-slides]')!
  const part = (name: string) => carousel.querySelector<HTMLElement>(`[data-carousel-${name}]`)!
  const dots = [...part('dots').children] as HTMLElement[]
  const count = dots.length
  const state = { current: 0, isPlaying: true, isSeen: false, isPointedAt: false, isFocused: false }
  /** The target of a scripted scroll. Until it is reached, slides on the way do not count as current. */
  let goal: number | null = null
  let timer = 0

  const draw = () => {
    const isRunning = state.isPlaying && state.isSeen && !state.isPointedAt && !state.isFocused
    dots.forEach((dot, index) => dot.toggleAttribute('data-current', index === state.current))
    const toggle = part('toggle')
    toggle.toggleAttribute('data-playing', state.isPlaying)
    toggle.setAttribute('aria-label', toggle.dataset[state.isPlaying ? 'pause' : 'play']!)
    const position = part('position')
    position.ariaLive = isRunning ? 'off' : 'polite'
    position.textContent = (row.children[state.current] as HTMLElement).ariaLabel
    clearInterval(timer)
    if (isRunning) timer = window.setInterval(() => !document.hidden && show(state.current + 1), ROTATE_EVERY_MS)
  }
  const set = (change: Partial<typeof state>) => {
    Object.assign(state, change)
    draw()
  }
  const show = (index: number) => {
    const place = (index + count) % count
    goal = place
    set({ current: place })
    row.scrollTo({ left: place * row.clientWidth, behavior: lessMotion().matches ? 'instant' : 'smooth' })
  }

  part('previous').onclick = () => show(state.current - 1)
  part('next').onclick = () => show(state.current + 1)
  // A press on Play starts it, although the button then has the focus and the pointer.
  part('toggle').onclick = () => set({ isPlaying: !state.isPlaying, isPointedAt: false, isFocused: false })
  carousel.onmouseenter = () => set({ isPointedAt: true })
  carousel.onmouseleave = () => set({ isPointedAt: false })
  carousel.addEventListener('focusin', () => set({ isFocused: true }))
  carousel.addEventListener('focusout', ({ relatedTarget }) => !carousel.contains(relatedTarget as Node) && set({ isFocused: false }))
  const stopForLessMotion = () => lessMotion().matches && set({ isPlaying: false })
  lessMotion().addEventListener('change', stopForLessMotion)
  new IntersectionObserver(([entry]) => set({ isSeen: entry!.isIntersecting }), { threshold: 0.5 }).observe(row)
  // A swipe or scroll by hand overrides the scripted target.
  for (const hand of ['pointerdown', 'wheel', 'keydown']) row.addEventListener(hand, () => (goal = null), { passive: true })
  whenAtRest(row, (place) => {
    if (goal !== null && goal !== place) return
    goal = null
    if (place !== state.current) set({ current: place })
  })
  stopForLessMotion()
  draw()
}

/** Reports the slide at which the row came to rest. */
export function whenAtRest(row: HTMLElement, report: (place: number) => void): void {
  const settle = () => report(Math.round(row.scrollLeft / row.clientWidth))
  // A busy phone may pause in the middle of a slide, so browsers with `scrollend` do not use the timer.
  if ('onscrollend' in window) return row.addEventListener('scrollend', settle)
  let rest = 0
  const notice = () => {
    clearTimeout(rest)
    rest = window.setTimeout(settle, AT_REST_AFTER_MS)
  }
  row.addEventListener('scroll', notice, { passive: true })
}
