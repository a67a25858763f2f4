import type { Page } from '@playwright/test'

/** Texts wider than their button, link, label, coloured box or the screen, and tables wider than their column; each with the excess in pixels. */
export function textsThatSpill(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const screen = document.documentElement.getBoundingClientRect()
    const found = new Set<string>()
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement!
      if (!text.nodeValue!.trim() || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      // Text for screen readers only is clipped to a pixel; a select draws its own options.
      if (parent.closest('.sr-only, select, script, style, noscript')) continue
      const boxes = boxesAround(parent)
      if (!boxes) continue
      const range = document.createRange()
      range.selectNodeContents(text)
      for (const line of range.getClientRects())
        for (const box of boxes) {
          const spilled = Math.max(line.right - box.right, box.left - line.left)
          if (line.width > 1 && spilled > 1) found.add(`${text.nodeValue!.trim().slice(0, 60)}: ${Math.round(spilled)} px`)
        }
    }
    for (const table of document.querySelectorAll('table')) {
      const column = table.parentElement!
      const right = table.getBoundingClientRect().right + parseFloat(getComputedStyle(table).marginRight)
      const spilled = right - column.getBoundingClientRect().right
      if (spilled > 1 && getComputedStyle(column).overflowX === 'visible') found.add(`table: ${Math.round(spilled)} px`)
    }
    return [...found]

    /** The nearest visible box, and the screen; undefined in a scrolling or deliberately clipping box. */
    function boxesAround(parent: Element): DOMRect[] | undefined {
      let nearest: DOMRect | undefined
      for (let element: Element | null = parent; element && element !== document.body; element = element.parentElement) {
        const { overflowX, display, backgroundColor, borderLeftWidth } = getComputedStyle(element)
        // A panel cuts a text at its round corners, and nobody would see that it goes on.
        if (overflowX === 'hidden' && element.matches('.panel'))
          return [nearest, element.getBoundingClientRect(), screen].filter((box) => box !== undefined)
        // A modal scrolls up and down only.
        if (element.matches('[popover], dialog')) return [nearest, element.getBoundingClientRect()].filter((box) => box !== undefined)
        if (overflowX !== 'visible' && overflowX !== 'clip') return nearest && [nearest]
        const isSeen =
          backgroundColor !== 'rgba(0, 0, 0, 0)' || borderLeftWidth !== '0px' || element.matches('a, button, label, li, td, th')
        if (!nearest && isSeen && display !== 'inline') nearest = element.getBoundingClientRect()
      }
      return nearest ? [nearest, screen] : [screen]
    }
  })
}
