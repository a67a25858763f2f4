import { readFileSync } from 'node:fs'
import { DEMO_PASSWORD, decide } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, onPhones, test, untilAlive } from './market.ts'
import { loginByApi, newPhone } from './people.ts'
import { chooseSpecies, describeAnimal, openStep } from './sellers.ts'

const AGENT = '9000000004'

/** The link in the newest SMS to an owner. */
async function linkSentTo(request: import('@playwright/test').APIRequestContext, phone: string): Promise<string> {
  const find = async () => {
    const messages = (await (await request.get('/dev/outbox.json')).json()) as { to: string; text: string }[]
    return /\/owner\/[a-z0-9]{10}/.exec(messages.find(({ to }) => to === `+91${phone}`)?.text ?? '')?.[0]
  }
  await expect.poll(find).toBeTruthy()
  return (await find())!
}

test(
  'an agent lists for an owner, who agrees and later withdraws without an account or JavaScript',
  { tag: [onPhones, core] },
  async ({ page, browser }) => {
    test.slow()
    const phone = newPhone()
    expect(await loginByApi(page, AGENT, DEMO_PASSWORD)).toBe(200)
    await page.goto('/en/sell')
    await untilAlive(page)
    await page.getByRole('radio', { name: /Of somebody I help/ }).check()
    await page.getByLabel('Name of the owner').fill('Raman')
    await page.getByLabel('Phone number of the owner').fill(phone)
    await page.getByLabel('What you take for one').fill('500')
    await expectAxeClean(page)
    await page
      .locator('#listing-image')
      .setInputFiles({ name: 'cow.jpg', mimeType: 'image/jpeg', buffer: readFileSync('public/share.jpg') })
    await chooseSpecies(page, 'Goat')
    const goat = { breed: 'Kodi Adu', sex: 'Female', age: '1-2 years', color: 'White', weight: '25', price: '9,500' }
    await describeAnimal(page, { ...goat, name: `Owner's goat ${phone}`, description: 'Healthy' })
    await openStep(page, 'check')
    await page.locator('[data-send]').click()
    await page.waitForURL(/sent=\d+/)
    const id = Number(/sent=(\d+)/.exec(page.url())![1])
    await page.goto(`/en/seller-product/?listing=${id}`)
    await expect(page.locator(`#l${id}`)).toContainText('Raman has to agree first')

    const plain = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } })
    const owner = await plain.newPage()
    expect((await owner.goto(`/en/product/${id}`))!.status()).toBe(404)
    const link = await linkSentTo(page.context().request, phone)
    await owner.goto(`/en${link}`)
    await expect(owner.getByRole('article')).toContainText('₹8,525')
    await owner.getByRole('button', { name: 'Yes, I agree' }).click()
    await expect(owner.getByRole('main').getByRole('status').first()).toContainText('Thank you.')
    await decide(browser, id, true, 'Photos and facts agree.')
    await owner.goto(`/en/product/${id}`)
    await expect(owner.getByText('Listed by Anbu Livestock Agency for Raman').first()).toBeVisible()
    await owner.goto(`/en${link}`)
    await owner.getByText('Take it off the market').first().click()
    await owner.getByRole('radio', { name: 'It is no longer for sale' }).check()
    await owner.getByRole('button', { name: 'Take it off the market' }).click()
    await expect(owner.getByRole('main').getByRole('status').first()).toContainText('It is off the market.')
    expect((await owner.goto(`/en/product/${id}`))!.status()).not.toBe(200)
    await plain.close()
  },
)
