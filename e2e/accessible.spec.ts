import type { Locator, Page } from '@playwright/test'
import { axeFindings, expectAxeClean } from './axe.ts'
import { core, everyday, expect, onDesks, onPhones, test, untilAlive } from './market.ts'
import { textsThatSpill } from './spills.ts'

for (const prefix of ['', '/en']) {
  test(`axe finds no violation on the pages of ${prefix || 'Tamil'}`, { tag: [prefix ? onDesks : onPhones, core] }, async ({ page }) => {
    test.slow()
    await page.goto(`${prefix}/buy/0`)
    const product = (await page.locator('article a').first().getAttribute('href'))!
    const paths = [
      prefix || '/',
      `${prefix}/buy/0`,
      `${prefix}/buy/1?breed=101&max=90000&near=641001`,
      `${prefix}/buy/2?breed=101`,
      product,
      `${product}?tab=vaccination`,
      `${prefix}/buy/0?min=abc&max=xyz&near=nowheretown&sort=nearest`,
      `${prefix}/newsletter`,
      `${prefix}/view-requirements`,
      `${prefix}/forum`,
      `${prefix}/me`,
      `${prefix}/aboutus`,
      `${prefix}/how-it-works`,
      `${prefix}/terms`,
      `${prefix}/privacy-policy`,
      `${prefix}/jersey-cattle-sale-coimbatore`,
      `${prefix}/breeds`,
      `${prefix}/dev/outbox`,
      `${prefix}/login`,
      `${prefix}/nowhere`,
    ]
    for (const path of everyday(paths, prefix)) {
      await page.goto(path)
      await expectAxeClean(page)
    }
  })
}

test('control: axe finds planted violations', { tag: onDesks }, async ({ page }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await page.evaluate(() => {
    const pale = Object.assign(document.createElement('p'), { textContent: 'pale' })
    pale.style.cssText = 'color: #ccc; background: #fff'
    document.querySelector('main')!.append(document.createElement('button'), pale)
  })
  const found = (await axeFindings(page)).map((finding) => finding.split(':')[0])
  expect(found.sort()).toEqual(['button-name', 'color-contrast'])
})

test('control: a word wider than its button or the screen is found', { tag: onPhones }, async ({ page }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  await page.evaluate(() => {
    const narrow = Object.assign(document.createElement('button'), { textContent: 'விற்பனையாகிவிட்டது' })
    narrow.style.cssText = 'width: 40px; white-space: nowrap'
    const wide = Object.assign(document.createElement('p'), { textContent: 'wider than the screen' })
    wide.style.cssText = 'margin-left: 99vw; white-space: nowrap'
    const cut = Object.assign(document.createElement('p'), { textContent: 'cut on purpose' })
    cut.style.cssText = 'width: 20px; overflow: hidden; white-space: nowrap'
    document.querySelector('main')!.append(narrow, wide, cut)
  })
  const found = (await textsThatSpill(page)).map((finding) => finding.split(':')[0])
  expect(found.sort()).toEqual(['wider than the screen', 'விற்பனையாகிவிட்டது'])
})

test('axe finds no violation on the page for developers', { tag: onDesks }, async ({ page }) => {
  await page.goto('/api/docs')
  await page.getByRole('heading', { name: /^Lookups/ }).click()
  await expect(page.getByText('/livestock-gender').first()).toBeVisible()
  await expectAxeClean(page)
})

for (const [prefix, isAbove, isWord] of [
  ['', 'குறைந்தபட்ச விலை அதிகபட்ச விலையைவிடக் கூடுதலாக உள்ளது.', 'குறைந்தபட்ச விலையை எண்ணில் எழுதுங்கள், எ.கா. 5000.'],
  ['/en', 'The lowest price is above the highest.', 'Write the lowest price in digits, for example 5000.'],
] as const) {
  test(
    `an invalid price is reported at its field, which keeps the typed value (${prefix || 'Tamil'})`,
    { tag: prefix ? onDesks : onPhones },
    async ({ page }) => {
      const min = page.locator('#price-min')
      const max = page.locator('#price-max')
      for (const [query, minError, maxError] of [
        ['min=900&max=20', isAbove, isAbove],
        ['min=many&max=20', isWord, null],
        ['min=-5&max=20', isWord, null],
        ['min=5&max=20', null, null],
      ] as const) {
        await page.goto(`${prefix}/buy/0?${query}`)
        await expect(min).toHaveValue(new URLSearchParams(query).get('min')!)
        await expect(max).toHaveValue('20')
        for (const [field, error] of [
          [min, minError],
          [max, maxError],
        ] as const) {
          await expect(field).toHaveAccessibleDescription(error ?? '')
          if (error) await expect(field).toHaveAttribute('aria-invalid', 'true')
          else await expect(field).not.toHaveAttribute('aria-invalid')
        }
      }
    },
  )
}

test('the filter stays open after an invalid price, with the field to correct', async ({ page }) => {
  await page.goto('/en/buy/0')
  await untilAlive(page)
  const isPhone = page.viewportSize()!.width < 1000
  if (isPhone) await page.getByRole('link', { name: 'Filter Options' }).click()
  const filter = page.locator('#filter')
  await filter.getByLabel('From').fill('900')
  await filter.getByLabel('To', { exact: true }).fill('20')
  await filter.getByRole('button', { name: 'Confirm' }).click()
  await expect(filter.getByText('The lowest price is above the highest.')).toBeVisible()
  if (isPhone) await expect(filter.getByLabel('From')).toBeFocused()
  await filter.getByLabel('To', { exact: true }).fill('90000')
  await filter.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(/max=90000/)
  if (isPhone) await expect(filter).not.toBeVisible()
})

test('the keyboard alone reaches the search, the filters and an animal', async ({ page }) => {
  await page.goto('/en/buy/0')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('#content')).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Skip to the list' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.locator('article a').first())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Product Info' })).toBeVisible()
})

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 25; presses++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab did not reach ${target}.`)
}
