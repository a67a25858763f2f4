import { expect, onPhones, test } from './market.ts'

// A phone of 360 pixels at 200 %: half as wide, and half as high.
test.use({ viewport: { width: 180, height: 400 } })

for (const path of [
  '/',
  '/breeds',
  '/breeds/kangayam',
  '/login',
  '/register',
  '/forum',
  '/view-requirements',
  '/how-it-works',
  '/en',
  '/en/register',
])
  test(
    `at 200 % nothing of ${path} is beside the screen, and what can be tapped in its frame lies apart`,
    { tag: onPhones },
    async ({ page }) => {
      await page.goto(path)
      const beside = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      expect(beside).toBe(0)
      const overlaps = await page.locator('header a:visible, header summary:visible, body > nav a:visible').evaluateAll((taps) =>
        taps.flatMap((one, at) =>
          taps.slice(at + 1).flatMap((other) => {
            const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()]
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left)
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
            return wide > 1 && high > 1 ? [`${one.textContent} / ${other.textContent}`] : []
          }),
        ),
      )
      expect(overlaps).toEqual([])
    },
  )
