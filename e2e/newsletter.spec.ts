import type { APIRequestContext } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test } from './market.ts'

const person = () => `selvi.${Date.now()}.${Math.floor(Math.random() * 1e6)}@example.com`

/** The mail to this address, once it is sent. */
async function mailTo(request: APIRequestContext, address: string): Promise<{ text: string; locale: string; template: string }> {
  const find = async () => {
    const messages = (await (await request.get('/dev/outbox.json')).json()) as {
      to: string
      text: string
      locale: string
      template: string
      sentAt: string | null
    }[]
    return messages.find(({ to, sentAt }) => to === address && sentAt !== null)
  }
  await expect.poll(find).toBeTruthy()
  return (await find())!
}
const linkIn = (text: string, purpose: 'confirm' | 'unsubscribe') => {
  const { pathname, search } = new URL(new RegExp(`\\S+/newsletter/${purpose}\\S+`).exec(text)![0])
  return pathname + search
}

test('a reader subscribes in the footer, confirms from the mail, and unsubscribes', async ({ page, request }) => {
  const address = person()
  await page.goto('/en/buy/0')
  await page.waitForLoadState('networkidle')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('textbox', { name: 'Newsletter' }).fill(address)
  await footer.getByRole('button', { name: 'Subscribe' }).click()
  await expect(footer.getByRole('alert')).toHaveText('Please tick the box if you want the newsletter.')
  await expect(footer.getByRole('textbox', { name: 'Newsletter' })).toHaveValue(address)
  await footer.getByLabel('Sandhai may send its newsletter').check()
  await footer.getByRole('button', { name: 'Subscribe' }).click()
  await expect(footer.getByRole('status')).toContainText('Please look in your mailbox')
  await expect(page).toHaveURL(/\/en\/buy\/0$/)

  const { text, locale } = await mailTo(request, address)
  expect(locale).toBe('en')
  await page.goto('/en/dev/outbox')
  await page
    .getByRole('article')
    .filter({ hasText: address })
    .getByRole('link', { name: /newsletter\/confirm/ })
    .click()
  await expect(page.getByText(`Shall we send the Sandhai newsletter to ${address}?`)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Yes, send it' }).click()
  await expect(page.getByRole('status')).toHaveText(`Thank you. The newsletter will come to ${address}.`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are subscribed')

  await page.getByRole('link', { name: 'Stop the newsletter' }).click()
  await page.getByRole('button', { name: 'Yes, stop it' }).click()
  await expect(page.getByRole('status')).toHaveText(`Done. We no longer send the newsletter to ${address}.`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The newsletter is stopped')
  // The old mail's link is used up; the box is offered again.
  await page.goto(linkIn(text, 'confirm'))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link is used up')
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await page.getByRole('link', { name: 'Subscribe again' }).click()
  await expect(page.getByRole('main').getByLabel('E-mail address')).toHaveValue(address)
  await expect(page.getByRole('main').getByRole('checkbox')).not.toBeChecked()
})

test('in Tamil the footer, the mail and the page are in Tamil', async ({ page, request }) => {
  const address = person()
  await page.goto('/')
  await page.waitForLoadState('networkidle')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('textbox', { name: 'செய்தி மடல்' }).fill(address)
  await footer.getByLabel('சந்தை செய்தி மடலை').check()
  await footer.getByRole('button', { name: 'சேருங்கள்' }).click()
  await expect(footer.getByRole('status')).toContainText('உங்கள் மின்னஞ்சலைப் பாருங்கள்')
  const { text, locale } = await mailTo(request, address)
  expect(locale).toBe('ta')
  await page.goto(linkIn(text, 'confirm'))
  await expect(page.locator('html')).toHaveAttribute('lang', 'ta')
  await page.getByRole('button', { name: 'ஆம், அனுப்புங்கள்' }).click()
  await expect(page.getByRole('status')).toContainText('நன்றி')
})

test('an invalid address and a lost connection are reported, and the typed value stays', async ({ page, context }) => {
  await page.goto('/en')
  await page.waitForLoadState('networkidle')
  const footer = page.getByRole('contentinfo')
  const box = footer.getByRole('textbox', { name: 'Newsletter' })
  await box.fill('selvi@example')
  await footer.getByLabel('Sandhai may send').check()
  await box.press('Enter')
  await expect(footer.getByRole('alert')).toHaveText('Please enter an e-mail address such as selvi@example.com.')
  await expect(box).toBeFocused()
  await context.setOffline(true)
  await box.fill(person())
  await box.press('Enter')
  await expect(footer.getByRole('alert')).toContainText('Check your connection')
  await expect(box).not.toHaveValue('')
  await context.setOffline(false)
})

test('a truncated link is explained', async ({ page }) => {
  await page.goto('/en/newsletter/confirm?id=1&token=abc')
  await expect(page.getByText('This link has expired')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the footer leads to a page with the typed address; there the reader ticks, confirms and unsubscribes', async ({
    page,
    request,
  }) => {
    const address = person()
    await page.goto('/en/buy/1')
    const footer = page.getByRole('contentinfo')
    await expect(footer.getByRole('checkbox')).toHaveCount(0)
    await footer.getByRole('textbox', { name: 'Newsletter' }).fill(address)
    await footer.getByRole('button', { name: 'Subscribe' }).click()
    const form = page.getByRole('main')
    await expect(form.getByLabel('E-mail address')).toHaveValue(address)
    await expect(form.getByRole('checkbox')).not.toBeChecked()
    await form.getByRole('button', { name: 'Subscribe' }).click()
    await expect(form.getByRole('alert')).toHaveText('Please tick the box if you want the newsletter.')
    await expect(form.getByLabel('E-mail address')).toHaveValue(address)
    await form.getByRole('checkbox').check()
    await form.getByRole('button', { name: 'Subscribe' }).click()
    await expect(form.getByRole('status')).toContainText('Please look in your mailbox')

    const { text } = await mailTo(request, address)
    await page.goto(linkIn(text, 'confirm'))
    await page.getByRole('button', { name: 'Yes, send it' }).click()
    await expect(page.getByRole('status')).toContainText('Thank you')
    await page.goto(linkIn(text, 'unsubscribe'))
    await page.getByRole('button', { name: 'Yes, stop it' }).click()
    await expect(page.getByRole('status')).toContainText('We no longer send the newsletter')
  })
})
