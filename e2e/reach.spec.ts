import { expect, holdScripts, onDesks, test, untilAlive } from './market.ts'
import { registerByApi } from './people.ts'

const widths = [320, 360, 480, 640, 767, 768, 1023, 1024, 1279, 1280, 1536, 1920]
const places = ['/forum', '/orders', '/add-enquiry']

test(
  'forum, orders and a new enquiry are one or two taps away at every width, for a visitor and a buyer',
  { tag: onDesks },
  async ({ page }) => {
    const reach = async () => {
      for (const locale of ['', '/en'])
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 })
          await page.goto(`${locale}/support`)
          const menu = page.locator('header summary')
          await menu.click()
          for (const place of places) {
            const link = page.locator(`header details a[href="${locale}${place}"]`)
            await expect(link, `${place} at ${width}`).toBeVisible()
            await link.scrollIntoViewIfNeeded()
            await expect(link, `${place} at ${width}`).toBeInViewport({ ratio: 1 })
          }
        }
    }
    await reach()
    await registerByApi(page)
    await reach()
  },
)

test('a menu that is open before the scripts arrive stays open', { tag: onDesks }, async ({ page }) => {
  const arrive = await holdScripts(page)
  await page.goto('/en/support')
  await page.locator('header summary').click()
  const forum = page.locator('header details').getByRole('link', { name: 'Forum' })
  await expect(forum).toBeInViewport({ ratio: 1 })
  arrive()
  await untilAlive(page)
  await expect(forum).toBeInViewport({ ratio: 1 })
})
