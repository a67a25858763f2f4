import type { Page } from '@playwright/test'
import { loginAsAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onlyDesks, onPhones, test, untilAlive } from './market.ts'
import { loginByApi, ownId, PASSWORD, registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

test(
  'an admin sees what waits, opens it, and finds anything by its number',
  { tag: [onDesks, core, onlyDesks] },
  async ({ page, browser }) => {
    const seller = await (await browser.newContext()).newPage()
    const { phone, ...person } = await registerSeller(seller)
    const name = `Office bull ${person.id}`
    const listing = await listBull(seller, person, name)

    await loginAsAdmin(page)
    await page.goto('/en/admin')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
    await expectAxeClean(page)
    // A desk has no cart, newsletter or footer.
    await expect(page.getByRole('contentinfo')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Cart' })).toHaveCount(0)
    const rail = page.getByRole('navigation', { name: 'Desks' })
    await expect(rail.getByRole('link', { name: 'Office' })).toHaveAttribute('aria-current', 'page')
    await expect(rail.getByRole('link', { name: /^Listings \d+ waiting$/ })).toBeVisible()
    // Every plot has its figures one tap away.
    await page.getByText('As a table').first().click()
    await expect(page.getByRole('table', { name: 'How long things wait' })).toBeVisible()

    const find = async (text: string) => {
      await page.goto('/en/admin')
      await page.getByRole('searchbox').fill(text)
      await page.getByRole('searchbox').press('Enter')
    }
    await find(`COW-${String(listing).padStart(5, '0')}`)
    await expect(page).toHaveURL(new RegExp(`/en/product/${listing}\\?tab=verification$`))
    await find(`+91 ${phone}`)
    await expect(page).toHaveURL(`/en/admin/users/${person.id}`)
    await find('SN-000001')
    await expect(page.getByRole('heading', { name: 'SN-000001' })).toBeVisible()
    await expect(rail.getByRole('link', { name: /^Orders/ })).toHaveAttribute('aria-current', 'page')
    await find('Sandhai Office')
    await expect(page.getByRole('cell', { name: 'Sandhai Office', exact: true })).toBeVisible()

    await page.goto(`/en/admin/verification?id=${listing}`)
    await expect(page.getByRole('heading', { name })).toBeVisible()
    await expect(rail.getByRole('link', { name: /^Listings/ })).toHaveAttribute('aria-current', 'page')
    await seller.context().close()
  },
)

test(
  'home shows the oldest cases of each desk, each one link to its decision',
  { tag: [onDesks, onlyDesks] },
  async ({ page, browser }) => {
    const seller = await (await browser.newContext()).newPage()
    const { phone: _, ...person } = await registerSeller(seller)
    await listBull(seller, person, `Office bull ${person.id}`)
    await page.setViewportSize({ width: 1280, height: 800 })
    await loginAsAdmin(page)
    await page.goto('/en/admin')
    const listings = page.getByRole('region', { name: 'Listings', exact: true })
    await expect(listings).toBeInViewport({ ratio: 1 })
    await expect(listings.getByText(/^\d+ waiting/)).toBeVisible()
    const rows = await roomOfRows(page)
    expect(rows.atMost).toBeLessThanOrEqual(3)
    expect(rows.tallest).toBe(44)
    await page.evaluate((text) => {
      for (const place of document.querySelectorAll('[data-cases] a > span:nth-child(odd)')) place.append(text)
    }, 'நீண்டபெயர்கொண்டகால்நடைவளர்ப்பாளர் '.repeat(8))
    expect(await roomOfRows(page)).toEqual(rows)
    await expectNoSidewaysScroll(page)
    await listings.getByRole('listitem').first().getByRole('link').click()
    await expect(page).toHaveURL(/\/en\/admin\/verification\?id=\d+$/)
    await seller.context().close()
  },
)

/** The height of the tallest case, and the number of cases of the longest block. */
const roomOfRows = (page: Page) =>
  page.evaluate(() => ({
    tallest: Math.max(...[...document.querySelectorAll('[data-cases] a')].map((row) => row.getBoundingClientRect().height)),
    atMost: Math.max(...[...document.querySelectorAll('[data-cases]')].map((list) => list.children.length)),
  }))

test('an admin reads the trail of one object, and has its seals verified', { tag: onDesks }, async ({ page, browser }) => {
  const person = await (await browser.newContext()).newPage()
  await registerByApi(person)
  const id = await ownId(person)
  await loginAsAdmin(page)
  await page.goto('/en/admin/audit')
  await untilAlive(page)
  await expectAxeClean(page)
  await expect(page.getByRole('button', { name: 'Find' })).toHaveCount(0)
  // A filter applies when it is left, and the page before has its own again.
  const object = page.getByLabel('Of what')
  await object.fill('user:0')
  await object.press('Tab')
  await expect(page).toHaveURL(/object=user%3A0/)
  await page.goBack()
  await expect(object).toHaveValue('')
  await object.fill(`user:${id}`)
  await object.press('Enter')
  const events = page.getByRole('main').getByRole('listitem')
  await expect(events).toHaveCount(1)
  await expect(events.first()).toContainText(`person ${id}`)
  await page.getByRole('button', { name: 'Check the seals' }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText(/^The trail is whole: \d+ events checked\.$/)
  await person.context().close()
})

test('the waiting time at each desk is a setting', { tag: onDesks }, async ({ page }) => {
  await loginAsAdmin(page)
  await page.goto('/en/admin/settings')
  const hours = page.locator('#target-secondLooks')
  await hours.fill('0')
  await page.locator('#deskTargets').getByRole('button', { name: 'Save' }).click()
  await expect(hours).toHaveAccessibleDescription('Whole hours from 1 to 720.')
  await hours.fill('47')
  await page.locator('#deskTargets').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(': 48')).toBeVisible()
})

test('the office fits a phone, in Tamil', { tag: onPhones }, async ({ page }) => {
  await loginAsAdmin(page)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('இன்று')
  await expect(page.getByRole('searchbox')).toBeVisible()
  const desks = page.getByRole('navigation', { name: 'பணிமேசைகள்' })
  await desks.locator('summary').click()
  await expect(desks.getByRole('link', { name: /^மன்றம்/ })).toBeVisible()
  const blocks = await page.locator('section:has(> [data-cases])').all()
  const edges = await Promise.all(blocks.map(async (block) => (await block.boundingBox())!.x))
  expect(new Set(edges).size).toBe(1)
  expect((await roomOfRows(page)).tallest).toBe(44)
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

test('a vet’s desk has the same frame; a buyer has no desk', { tag: onPhones }, async ({ page, browser }) => {
  expect(await loginByApi(page, '9000000005', 'sandhai-demo')).toBe(200)
  await page.goto('/en/vet-verify')
  await expect(page.getByRole('navigation', { name: 'Desks' })).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(0)
  const buyer = await (await browser.newContext()).newPage()
  expect(await loginByApi(buyer, await registerByApi(buyer), PASSWORD)).toBe(200)
  expect((await buyer.goto('/en/admin'))!.status()).toBe(403)
  await buyer.goto('/en/orders')
  await expect(buyer.getByRole('navigation', { name: 'Desks' })).toHaveCount(0)
  await buyer.context().close()
})

test(
  'an admin decides an enquiry at its desk: ready answer, verdict, history',
  { tag: [onDesks, onlyDesks] },
  async ({ page, browser }) => {
    const poster = await (await browser.newContext()).newPage()
    await registerByApi(poster)
    const posted = await callApi(poster, 'POST', '/product-requirement-enquiries', {
      categorytype: 1,
      category: 1,
      breed: 101,
      description: 'A calm Kangayam cow in milk, decided at the desk.',
      requiredcount: 1,
      acceptableprice: 80_000,
      weight: 250,
      requiredaroundpincode: '638701',
      postedfor: 'Selvi',
      contact: '+919876543210',
    })
    const { id } = (await posted.json()) as { id: number }
    await loginAsAdmin(page)
    await page.goto(`/en/admin/enquiries?enquiry=${id}`)
    await expect(page.getByRole('navigation', { name: 'Desks' }).getByRole('link', { name: /^Enquiries/ })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    await untilAlive(page)
    await page.getByText('Ready answers').click()
    // In the poster's language.
    await page.getByRole('button', { name: 'Please say more exactly' }).click()
    await expect(page.getByLabel('Comment')).toHaveValue('எந்தக் கால்நடை, எங்கே வேண்டும் என்று தெளிவாக எழுதுங்கள்.')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page.locator('#open-row').getByText('decided at the desk')).toBeVisible()
    await page.getByRole('checkbox', { name: /genuine/i }).check()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(page.getByRole('main').getByRole('status')).toContainText('approved')
    await page.goto(`/en/admin/enquiries?state=open&enquiry=${id}`)
    await expect(page.getByRole('listitem').filter({ hasText: 'எந்தக் கால்நடை, எங்கே வேண்டும் என்று தெளிவாக எழுதுங்கள்.' })).toBeVisible()
    await poster.context().close()
  },
)
