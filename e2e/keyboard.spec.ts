import type { Page } from '@playwright/test'
import { decide } from './admins.ts'
import { expect, onDesks, test, untilAlive } from './market.ts'
import { newPhone, ownId, registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

/** Presses Tab until the focused element has this text, as a person without a mouse does; each stop must be visible. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let stop = 0; stop < 120; stop++) {
    await page.keyboard.press('Tab')
    const reached = await page.evaluate(() => {
      const { activeElement } = document
      if (!activeElement || activeElement === document.body) return null
      const { outlineStyle, boxShadow } = getComputedStyle(activeElement)
      const { width, height } = activeElement.getBoundingClientRect()
      const name = activeElement.getAttribute('aria-label') ?? activeElement.textContent
      return { name: name.trim(), isSeen: (outlineStyle !== 'none' || boxShadow !== 'none') && width > 0 && height > 0 }
    })
    if (!reached) continue
    expect(reached.isSeen, `"${reached.name}" has the focus but no visible outline`).toBe(true)
    if (reached.name.startsWith(words)) return
  }
  throw new Error(`Tab does not reach "${words}".`)
}

test('a buyer orders an animal and cancels it, with the keyboard alone', { tag: onDesks }, async ({ page, browser }) => {
  test.slow()
  const sellers = await browser.newContext()
  const seller = await sellers.newPage()
  const animal = await listBull(seller, await registerSeller(seller), 'Keyboard bull')
  await decide(browser, animal, true, 'Good.')
  await sellers.close()
  await registerByApi(page)
  await callApi(page, 'POST', `/user-address/user=${await ownId(page)}`, {
    name: 'Selvi',
    phone: `+91${newPhone()}`,
    type: 1,
    address_1: '12 Gandhi Street',
    address_2: 'Near the bus stand',
    pincode: '641001',
  })
  const { keyboard } = page

  await page.goto(`/en/product/${animal}`)
  await untilAlive(page)
  await tabTo(page, 'Add to cart')
  await keyboard.press('Enter')
  const modal = page.getByRole('dialog', { name: 'Congrats! Item added' })
  await expect(modal).toBeVisible()
  // The dialog has the focus; Escape returns it to the button, and tabbing out closes the dialog.
  await expect(modal.getByRole('link', { name: 'Continue Buy' })).toBeFocused()
  await keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add to cart' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(modal).toBeVisible()
  for (let stop = 0; stop < 2; stop++) await keyboard.press('Tab')
  await expect(modal).toBeHidden()
  await page.getByRole('button', { name: 'Add to cart' }).focus()
  await keyboard.press('Enter')
  await expect(modal).toBeVisible()
  await tabTo(page, 'View Mycart')
  await keyboard.press('Enter')

  await expect(page).toHaveURL(/\/en\/my-cart$/)
  await untilAlive(page)
  await tabTo(page, 'Continue Order')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/\/my-addresses\/buy\/\d+$/)
  await untilAlive(page)
  await tabTo(page, 'Proceed with this address')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/\/confirm-order\/\d+$/)
  await untilAlive(page)
  await tabTo(page, 'Place Order')
  await keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your order is placed' })).toBeVisible()

  await tabTo(page, 'My Orders')
  await keyboard.press('Enter')
  await expect(page).toHaveURL(/\/en\/orders/)
  await untilAlive(page)
  await tabTo(page, 'Cancel Order')
  await keyboard.press('Enter')
  await tabTo(page, 'Yes')
  await keyboard.press('Enter')
  await expect(page.getByRole('article').first()).toContainText('Cancelled')
})
