import { decide, loginAsAdmin, loginAsSuperAdmin } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, onDesks, onlyDesks, test, untilAlive } from './market.ts'
import { newPhone, PASSWORD, registerByApi } from './people.ts'
import { listBull, registerSeller } from './sellers.ts'
import { expectNoModal, openSheet } from './sheets.ts'

// Sheets that inform: each says its fact, its link leads where it says, and it closes. Milk: milkings.spec.ts.

const texts = {
  Tamil: {
    prefix: '',
    seller: 'போனில் பேசியுள்ளோம்',
    call: 'விற்பவரிடம் பேச',
    usual: /^இதே இனம், பாலினத்தில் (\d+) இப்போது விற்பனைக்கு உள்ளன\. அவற்றில் பாதி ₹[\d,]+ முதல் ₹[\d,]+ வரை\./,
    keysOn: 'விசைகள் இயங்கட்டும்',
  },
  English: {
    prefix: '/en',
    seller: 'We have compared the PAN and address of',
    call: 'Talk to the seller',
    usual: /^(\d+) animals of this breed and sex are for sale now\. Half of them cost between ₹[\d,]+ and ₹[\d,]+\./,
    keysOn: 'Keys on',
  },
}

/** The first animal of the sample market has a verified seller, a vet check and vaccinations. */
const PROVEN = 1

for (const [language, words] of Object.entries(texts)) {
  const { prefix } = words

  test(`the proofs of an animal are read in place, and lead to all of it (${language})`, async ({ page }) => {
    const path = `${prefix}/product/${PROVEN}`
    await page.goto(path)
    await untilAlive(page)
    await expect(await openSheet(page, 'proof-seller')).toContainText(words.seller)
    await page.locator('#proof-seller').getByRole('link').click()
    await expect(page).toHaveURL(new RegExp(`${prefix}/seller/\\d+$`))
    await expectNoModal(page)
    for (const [proof, tab] of [
      ['vet', 'vet'],
      ['vaccines', 'vaccination'],
    ] as const) {
      await page.goto(path)
      await untilAlive(page)
      const sheet = await openSheet(page, `proof-${proof}`)
      const fact = (await sheet.locator('b, dd').first().textContent())!
      expect(fact).toMatch(/\S/)
      await sheet.getByRole('link').last().click()
      await expect(page).toHaveURL(new RegExp(`${path}\\?tab=${tab}`))
      await expectNoModal(page)
      await expect(page.locator('#details').getByText(fact, { exact: true }).filter({ visible: true }).first()).toBeVisible()
    }
  })

  test(`several animals of a seller: the usual price is explained, and a caller chooses which one it is about (${language})`, async ({
    page,
    browser,
  }) => {
    test.slow()
    const seller = await registerSeller(page)
    const ids: number[] = []
    for (let n = 1; n <= 5; n++) ids.push(await listBull(page, seller, `Bull no ${n}`))
    for (const id of ids) await decide(browser, id, true, 'Good.')
    const caller = await registerByApi(page, newPhone())
    await page.context().clearCookies()

    await page.goto(`${prefix}/product/${ids[0]}`)
    await untilAlive(page)
    const usual = await openSheet(page, 'usual-price')
    const [, count] = words.usual.exec(await usual.locator('p').innerText())!
    expect(Number(count)).toBeGreaterThanOrEqual(5)
    await page.keyboard.press('Escape')
    await expectNoModal(page)

    await page.goto(`${prefix}/seller/${seller.id}`)
    await untilAlive(page)
    await expect(page.locator('[popovertarget=seller-call]').first()).toHaveText(words.call)
    const which = await openSheet(page, 'seller-call')
    await expect(which.getByRole('listitem')).toHaveCount(5)
    await which.getByRole('link', { name: 'Bull no 3' }).click()
    // The number is for people who have logged in; the login then leads on to the call.
    await page.locator('input[name=phone]').fill(caller)
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`${prefix}/product/${ids[2]}`))
    await expect(page.getByRole('status').getByRole('link')).toHaveAttribute('href', `tel:+91${seller.phone}`)
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    await expectNoModal(page)
  })

  for (const [desk, path] of [
    ['verification', '/admin/verification'],
    ['people', '/admin/users'],
  ])
    test(
      `the keys of the desk of ${desk} are shown, switched off, and stay off (${language})`,
      { tag: [onDesks, onlyDesks] },
      async ({ page }) => {
        await (desk === 'people' ? loginAsSuperAdmin : loginAsAdmin)(page)
        await page.goto(`${prefix}${path}`)
        await untilAlive(page)
        const sheet = await openSheet(page, 'desk-keys')
        await expect(sheet.locator('p').first()).toHaveText(/\bJ\b/)
        await sheet.getByRole('checkbox', { name: words.keysOn }).uncheck()
        await page.keyboard.press('Escape')
        await page.keyboard.press('?')
        await expectNoModal(page)
        await page.reload()
        await untilAlive(page)
        await page.keyboard.press('?')
        await expectNoModal(page)
        await page.locator('[popovertarget=desk-keys]').first().click()
        await expect(sheet.getByRole('checkbox')).not.toBeChecked()
        await sheet.getByRole('checkbox').check()
        await page.keyboard.press('Escape')
        await expect(sheet).toBeHidden()
        await page.keyboard.press('?')
        await expect(sheet).toBeVisible()
        await page.keyboard.press('?')
        await expectNoModal(page)
      },
    )
}
