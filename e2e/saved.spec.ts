import { decide } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

for (const javaScriptEnabled of [true, false])
  test(`an animal and a search are saved, and the price falls, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async ({
    page,
    browser,
  }) => {
    test.slow()
    const seller = await registerSeller(page)
    const name = `Saved bull ${Date.now()}`
    const id = await listBull(page, seller, name)
    await decide(browser, id, true, 'Good.')

    const context = await browser.newContext({ javaScriptEnabled })
    const buyer = await context.newPage()
    // Both checks need scripts.
    const expectWell = async () => {
      if (!javaScriptEnabled) return
      await expectAxeClean(buyer)
      await expectNoSidewaysScroll(buyer)
    }
    // An anonymous visitor is asked to log in, and returns to what they wanted to save.
    await buyer.goto(`/en/product/${id}`)
    // With scripts a heart saves in place (hearts.spec.ts).
    if (javaScriptEnabled) await buyer.goto(`/en/saved?listing=${id}`)
    else await buyer.getByRole('link', { name: `Save ${name}` }).click()
    await expect(buyer.getByText('You have not logged in yet!')).toBeVisible()
    await expect(buyer.getByRole('link', { name: 'Log in here' })).toHaveAttribute(
      'href',
      `/en/login?next=${encodeURIComponent(`/en/saved?listing=${id}`)}`,
    )
    await registerByApi(buyer)
    await buyer.goto(`/en/saved?listing=${id}`)
    await expect(buyer.getByRole('region', { name: 'Save this?' })).toContainText(name)
    await expectWell()
    if (javaScriptEnabled) {
      await untilAlive(buyer)
      await context.setOffline(true)
      await buyer.getByRole('button', { name: 'Save', exact: true }).click()
      await expect(buyer.getByRole('alert')).toContainText('Check your connection')
      await context.setOffline(false)
    }
    await buyer.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(buyer.getByRole('main').getByRole('status')).toHaveText('Saved.')
    await expect(buyer.getByRole('region', { name: /^Animals/ })).toContainText('Costs the same as when you saved it')

    await buyer.goto('/buy/1?breed=101&max=90000')
    await buyer.getByRole('link', { name: 'இந்தத் தேடலைச் சேமிக்க' }).click()
    await expect(buyer.getByRole('region', { name: 'இந்தத் தேடலைச் சேமிக்கலாமா?' })).toContainText('காங்கேயம்')
    await buyer.getByRole('button', { name: 'சேமிக்க', exact: true }).click()
    await expect(buyer.getByRole('main').getByRole('status')).toHaveText('சேமிக்கப்பட்டது.')
    await expect(buyer.getByRole('link', { name: /காங்கேயம் · ₹90,000 வரை/ })).toHaveAttribute('href', '/buy/1?breed=101&max=90000')
    await expectWell()

    // Saved from the list by its heart; a saved search is not offered again.
    await buyer.goto('/en/buy/1?breed=101')
    if (javaScriptEnabled) await expect(buyer.getByRole('button', { name: `Save ${name}` })).toHaveAttribute('aria-pressed', 'true')
    else {
      await buyer.getByRole('link', { name: `Save ${name}` }).click()
      await expect(buyer.getByRole('region', { name: 'You have saved this already.' })).toContainText(name)
      await expect(buyer.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)
    }

    const price = { originalprice: 80_000, offerprice: 0, weight: 420 }
    expect((await callApi(page, 'PUT', `/update-product/id=${id}&quantity=2&sold=false&issandhaisale=false`, price)).status()).toBe(200)
    await buyer.goto('/en/saved')
    await expect(buyer.getByRole('region', { name: /^Animals/ })).toContainText('Was ₹85,000: ₹5,000 less now')
    const alerts = buyer.getByRole('listitem').filter({ hasText: 'Saved animals and searches' })
    await alerts.getByRole('button', { name: 'Switch off' }).click()
    await expect(buyer.getByRole('main').getByRole('status')).toHaveText('Changed.')
    await expect(alerts.getByRole('button', { name: 'Switch on' })).toBeVisible()

    await buyer.goto('/en/me')
    await expect(buyer.getByRole('link', { name: /^Saved/ })).toContainText('Animals: 1, searches: 1')
    await expectWell()
    await buyer.getByRole('link', { name: /^Saved/ }).click()
    await buyer.getByRole('button', { name: `Remove ${name}` }).click()
    await expect(buyer.getByRole('main').getByRole('status')).toHaveText('Removed.')
    await expect(buyer.getByText('Nothing saved yet.')).toBeVisible()
    await context.close()
  })
