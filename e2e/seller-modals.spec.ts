import { decide, DEMO_PASSWORD } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { deal } from './orders.ts'
import { loginByApi, newPhone, ownId } from './people.ts'
import { photograph } from './photographs.ts'
import { addPickup, listBull, openStep, registerSeller } from './sellers.ts'
import { expectNoModal, openSheet } from './sheets.ts'

// Modals that stand over a seller's page (A §2.7, A §2.8, A §4): each is taken to its end, and none stays over what follows.

const texts = {
  ta: {
    prefix: '',
    sent: 'அனுப்பிவிட்டீர்கள்!',
    close: 'மூடி, என் விற்பனைப் பதிவுகளுக்கு',
    uploading: 'படங்கள் செல்கின்றன, சற்றுப் பொறுங்கள்!',
  },
  en: { prefix: '/en', sent: 'Sent for sale!', close: 'Close, to my listings', uploading: 'Uploading images, Please Wait!' },
}

for (const [language, { prefix, sent, close, uploading }] of Object.entries(texts))
  test(`a listing goes through upload, failure, success and sale, and no modal stays (${language})`, async ({ page, browser }) => {
    test.slow()
    await registerSeller(page)
    await page.goto(`${prefix}/sell`)
    await untilAlive(page)
    // The picture waits until the form is submitted.
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/v1/listing-draft/photo', async (route) => {
      await released
      await route.continue()
    })
    await page.locator('#listing-image').setInputFiles(await photograph(1))
    await openStep(page, 'animal')
    await page.locator('input[name=categoryId][value="1"]').check()
    for (const [name, value] of [
      ['breedId', '101'],
      ['genderId', '0'],
      ['ageId', '7'],
      ['colorId', '6'],
    ] as const)
      await page.locator(`input[name=${name}][value="${value}"]`).check()
    await page.locator('#listing-weightKg').fill('310')
    // A §5: teeth, pregnancies, milk and young ones stand open, vaccinations as soon as there is a price.
    for (const field of ['milkLitresPerDay', 'pregnancies', 'offspring']) await expect(page.locator(`#listing-${field}`)).toBeVisible()
    await expect(page.locator('input[name=teethPairs][value="10"]')).toBeAttached()
    await page.locator('input[name=teethPairs][value="2"]').check()
    await openStep(page, 'price')
    await expect(page.locator('#listing-vaccine1')).toBeHidden()
    await page.locator('#listing-originalPrice').fill('abc')
    await expect(page.locator('#listing-vaccine1')).toBeHidden()
    await page.locator('#listing-originalPrice').fill('78000')
    await expect(page.locator('#listing-vaccine1')).toBeVisible()
    await openStep(page, 'check')
    await page.locator('#listing-name').fill(`Modal cow ${language}`)
    await page.locator('#listing-description').click()
    await page.locator('input[name=isAllowed]').check()

    // 'Uploading images, Please Wait!': it cannot be closed meanwhile; the first submit then fails at the server.
    await page.route(/\/sell\.data/, (route) =>
      route.request().method() === 'POST' ? route.abort('internetdisconnected') : route.continue(),
    )
    await page.locator('[data-send]').click()
    const upload = page.locator('dialog:modal')
    await expect(upload).toContainText(uploading)
    await page.keyboard.press('Escape')
    await expect(upload).toBeVisible()
    await expect(upload.locator('button:disabled')).toHaveCount(1)
    release()
    const failure = page.locator('dialog:modal:has(#failure-title)')
    await expect(failure).toBeVisible()
    if (language === 'en') {
      await expect(failure).toContainText('Failure during registration!')
      await expect(failure).toContainText(
        'Sorry! there seems to be some issue while registering your new product for sale. Please contact our team for more details.',
      )
    }
    await page.keyboard.press('Escape')
    await expectNoModal(page)
    await page.unroute(/\/sell\.data/)
    await page.locator('[data-send]').click()

    await expect(page.getByRole('dialog', { name: sent })).toBeVisible()
    // One thing at a time: it asks for no permission.
    await expect(page.locator('#push-offer')).toHaveCount(0)
    const id = Number(/sent=(\d+)/.exec(page.url())![1])
    // Close and Esc lead where they say. The dialog stands in the document before scripts make it a modal, and only a modal hears Esc.
    const sentPage = page.url()
    const isModal = () => expect(page.locator('dialog:modal:has(#sent-title)')).toBeVisible()
    await isModal()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(/seller-product/)
    await expectNoModal(page)
    await page.goto(sentPage)
    // A click while the dialog moves to its place as a modal would miss the link.
    await isModal()
    await page.getByRole('dialog', { name: sent }).getByRole('link', { name: close }).click()
    await expect(page).toHaveURL(/seller-product/)
    await expectNoModal(page)
    await page.goto(sentPage)
    await isModal()
    await page.getByRole('dialog', { name: sent }).locator('a[href$="/seller-product/"]').first().click()
    await expect(page).toHaveURL(/seller-product/)
    await expectNoModal(page)

    await decide(browser, id, true, 'Good.')
    await page.reload()
    await untilAlive(page)
    await page.locator(`[popovertarget=sold-${id}]`).first().click()
    const sale = page.locator(`#sold-${id}`)
    await expect(sale).toBeVisible()
    await sale.locator('button[value=others]').click()
    await expect(page).toHaveURL(/done=sold/)
    await expectNoModal(page)
    await page.goBack()
    await expectNoModal(page)
  })

for (const [language, words] of Object.entries({
  ta: { prefix: '', open: 'கமிஷன் பில்', title: 'கமிஷன் பில்', download: 'ரசீதைப் பதிவிறக்க', close: 'மூட' },
  en: { prefix: '/en', open: 'Commission invoice', title: 'Sale commission invoice', download: 'Download Invoice', close: 'Close' },
}))
  test(`the commission invoice of a delivered order is read, downloaded and closed (${language})`, async ({ page }) => {
    expect(await loginByApi(page, '9000000002', DEMO_PASSWORD)).toBe(200)
    await page.goto(`${words.prefix}/seller-product/?tab=1`)
    await untilAlive(page)
    await page.getByRole('link', { name: words.open, exact: true }).first().click()
    const modal = page.getByRole('dialog', { name: words.title })
    const download = modal.getByRole('link', { name: words.download })
    await expect(download).toBeVisible()
    // The percent of the commission, and the taxes of A §9.
    for (const text of ['(5%)', 'IGST (0%)', 'CGST (0%)']) await expect(modal).toContainText(text)
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
    expect(file.suggestedFilename()).toMatch(/^SN-\d{6}-commission\.pdf$/)
    await modal.getByRole('button', { name: words.close }).click()
    await expectNoModal(page)
  })

for (const [language, { prefix }] of Object.entries(texts))
  test(`every sheet of an own listing ends where it says, and none stays (${language})`, async ({ page, browser }) => {
    test.slow()
    const id = await listBull(page, await registerSeller(page))
    await decide(browser, id, true, 'Good.')
    const ends = async (done: string) => {
      await expect(page).toHaveURL(new RegExp(`done=${done}`))
      await expectNoModal(page)
      await untilAlive(page)
    }
    await page.goto(`${prefix}/seller-product/`)
    await untilAlive(page)
    const quick = await openSheet(page, `quick-sheet-${id}`)
    await quick.locator('[name=originalPrice]').fill('81000')
    await quick.locator('button[type=submit]').click()
    await ends('updated')
    await expect(page.locator(`#l${id}`)).toContainText('₹81,000')
    await page.locator(`[popovertarget=more-${id}]`).first().click()
    await page.locator(`#more-${id} [popovertarget=withdraw-${id}]`).first().click()
    await page.locator(`#withdraw-${id} button[type=submit]`).click()
    await ends('withdrawn')
    const relist = await openSheet(page, `relist-sheet-${id}`)
    await relist.locator('[name=stock]').fill('3')
    await relist.locator('button[type=submit]').click()
    await ends('relisted')

    await page.goto(`${prefix}/product/${id}`)
    await untilAlive(page)
    await (await openSheet(page, `withdraw-${id}`)).locator('button[type=submit]').click()
    await ends('withdrawn')
    await page.goto(`${prefix}/seller-product/`)
    await (await openSheet(page, `relist-sheet-${id}`)).locator('button[type=submit]').click()
    await ends('relisted')
    await page.goto(`${prefix}/product/${id}`)
    await untilAlive(page)
    await (await openSheet(page, `sold-${id}`)).locator('button[value=sandhai]').click()
    await ends('sold')
  })

for (const [language, { prefix }] of Object.entries(texts)) {
  test(`an agent asks the owner again with another fee, and a wrong one keeps its form open (${language})`, async ({ page }) => {
    const agent = '9000000004'
    expect(await loginByApi(page, agent, DEMO_PASSWORD)).toBe(200)
    const seller = await ownId(page)
    const owner = { name: 'Raman', phone: newPhone(), fee: 500 }
    const id = await listBull(page, { id: seller, pickup: await addPickup(page, { id: seller, phone: agent }) }, 'Asked bull', owner)
    const list = `${prefix}/seller-product/?listing=${id}`
    await page.goto(list)
    await untilAlive(page)
    await page.locator(`[popovertarget=more-${id}]`).first().click()
    const sheet = await openSheet(page, `ask-owner-${id}`)
    await sheet.locator('[name=ownerFee]').fill('85000')
    await sheet.locator('button[type=submit]').click()
    // Only a script could open the sheet again, so the refused form stands on the card.
    const card = page.locator(`#l${id}`)
    const fee = card.locator('[name=ownerFee]').filter({ visible: true })
    await expect(fee).toHaveValue('85000')
    await expect(fee).toHaveAttribute('aria-invalid', 'true')
    await expectAxeClean(page)
    await expectNoSidewaysScroll(page)
    await fee.fill('700')
    await fee.press('Enter')
    await expect(page).toHaveURL(/done=owner/)
    await expectNoModal(page)
    await page.goto(list)
    await untilAlive(page)
    await page.locator(`[popovertarget=more-${id}]`).first().click()
    await expect((await openSheet(page, `ask-owner-${id}`)).locator('[name=ownerFee]')).toHaveValue(/^700/)
  })

  test(`a seller says that an ordered animal is not available, and the buyer reads why (${language})`, async ({ page, browser }) => {
    test.slow()
    const { buyer, seller, ids, close } = await deal(browser, page)
    const [id] = ids
    await seller.goto(`${prefix}/seller-product/?tab=1`)
    await untilAlive(seller)
    const sheet = await openSheet(seller, `no-${id}`)
    await sheet.locator('[popovertargetaction=hide]').last().click()
    await expectNoModal(seller)
    await seller.locator(`[popovertarget=no-${id}]`).first().click()
    await sheet.locator('[name=reason]').fill('It was lame this morning.')
    await sheet.locator('button[type=submit]').click()
    await expect(seller.locator(`#o${id}`)).toContainText('It was lame this morning.')
    await expect(seller.locator(`[popovertarget=no-${id}]`)).toHaveCount(0)
    await expectNoModal(seller)
    await buyer.goto(`${prefix}/orders`)
    await expect(buyer.getByRole('article').first()).toContainText('It was lame this morning.')
    await close()
  })
}
