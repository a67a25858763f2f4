import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onPhones, test } from './market.ts'

/** Of the sample market: a bull with everything that speaks for it, by a verified seller. */
const BULL = 1

for (const prefix of ['', '/en'])
  test(`the first screen of an animal answers what a buyer asks first, in ${prefix ? 'English' : 'Tamil'}`, async ({ page, viewport }) => {
    await page.goto(`${prefix}/product/${BULL}`)
    const main = page.getByRole('main')
    const answers = {
      photo: main.locator('#photo-1 img').last(),
      price: main.getByText('₹1,32,000').first(),
      name: main.getByRole('heading', { level: 1 }),
      facts: main.locator('ul:has(use[href="#icon-weight"])').first(),
      place: main.locator('p:has(> svg > use[href="#icon-pin"])').first(),
      trust: main.locator('ul:has(> li > [popovertarget="proof-vet"])'),
      seller: main.locator('a[href*="/seller/"]:visible').first(),
      bar: main.locator('[data-buy-bar] > div'),
    }
    const bar = (await answers.bar.boundingBox())!
    // On a phone the bar covers what lies below it.
    const foot = viewport!.width < 768 ? bar.y : viewport!.height
    for (const [what, place] of Object.entries(answers)) {
      const box = (await place.boundingBox())!
      expect(box.y, what).toBeGreaterThanOrEqual(0)
      expect(box.y + box.height, what).toBeLessThanOrEqual(what === 'bar' ? viewport!.height : foot)
    }
    await expect(answers.facts.getByRole('listitem')).toHaveCount(4)
    await expect(answers.trust.getByRole('button')).toHaveCount(3)
    if (viewport!.width < 768) {
      const photo = (await main.locator('#photo-1').boundingBox())!
      expect([photo.x, photo.width, photo.height]).toEqual([0, 360, 270])
      // The bar stands instead of the market's places, at the very foot.
      const outer = (await main.locator('[data-buy-bar]').boundingBox())!
      expect([outer.y + outer.height, outer.height <= 68]).toEqual([viewport!.height, true])
      await expect(page.locator('body > nav')).toBeHidden()
    }
    await expectNoSidewaysScroll(page)
    await expectAxeClean(page)
  })

for (const javaScriptEnabled of [true, false])
  test(
    `what speaks for an animal opens its proof, ${javaScriptEnabled ? 'with' : 'without'} scripts`,
    { tag: onPhones },
    async ({ browser, baseURL }) => {
      const context = await browser.newContext({ baseURL: baseURL!, viewport: { width: 360, height: 800 }, javaScriptEnabled })
      const page = await context.newPage()
      await page.goto(`/en/product/${BULL}`)
      for (const [chip, title, proof] of [
        [/^Seller verified/, 'A verified seller', 'PAN and address'],
        [/^Vet \d/, 'Veterinary Check Details', 'Checked by'],
        [/^2 vaccinations/, 'Livestock Vaccination detail', 'Foot and mouth disease'],
      ] as const) {
        await page.getByRole('button', { name: chip }).click()
        const sheet = page.getByRole('dialog', { name: title })
        await expect(sheet).toContainText(proof)
        if (javaScriptEnabled) await expectAxeClean(page)
        await sheet.getByRole('button', { name: 'Close' }).click()
        await expect(sheet).toBeHidden()
      }
      await context.close()
    },
  )
