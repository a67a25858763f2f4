import type { Page } from '@playwright/test'
import { DEMO_PASSWORD, loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onDesks, onlyDesks, onPhones, test, untilAlive } from './market.ts'
import { loginByApi } from './people.ts'

const LONG = 'நீண்டபெயர்கொண்டகால்நடைவளர்ப்பாளர் கோயம்புத்தூர் மேட்டுப்பாளையம் '.repeat(4)

/** The desks, and how many rows a screen of 1280×800 must have room for. */
const desks = [
  ['/orders?view=all', 12],
  ['/admin/users', 14],
  ['/admin/enquiries', 14],
  ['/admin/forum', 14],
] as const

/** The height of the tallest row, and the number of such rows between the table's head and the foot of the screen. */
const roomFor = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('main tbody tr')].map((row) => row.getBoundingClientRect())
    const tallest = Math.max(...rows.map(({ height }) => height))
    const foot = document.querySelector('[data-desk-foot]')!.getBoundingClientRect().height
    return { tallest, rows: Math.floor((innerHeight - foot - rows[0]!.top) / tallest) }
  })

/** Makes the texts of the first row long that may be clipped. */
const lengthen = (page: Page) =>
  page.evaluate((text) => {
    const places = 'main tbody tr:first-child :is(td[title], td[title] a, [data-col=status] [title])'
    for (const place of document.querySelectorAll(places)) place.append(text)
  }, LONG)

for (const root of ['', '/en'])
  test(`rows of desks are one line (${root || 'Tamil'})`, { tag: [onDesks, onlyDesks] }, async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await loginAsAdmin(page)
    for (const [path, least] of desks) {
      await page.goto(root + path)
      await untilAlive(page)
      await expectNoSidewaysScroll(page)
      await expectAxeClean(page)
      const { tallest, rows } = await roomFor(page)
      expect(tallest, path).toBeLessThanOrEqual(44)
      expect(rows, path).toBeGreaterThanOrEqual(least)
      await lengthen(page)
      expect((await roomFor(page)).tallest, path).toBe(tallest)
      await page.goto(root + path)
      await untilAlive(page)
      const link = page.locator('[data-row-link]').first()
      const opened = (await link.getAttribute('href'))!
      await link.click()
      await expect(page).toHaveURL(opened)
      await untilAlive(page)
      await lengthen(page)
      await expectNoSidewaysScroll(page)
    }
    for (const width of [768, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      for (const [path] of desks) {
        await page.goto(root + path)
        await expectNoSidewaysScroll(page)
      }
    }
  })

test('head and foot stay in sight, and a changed filter applies at once', { tag: [onDesks, onlyDesks] }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await loginAsAdmin(page)
  await page.goto('/en/admin/users')
  await untilAlive(page)
  const rows = page.locator('[data-row-link]')
  await rows.nth(20).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 300)
  const head = page.getByRole('columnheader', { name: 'Name' })
  await expect(head).toBeInViewport({ ratio: 1 })
  // Nothing may cover the head, as the site's own head once did.
  const isOnTop = (place: Element) => {
    const { x, y, width, height } = place.getBoundingClientRect()
    return [0, 1].includes(document.elementsFromPoint(x + width / 2, y + height / 2).indexOf(place))
  }
  expect(await head.evaluate(isOnTop)).toBe(true)
  expect(await page.getByRole('link', { name: 'Office', exact: true }).evaluate(isOnTop)).toBe(true)
  await expect(page.locator('[data-desk-foot]')).toBeInViewport({ ratio: 1 })
  await page.getByLabel('User type', { exact: true }).selectOption('Veterinarian')
  await expect(page).toHaveURL(/type=5/)
  await page.goto('/en/orders?view=all')
  await untilAlive(page)
  await page.getByLabel('Status', { exact: true }).selectOption('On the way')
  await expect(page).toHaveURL(/status=5/)
  const shown = page.getByRole('table').locator('tbody tr')
  await expect(shown.filter({ hasText: 'On the way' }).first()).toBeVisible()
  for (const row of await shown.all()) await expect(row).toContainText('On the way')
  await page.getByText('More filters').click()
  // No year is whole before it has four digits.
  await page.getByLabel('From', { exact: true }).fill('0202-01-01')
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await expect(page).toHaveURL(/from=2020-01-01/)
  await expectAxeClean(page)
})

for (const [path, act] of [
  ['/admin/users', 'See whom it concerns'],
  ['/orders?view=open', 'Give day and bearer'],
] as const)
  test(`on a phone the bar of ${path} shows after the first tick`, { tag: [onPhones] }, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 800 })
    await loginAsAdmin(page)
    await page.goto(`/en${path}`)
    await untilAlive(page)
    const foot = page.locator('[data-desk-foot]')
    await expect(foot).not.toBeInViewport()
    await page.locator('tbody input[name=ids]').first().check()
    await expect(foot.getByRole('button', { name: act })).toBeInViewport({ ratio: 1 })
    await expectNoSidewaysScroll(page)
  })

test('a person chooses the columns of a desk, and only that desk remembers them', { tag: [onDesks, onlyDesks] }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await loginAsAdmin(page)
  await page.goto('/en/admin/users')
  await untilAlive(page)
  const head = (name: string) => page.getByRole('columnheader', { name })
  const phones = page.locator('td[data-col=phone]')
  const chooser = page.locator('summary', { hasText: 'Columns' })
  await chooser.focus()
  await page.keyboard.press('Enter')
  const box = page.getByRole('checkbox', { name: 'Phone' })
  await expect(box).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(box).toBeFocused()
  await page.keyboard.press('Space')
  await expect(box).not.toBeChecked()
  await expect(head('Phone')).toHaveCount(0)
  await expect(phones.first()).not.toBeVisible()
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)

  // In the other language, too; sorting and ticks work as before.
  await page.goto('/admin/users')
  await untilAlive(page)
  await expect(phones.first()).not.toBeVisible()
  await page.goto('/en/admin/users')
  await untilAlive(page)
  await head('Orders').getByRole('link').click()
  await expect(page).toHaveURL(/sort=-orders/)
  await expect(head('Orders')).toHaveAttribute('aria-sort', 'descending')
  await expect(phones.first()).not.toBeVisible()
  await untilAlive(page)
  await page.locator('tbody input[name=ids]').first().check()
  await expect(page.getByRole('button', { name: 'See whom it concerns' })).toBeVisible()

  await page.goto('/en/orders?view=all')
  await untilAlive(page)
  await expect(page.getByRole('columnheader', { name: 'Animal' })).toBeVisible()
  await chooser.click()
  await expect(page.getByRole('checkbox', { name: 'Animal' })).toBeChecked()

  // Cards show everything.
  await page.setViewportSize({ width: 360, height: 800 })
  await page.goto('/en/admin/users')
  await expect(phones.first()).toBeVisible()
  await expect(chooser).not.toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await untilAlive(page)
  await chooser.click()
  await box.check()
  await expect(head('Phone')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('columns:')))).toEqual([])
})

test('the hidden columns are gone before React starts', { tag: [onDesks, onlyDesks] }, async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await loginAsAdmin(page)
  await page.goto('/en/admin/users')
  await page.evaluate(() => localStorage.setItem('columns:/admin/users', 'phone reports'))
  // No script ever answers.
  await page.route(/\.js$/, () => {})
  await page.goto('/en/admin/users', { waitUntil: 'commit' })
  await expect(page.locator('td[data-col=type]').first()).toBeVisible()
  for (const hidden of ['phone', 'reports']) await expect(page.locator(`td[data-col=${hidden}]`).first()).not.toBeVisible()
})

test.describe('without JavaScript', { tag: [onDesks, onlyDesks] }, () => {
  test.use({ javaScriptEnabled: false })
  test('a desk shows all columns and offers no choice', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await loginByApi(page, '9000000009', DEMO_PASSWORD)
    await page.goto('/en/admin/users')
    await expect(page.locator('td[data-col=phone]').first()).toBeVisible()
    await expect(page.locator('summary', { hasText: 'Columns' })).not.toBeVisible()
  })
})
