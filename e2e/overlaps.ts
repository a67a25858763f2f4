import type { Page } from '@playwright/test'

/**
 * Controls that visibly overlap each other, and those that stick out of the screen. Excludes a full-size photo, whose buttons lie over it,
 * and text links in a sentence, which share its lines.
 */
export function controlsInTrouble(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const screen = document.documentElement.clientWidth
    const found: string[] = []
    const controls = [...document.querySelectorAll<HTMLElement>('a[href], button, summary, input:not([type=hidden]), select, textarea')]
      .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !one.matches('[data-photo], .sr-only'))
      .map((one) => ({ one, seen: seenOf(one) }))
      .filter(({ seen }) => seen.right - seen.left > 1 && seen.bottom - seen.top > 1)
    controls.forEach(({ one, seen: a }, at) => {
      if (a.right > screen + 1 || a.left < -1) found.push(`${nameOf(one)} sticks out`)
      for (const { one: other, seen: b } of controls.slice(at + 1)) {
        if (one.contains(other) || other.contains(one)) continue
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
        const isText = getComputedStyle(one).display === 'inline' && getComputedStyle(other).display === 'inline'
        if (wide > 1 && high > 1 && !isText) found.push(`${nameOf(one)} / ${nameOf(other)}`)
      }
    })
    return found

    function nameOf(one: HTMLElement): string {
      return (one.ariaLabel ?? (one.textContent.trim() || one.getAttribute('name') || one.outerHTML)).slice(0, 50)
    }

    /** The visible part: a scrolling or clipping box hides the rest. Fixed elements lie above the page, which scrolls below them. */
    function seenOf(one: HTMLElement) {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const seen = { left, right, top, bottom }
      for (let box = one.parentElement; box && box !== document.body; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box)
        if (overflowX === 'visible' && overflowY === 'visible') continue
        const edge = box.getBoundingClientRect()
        seen.left = Math.max(seen.left, edge.left)
        seen.right = Math.min(seen.right, edge.right)
        seen.top = Math.max(seen.top, edge.top)
        seen.bottom = Math.min(seen.bottom, edge.bottom)
      }
      return seen
    }
  })
}
