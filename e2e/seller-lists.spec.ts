import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import sharp from 'sharp'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'
import { askForType, loginByApi, newPhone, ownId, registerByApi } from './people.ts'
import { photograph } from './photographs.ts'
import { chooseSpecies, openStep, describeAnimal, writeOn } from './sellers.ts'

const drawings = join(import.meta.dirname, '../demo/pictures')
const [first, second, third, fourth] = readdirSync(drawings)
  .filter((name) => name.endsWith('.jpg'))
  .slice(0, 4)
  .map((name) => join(drawings, name)) as [string, string, string, string]

const SELLER_TYPE = 2
const csrfOf = async (page: Page) => ({
  'X-CSRFToken': (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value,
})

/** A new seller for this test, with a pickup address. Returns their id. */
async function becomeSeller(page: Page, phone = newPhone()): Promise<number> {
  await registerByApi(page, phone)
  const id = await ownId(page)
  const address = { name: 'பண்ணை', phone, type: 2, address_1: '4/12 தோட்டத்துச் சாலை', address_2: 'வெள்ளகோவில்', pincode: '638701' }
  const added = await page.context().request.post(`/api/v1/user-address/user=${id}`, { data: address, headers: await csrfOf(page) })
  expect(added.status()).toBe(200)
  await askForType(page, id, SELLER_TYPE)
  await page.context().request.get('/api/v1/csrf')
  return id
}
/** Everything except the pictures. */
async function fillInFowl(page: Page): Promise<void> {
  await page.goto('/en/sell')
  await untilAlive(page)
  await chooseSpecies(page, 'Chicken')
  const answers = { breed: 'Aseel', sex: 'Female', age: '3-6 months', color: 'Black', weight: '2', price: '450' }
  await describeAnimal(page, { ...answers, name: 'Country fowl', description: 'Grown on the farm' })
}

const photosOf = (page: Page) => page.locator('#photos')
const tilesOf = (page: Page) =>
  photosOf(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('img') })
const send = (page: Page) => page.locator('[data-send]')
const listingsOf = async (page: Page, id: number) =>
  (await (await page.context().request.get(`/api/v1/sellerproducts/seller=${id}&type=2&getitems=instock&top=0`)).json()) as {
    name: string
    product_variant: { product_images: unknown[] }[]
  }[]

test('a keeper lists a cow in Tamil over a connection that breaks twice, finds the typed text again, and sends it once', async ({
  page,
  context,
}) => {
  test.slow()
  const id = await becomeSeller(page)
  await page.goto('/sell')
  await untilAlive(page)

  // The first break: a picture fails, and is retried by hand.
  await page.route('**/api/v1/listing-draft/photo', (route) => route.abort('internetdisconnected'))
  await page.locator('#listing-image').setInputFiles(first)
  const failed = photosOf(page).getByRole('alert')
  await expect(failed).toContainText('நெட் துண்டிக்கப்பட்டது')
  await page.unroute('**/api/v1/listing-draft/photo')
  await failed.getByRole('button', { name: 'மீண்டும் அனுப்ப' }).click()
  await expect(photosOf(page).getByText('✓ வந்துவிட்டது')).toHaveCount(1)

  // A file that is no picture is refused permanently: there is no retry, only removal.
  await page.locator('#listing-image').setInputFiles({ name: 'price.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') })
  await expect(failed).toContainText('JPEG')
  await expect(failed.getByRole('button')).toHaveCount(0)
  await page.getByRole('button', { name: 'படம் 2: நீக்க' }).click()
  await expect(tilesOf(page)).toHaveCount(1)

  await openStep(page, 'animal')
  await page.getByRole('radio', { name: 'மாடு', exact: true }).check()
  await openStep(page, 'check')
  await writeOn(page, 'name', 'காங்கேயம் லட்சுமி')
  await expect(page.getByText('✓ சேமிக்கப்பட்டது')).toBeVisible()

  // The second break: the connection is lost, the page is closed, and the text written meanwhile waits on the phone.
  await context.setOffline(true)
  await openStep(page, 'photos')
  await page.locator('#listing-image').setInputFiles(second)
  await openStep(page, 'animal')
  await page.getByRole('radio', { name: 'காங்கேயம்', exact: true }).check()
  await page.getByRole('radio', { name: 'பெண்', exact: true }).check()
  await page.locator('#listing-milkLitresPerDay').fill('௮.௫')
  await openStep(page, 'price')
  await writeOn(page, 'originalPrice', '௮௫,௦௦௦')
  await expect(page.getByText('✓ இந்தப் போனில் சேமிக்கப்பட்டது.')).toBeVisible()
  await context.setOffline(false)
  await page.goto('/buy/0')
  await page.goto('/sell')
  await untilAlive(page)
  await expect(page.locator('#listing-name')).toHaveValue('காங்கேயம் லட்சுமி')
  await expect(page.locator('#listing-milkLitresPerDay')).toHaveValue('௮.௫')
  await expect(photosOf(page).getByText('✓ வந்துவிட்டது')).toHaveCount(2)
  await openStep(page, 'animal')
  await expect(page.getByRole('radio', { name: 'பெண்', exact: true })).toBeChecked()
  await openStep(page, 'price')
  await expect(page.getByText('பரிந்துரைக்கும் விலை: ₹89,250')).toBeVisible()

  // Disabled until everything is filled in.
  await openStep(page, 'check')
  await expect(send(page)).toHaveAttribute('aria-disabled', 'true')
  await send(page).click({ force: true })
  // The first missing answer is shown on its own step, and the bar marks the incomplete steps.
  const age = page.getByRole('radio', { name: '0-3 மாதம்', exact: true })
  await expect(age).toBeFocused()
  await expect(page.locator('nav a[href="#species"]')).toContainText('விடுபட்டது உள்ளது')
  await openStep(page, 'check')
  await expect(page.getByRole('alert').filter({ hasText: '* குறியிட்ட' })).toBeVisible()
  await openStep(page, 'animal')
  await page.getByRole('radio', { name: '3-4 வயது', exact: true }).check()
  await page.getByRole('radio', { name: 'வெள்ளை', exact: true }).check()
  await page.locator('#listing-girthCm').evaluate((box) => (box.closest('details')!.open = true))
  await page.locator('#listing-girthCm').fill('150')
  await page.locator('#listing-lengthCm').fill('130')
  await page.getByRole('button', { name: '270 கிலோ என்று எழுத' }).click()
  await openStep(page, 'price')
  await page.locator('#listing-vaccine1').selectOption({ index: 1 })
  await page.locator('#listing-dose1').selectOption('2')
  await page.locator('#listing-vaccinated1').fill('2026-05-04')
  await openStep(page, 'check')
  // The seller has written the name themselves; the description is proposed greyed, and is still missing.
  const proposal = /^காங்கேயம் பசு, 3-4 வயது\. நிறம்: வெள்ளை\. எடை: 270 கிலோ\..* 8\.5 லிட்டர்\./
  const description = page.locator('#listing-description')
  await expect(page.locator('#listing-name')).toHaveValue('காங்கேயம் லட்சுமி')
  await expect(description).toHaveValue('')
  await expect(description).toHaveAttribute('placeholder', proposal)
  await expect(description).toHaveAttribute('aria-invalid', 'true')
  // A tap takes it; it follows the answers until the seller changes it.
  await description.click()
  await expect(description).toHaveValue(proposal)
  await writeOn(page, 'weightKg', '271')
  await openStep(page, 'check')
  await expect(description).toHaveValue(/எடை: 271 கிலோ/)
  await writeOn(page, 'description', 'நல்ல குணம். காலை ஐந்து லிட்டர், மாலை மூன்றரை லிட்டர்.')
  // Wait for the save before sending: a later save would discover that the listing exists.
  const saved = page.waitForResponse((to) => to.url().endsWith('/listing-draft') && !!to.request().postData()?.includes('isAllowed'))
  await page.getByRole('checkbox', { name: /காட்டு விலங்கு/ }).check()
  await expect(send(page)).toHaveAttribute('aria-disabled', 'false')
  await saved
  await expectNoSidewaysScroll(page)

  // The answer is lost: the listing exists, and the second submit finds it.
  let sendings = 0
  await page.route('**/sell.data*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sendings += 1
    await route.fetch({ maxRedirects: 0 })
    await route.abort('internetdisconnected')
  })
  await send(page).click()
  const failure = page.getByRole('dialog', { name: 'பதிவிட முடியவில்லை!' })
  await expect(failure).toBeVisible()
  await page.unroute('**/sell.data*')
  await failure.getByRole('button', { name: 'மீண்டும் முயலுங்கள்' }).click()
  await expect(page.getByRole('dialog', { name: 'அனுப்பிவிட்டீர்கள்!' })).toBeVisible()
  await expect(page).toHaveURL(/\/sell\?sent=\d+$/)
  expect(sendings).toBe(1)
  const listings = await listingsOf(page, id)
  expect(listings.map(({ name, product_variant: [variant] }) => [name, variant!.product_images.length])).toEqual([['காங்கேயம் லட்சுமி', 2]])

  await page.getByRole('link', { name: 'இன்னொன்று விற்க' }).click()
  await untilAlive(page)
  await expect(tilesOf(page)).toHaveCount(0)
  await openStep(page, 'animal')
  await expect(page.getByRole('radio', { name: 'மாடு', exact: true })).not.toBeChecked()
})

test(
  'in Tamil on a phone a cow is listed with at most 15 taps and 25 typed characters, and at most 600 KB are sent',
  { tag: core },
  async ({ page }) => {
    await becomeSeller(page)
    const photographs = [await photograph(1), await photograph(2), await photograph(3)]
    await page.goto('/sell')
    await untilAlive(page)
    const requests: Request[] = []
    page.on('requestfinished', (request) => requests.push(request))
    await page.evaluate(() => {
      const counts = { taps: 0, characters: 0 }
      addEventListener('pointerdown', () => (counts.taps += 1), true)
      addEventListener('keydown', ({ key }) => key.length === 1 && (counts.characters += 1), true)
      Object.assign(window, { counts })
    })
    const next = page.getByRole('link', { name: 'அடுத்து' })
    const answer = (name: string) => page.getByRole('radio', { name, exact: true }).click()

    const chooser = page.waitForEvent('filechooser')
    await page.locator('#listing-image').click()
    await (await chooser).setFiles(photographs)
    await next.click()
    for (const name of ['மாடு', 'காங்கேயம்', 'பெண்', '3-4 வயது', 'வெள்ளை']) await answer(name)
    await page.locator('#listing-weightKg').click()
    await page.keyboard.type('310')
    await next.click()
    await page.locator('#listing-originalPrice').click()
    await page.keyboard.type('85000')
    await expect(page.getByText('உங்கள் கைக்கு: ₹80,750')).toBeVisible()
    await next.click()
    await next.click()
    await page.getByRole('button', { name: 'இந்த வரிகளைப் பயன்படுத்த' }).click()
    await expect(page.locator('#listing-name')).toHaveValue('காங்கேயம் பசு, 3-4 வயது')
    await page.locator('#listing-isAllowed').or(page.locator('input[name=isAllowed]')).first().click()
    const counts = await page.evaluate(() => (window as unknown as { counts: { taps: number; characters: number } }).counts)
    await send(page).click()
    await expect(page.getByRole('dialog', { name: 'அனுப்பிவிட்டீர்கள்!' })).toBeVisible()
    const sizes = await Promise.all(
      requests.map(async (request) => {
        const headers = await request.allHeaders()
        return JSON.stringify(headers).length + Number(headers['content-length'] ?? 0)
      }),
    )
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    // The count includes the photos.
    expect(bytes).toBeGreaterThan(100_000)
    const effort = { taps: counts.taps + 1, characters: counts.characters, bytes }
    // One tap confirms the proposed words.
    const allowed = { taps: 15, characters: 25, bytes: 600_000 }
    expect(Object.entries(effort).filter(([name, count]) => count > allowed[name as keyof typeof allowed])).toEqual([])
  },
)

test('a listing sent with a lost answer is recognized on the next visit, and on another device too', async ({ page, browser }) => {
  const id = await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.locator('#listing-image').setInputFiles(first)
  await chooseSpecies(page, 'Goat')
  await fillInGoat(page)
  await expect(page.getByText('✓ Saved')).toBeVisible()
  // The same person finds everything on another device.
  const other = await browser.newContext({ storageState: await page.context().storageState() })
  const there = await other.newPage()
  await there.goto('/en/sell')
  await untilAlive(there)
  await expect(there.locator('#listing-name')).toHaveValue('Kodi goat')
  await expect(photosOf(there).getByText('✓ Sent')).toHaveCount(1)
  await page.route('**/sell.data*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch({ maxRedirects: 0 })
    await route.abort('internetdisconnected')
  })
  await send(page).click()
  await expect(page.getByRole('dialog', { name: 'Failure during registration!' })).toBeVisible()
  await writeOn(there, 'name', 'Kodi goat, calm')
  await expect(there.getByText('This has been sent already.')).toBeVisible()
  await other.close()
  await page.goto('/en/sell')
  await untilAlive(page)
  await openStep(page, 'animal')
  await expect(page.getByRole('radio', { name: 'Goat', exact: true })).not.toBeChecked()
  expect(await listingsOf(page, id)).toHaveLength(1)
})

test('two windows on one draft never silently overwrite each other: both versions are offered, and the chosen one stays', async ({
  page,
}) => {
  await becomeSeller(page)
  const saved = (of: Page) => expect(of.getByText('✓ Saved', { exact: true })).toBeVisible()
  await page.goto('/en/sell')
  await untilAlive(page)
  await chooseSpecies(page, 'Goat')
  await writeOn(page, 'name', 'First words')
  await saved(page)
  const there = await page.context().newPage()
  await there.goto('/en/sell')
  await untilAlive(there)
  await writeOn(there, 'name', 'Words of the second window')
  await saved(there)

  await writeOn(page, 'name', 'Words of the first window')
  const both = page.getByRole('alert').filter({ hasText: 'in another window or on another device' })
  await expect(both).toContainText('There: Words of the second window')
  const stored = async () => ((await (await page.request.get('/api/v1/listing-draft')).json()) as { typed: { name: string } }).typed.name
  expect(await stored()).toBe('Words of the second window')
  await both.getByRole('button', { name: 'What is here' }).click()
  await saved(page)
  expect(await stored()).toBe('Words of the first window')

  await writeOn(there, 'name', 'Once more in the second')
  await there.getByRole('alert').getByRole('button', { name: 'What is there' }).click()
  await expect(there.locator('#listing-name')).toHaveValue('Words of the first window')
})

test('while online, the form never claims to have saved on the phone: it retries and says so', async ({ page }) => {
  await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.route('**/api/v1/listing-draft', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 503, headers: { 'retry-after': '1' } }) : route.continue(),
  )
  await chooseSpecies(page, 'Goat')
  await expect(page.getByText('Not saved yet. We are trying again.')).toBeVisible()
  await expect(page.getByText(/Saved on this phone/)).toHaveCount(0)
  await page.unroute('**/api/v1/listing-draft')
  await writeOn(page, 'name', 'Goat')
  await expect(page.getByText('✓ Saved', { exact: true })).toBeVisible()
})

test('offline, a phone that is full never claims to have saved, and saves once it has room', async ({ page, context }) => {
  await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.evaluate(() => {
    const write = Object.getOwnPropertyDescriptor(Storage.prototype, 'setItem')!
    Storage.prototype.setItem = () => {
      throw new DOMException('no room', 'QuotaExceededError')
    }
    addEventListener('room', () => Object.defineProperty(Storage.prototype, 'setItem', write))
  })
  await context.setOffline(true)
  const failed = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT')
  await chooseSpecies(page, 'Goat')
  const full = page.getByText('This phone is full: what you write is not stored here.')
  await expect(full).toBeVisible()
  await failed
  await expect(full).toBeVisible()
  await expect(page.getByText(/Saved on this phone/)).toHaveCount(0)
  // The next attempt to save stores it.
  await page.evaluate(() => dispatchEvent(new Event('room')))
  await expect(page.getByText(/Saved on this phone/)).toBeVisible({ timeout: 20_000 })
  await context.setOffline(false)
})

test('a HEIC is refused on the phone with an explanation, blocks nothing, and another photo can be the main one', async ({ page }) => {
  const id = await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic'), Buffer.alloc(2000)])
  await page.locator('#listing-image').setInputFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer: heic })
  await expect(photosOf(page).getByRole('alert')).toContainText('Most compatible')
  const webp = { name: 'from-a-chat.webp', mimeType: 'image/webp', buffer: await sharp(third).webp().toBuffer() }
  const drawing = (path: string) => ({ name: 'drawing.jpg', mimeType: 'image/jpeg', buffer: readFileSync(path) })
  await page.locator('#listing-image').setInputFiles([drawing(first), drawing(second), webp])
  await expect(photosOf(page).getByText('✓ Sent')).toHaveCount(3)
  await expect(photosOf(page).getByRole('alert')).toHaveCount(0)
  const [, , last] = await page.locator('#photos li img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
  const saved = page.waitForResponse((to) => to.url().endsWith('/listing-draft') && !!to.request().postData()?.includes('mainPhoto'))
  await page.getByRole('button', { name: 'Make this the main photo Photo 3' }).click()
  await expect(page.getByRole('img', { name: 'Photo 1', exact: true })).toHaveAttribute('src', last!)
  await saved
  const { photos } = (await (await page.request.get('/api/v1/listing-draft')).json()) as { photos: { id: number; key: string }[] }
  await chooseSpecies(page, 'Goat')
  await fillInGoat(page)
  await send(page).click()
  await expect(page.getByRole('dialog', { name: 'Sent for sale!' })).toBeVisible()
  const [listing] = await listingsOf(page, id)
  expect(JSON.stringify(listing!.product_variant[0]!.product_images[0])).toContain(photos[2]!.key)
})

test('the form waits for running uploads, then submits automatically', async ({ page }) => {
  await becomeSeller(page)
  await fillInFowl(page)
  await expect(page.locator('#listing-milkLitresPerDay')).toHaveCount(0)
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/v1/listing-draft/photo', async (route) => {
    await held
    await route.continue()
  })
  await page.locator('#listing-image').setInputFiles([first, second])
  await send(page).click()
  const dialog = page.getByRole('dialog', { name: 'Uploading images, Please Wait!' })
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  release()
  await expect(page.getByRole('dialog', { name: 'Sent for sale!' })).toBeVisible()
})

test('a tap at the moment when the last upload finishes, before the page renders that, counts', async ({ page }) => {
  await becomeSeller(page)
  await fillInFowl(page)
  // After the answer the page is busy with other work, like a slow phone, and renders nothing.
  await page.evaluate(() => {
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      this.addEventListener('loadend', async () => {
        for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
        console.info('busy')
        const until = performance.now() + 2000
        while (performance.now() < until);
      })
      send.call(this, body)
    }
  })
  await send(page).scrollIntoViewIfNeeded()
  const button = (await send(page).boundingBox())!
  const busy = page.waitForEvent('console', (said) => said.text() === 'busy')
  await page.locator('#listing-image').setInputFiles(first)
  await busy
  await page.mouse.click(button.x + button.width / 2, button.y + button.height / 2)
  await expect(page.getByRole('dialog', { name: 'Sent for sale!' })).toBeVisible()
})

test('a refused answer in a folded section: the section opens, and the answer has the focus', async ({ page }) => {
  await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.locator('#listing-image').setInputFiles([first])
  await chooseSpecies(page, 'Goat')
  const answers = { breed: 'Salem Black', sex: 'Female', age: '1-2 years', color: 'Black', weight: '25', price: '9000' }
  await describeAnimal(page, { ...answers, name: 'Kodi goat', description: 'Grown on the farm' })
  await openStep(page, 'animal')
  const tag = page.locator('#listing-tag')
  await page.getByText('More details').click()
  await tag.fill('12')
  await page.getByText('More details').click()
  await expect(tag).toBeHidden()
  await openStep(page, 'check')
  await send(page).click()
  await expect(page.getByText('An ear tag has 12 digits')).toBeVisible()
  await expect(tag).toBeFocused()
})

test('a fourth picture and an offer above the price are refused with an explanation, and the preview shows what buyers will see', async ({
  page,
}) => {
  await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.locator('#listing-image').setInputFiles([first, second, third, fourth])
  await expect(photosOf(page).getByText('*Error: Max 3 files allowed!')).toBeVisible()
  await expect(photosOf(page).getByText('✓ Sent')).toHaveCount(3)
  // A removed photo stays in sight and comes back with one tap, until the form is sent.
  await page.getByRole('button', { name: 'Remove photo 3' }).click()
  await expect(tilesOf(page).nth(2)).toContainText('Removed')
  await page.getByRole('button', { name: 'Undo Photo 3' }).click()
  await expect(photosOf(page).getByText('Removed')).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove photo 3' }).click()
  await expectAxeClean(page)
  await chooseSpecies(page, 'Goat')
  await writeOn(page, 'name', 'Kodi goat')
  await writeOn(page, 'weightKg', '25')
  await writeOn(page, 'originalPrice', '10000')
  await expect(page.getByText('₹400 per kg')).toBeVisible()
  await page.locator('#listing-offerPrice').fill('12000')
  await expect(page.getByText('*Offer price cannot be greater than Original price')).toBeVisible()
  await page.locator('#listing-offerPrice').fill('9000')
  await expect(page.getByText('10% off')).toBeVisible()
  await openStep(page, 'animal')
  await page.getByRole('radio', { name: '2 teeth', exact: true }).check()
  await expect(page.getByText('Teeth like these usually mean about 1-2 years.')).toBeVisible()
  await page.getByRole('button', { name: 'Use this' }).click()
  await expect(page.getByRole('radio', { name: '1-2 years' })).toBeChecked()
  await openStep(page, 'check')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'This is how buyers will see it' })
  await expect(preview).toContainText('Kodi goat')
  await expect(preview).toContainText('₹9,000')
  await expectAxeClean(page)
  await preview.getByRole('button', { name: 'Close' }).click()
  await expectAxeClean(page)
  await openStep(page, 'photos')
  await page.getByText('Clear everything and start again').click()
  await page.getByRole('button', { name: 'Yes, clear it' }).click()
  await expect(tilesOf(page)).toHaveCount(0)
})

test('the buttons beside the weight go in steps of half a kilogram', async ({ page }) => {
  await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await chooseSpecies(page, 'Goat')
  const weight = page.locator('#listing-weightKg')
  await weight.fill('25')
  const press = (sign: '+' | '−') => page.getByRole('button', { name: `${sign} Weight of one`, exact: true }).click()
  await press('+')
  await expect(weight).toHaveValue('25.5')
  await press('−')
  await press('−')
  await expect(weight).toHaveValue('24.5')
  // Typed, it has two decimals.
  await weight.fill('24.25')
  await expect(weight).toHaveValue('24.25')
})

test('pregnancies are asked for a female of cattle, and neither for a male nor for a dog', async ({ page }) => {
  await becomeSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await openStep(page, 'animal')
  const pregnancies = page.locator('#listing-pregnancies')
  const choose = (name: string, value: string) => page.locator(`input[name=${name}][value="${value}"]`).check()
  await choose('categoryId', '1')
  await choose('genderId', '1')
  await expect(pregnancies).toBeHidden()
  await choose('genderId', '0')
  await expect(pregnancies).toBeVisible()
  await choose('genderId', '1')
  await expect(pregnancies).toBeHidden()
  await choose('categoryId', '5')
  await choose('genderId', '0')
  await expect(pregnancies).toBeHidden()
})

test('the owner edits a listing, and reads before saving whether it needs another verification', async ({ page }) => {
  // axe runs are slow on a busy machine.
  test.slow()
  await becomeSeller(page)
  const id = await listByForm(page)
  await page.goto(`/en/seller-product/${id}/edit`)
  await untilAlive(page)
  await expect(page.locator('#listing-name')).toHaveValue('Kodi goat')
  await writeOn(page, 'originalPrice', '9,000')
  await expect(page.getByText(/^New photos, another breed/)).toBeVisible()
  await openStep(page, 'animal')
  await page.getByRole('radio', { name: '2-3 years' }).check()
  await expect(page.getByText('After this change we check the listing again.')).toBeVisible()
  // Photos are those of the sell form: sent at once, put first or removed with a tap, and back again with another.
  await openStep(page, 'photos')
  await page.locator('#listing-image').setInputFiles([second, third])
  await expect(photosOf(page).getByText('✓ Sent')).toHaveCount(2)
  const sources = () => page.locator('#photos li img').evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src))
  const [own] = await sources()
  await page.getByRole('button', { name: 'Make this the main photo Photo 3' }).click()
  await expect.poll(async () => (await sources())[1]).toBe(own)
  await page.getByRole('button', { name: 'Remove photo 3' }).click()
  await expect(page.getByRole('button', { name: 'Undo Photo 3' })).toBeVisible()
  await expectAxeClean(page)
  // Not saved, it is all there again.
  await expect(page.getByText('✓ Kept for you. The listing changes when you press Save.')).toBeVisible()
  await page.reload()
  await untilAlive(page)
  await expect(page.getByRole('button', { name: 'Undo Photo 3' })).toBeVisible()
  await expect.poll(async () => (await sources())[1]).toBe(own)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/\/en\/seller-product\/\?done=pending$/)
  await page.goto(`/en/seller-product/${id}/edit`)
  await expect(page.getByRole('img', { name: 'Photo 2' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Photo 3' })).toHaveCount(0)
  expect((await sources())[1]).toBe(own)
  await openStep(page, 'animal')
  await expect(page.getByRole('radio', { name: '2-3 years' })).toBeChecked()
  // Another seller's listing is a 404.
  await becomeSeller(page)
  expect((await page.goto(`/en/seller-product/${id}/edit`))?.status()).toBe(404)
})

test('an unsaved change is restored on another device, disappears when discarded, and overwrites nothing without asking', async ({
  page,
  browser,
}) => {
  test.slow()
  const phone = newPhone()
  await becomeSeller(page, phone)
  const id = await listByForm(page)
  const path = `/en/seller-product/${id}/edit`
  const name = page.locator('#listing-name')
  const expectSaved = (of = page) => expect(of.getByText('✓ Kept for you. The listing changes when you press Save.')).toBeVisible()
  const isSaved = async () =>
    ((await (await page.request.get(`/api/v1/listing-draft?listing=${id}`)).json()) as { version: number }).version > 0
  await page.goto(path)
  await untilAlive(page)
  await openStep(page, 'check')
  await name.focus()
  await name.blur()
  expect(await isSaved()).toBe(false)
  await writeOn(page, 'name', 'Half a change')
  await expectSaved()

  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  await loginByApi(other, phone)
  await other.goto(path)
  await expect(other.locator('#listing-name')).toHaveValue('Half a change')
  await expect(other.getByText('What you changed and did not save is here again.')).toBeVisible()
  await expectAxeClean(other)
  await untilAlive(other)
  await other.locator('summary').filter({ hasText: 'Discard the changes' }).click()
  await other.getByRole('button', { name: 'Yes, discard' }).click()
  await expect(other.locator('#listing-name')).toHaveValue('Kodi goat')
  expect(await isSaved()).toBe(false)

  // Saved on the other device while the seller types here.
  await writeOn(other, 'originalPrice', '9100')
  await other.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other).toHaveURL(/done=/)
  await writeOn(page, 'name', 'Two at once')
  const asked = page.getByRole('alert').filter({ hasText: 'This listing has changed since you wrote this.' })
  await expect(asked).toBeVisible()
  await page.reload()
  await expect(asked).toBeVisible()
  await expect(name).toHaveValue('Two at once')
  await expectAxeClean(page)
  await untilAlive(page)
  await asked.getByRole('button', { name: 'What I wrote' }).click()
  await expect(asked).toHaveCount(0)
  await expectSaved()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/done=/)
  expect(await isSaved()).toBe(false)
  await page.goto(path)
  await expect(name).toHaveValue('Two at once')
  await untilAlive(page)
  await expect(asked).toHaveCount(0)
  await elsewhere.close()
})

test('a change typed offline waits on the phone over a reload, and is saved when online again', async ({ page, context }) => {
  test.slow()
  await becomeSeller(page)
  const id = await listByForm(page)
  const path = `/en/seller-product/${id}/edit`
  const stored = async () =>
    (await (await page.request.get(`/api/v1/listing-draft?listing=${id}`)).json()) as { version: number; typed: Record<string, string> }
  await page.goto(path)
  await untilAlive(page)
  await context.setOffline(true)
  await writeOn(page, 'name', 'Typed without a line')
  await writeOn(page, 'originalPrice', '9,400')
  await expect(page.getByText('✓ Saved on this phone. It is sent when the line is back.')).toBeVisible()
  // The page can be loaded again, but typed text cannot be saved yet.
  await page.route('**/api/v1/listing-draft*', (route) =>
    route.request().method() === 'PUT' ? route.abort('internetdisconnected') : route.continue(),
  )
  await context.setOffline(false)
  expect((await stored()).version).toBe(0)
  await page.reload()
  await untilAlive(page)
  await expect(page.locator('#listing-name')).toHaveValue('Typed without a line')
  await expect(page.locator('#listing-originalPrice')).toHaveValue('9,400')
  expect((await stored()).version).toBe(0)

  await page.unroute('**/api/v1/listing-draft*')
  // As when a phone finds its mast again.
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(page.getByText('✓ Kept for you. The listing changes when you press Save.')).toBeVisible()
  expect((await stored()).typed).toMatchObject({ name: 'Typed without a line', originalPrice: '9,400' })
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(/done=/)
  await page.goto(path)
  await expect(page.locator('#listing-name')).toHaveValue('Typed without a line')
})

test('an admin lists for a seller found by the whole number', async ({ page }) => {
  const phone = newPhone()
  const sellerId = await becomeSeller(page, phone)
  await loginByApi(page, '+919000000009', 'sandhai-demo')
  await page.goto('/en/sell')
  const other = page.getByRole('button', { name: 'Another seller' })
  await other.or(page.getByLabel("Seller's phone number")).first().waitFor()
  if (await other.isVisible()) {
    await untilAlive(page)
    await other.click()
  }
  await page.getByLabel("Seller's phone number").fill('90000 00001')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('No seller has this number')).toBeVisible()
  await page.getByLabel("Seller's phone number").fill(phone)
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('For Selvi')).toBeVisible()
  await untilAlive(page)
  await chooseSpecies(page, 'Goat')
  await openStep(page, 'place')
  await page.getByRole('link', { name: 'Add another address' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pickup address of Selvi')
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.locator('#listing-image').setInputFiles(third)
  await fillInGoat(page)
  await send(page).click()
  await expect(page.getByRole('dialog', { name: 'Sent for sale!' })).toBeVisible()
  expect((await listingsOf(page, sellerId)).map(({ name }) => name)).toEqual(['Kodi goat'])
})

test('a person who cannot sell reads how to begin', async ({ page }) => {
  await page.goto('/en/sell')
  await expect(page.getByRole('link', { name: 'Log in to sell' })).toHaveAttribute('href', '/en/login?next=%2Fen%2Fsell')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
  await registerByApi(page)
  await page.goto('/en/sell')
  await expect(page.getByText('Contact our admin to change your type to Seller/Agent...')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ask on WhatsApp' })).toHaveAttribute('href', /^https:\/\/wa\.me\//)
  await page.getByRole('link', { name: 'Start selling' }).click()
  await expect(page).toHaveURL(/userprofile\/\d+\?edit/)
})

const goat = { breed: 'Kodi Adu', sex: 'Female', age: '1-2 years', color: 'White', weight: '25', price: '9,500' }
const fillInGoat = (page: Page) => describeAnimal(page, { ...goat, name: 'Kodi goat', description: 'Healthy' })

/** Does not wait for scripts: the form must work without them. */
async function listByForm(page: Page): Promise<number> {
  await page.goto('/en/sell')
  await untilAlive(page)
  await page.locator('#listing-image').setInputFiles(first)
  await chooseSpecies(page, 'Goat')
  await fillInGoat(page)
  await send(page).click()
  await expect(page).toHaveURL(/sent=\d+/)
  return Number(/sent=(\d+)/.exec(page.url())![1])
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a goat is listed with two pictures, and a refusal loses neither text nor pictures', { tag: core }, async ({ page }) => {
    const id = await becomeSeller(page)
    await page.goto('/en/sell')
    await page.locator('#listing-image').setInputFiles([first, second])
    await page.getByRole('radio', { name: 'Goat', exact: true }).check()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(photosOf(page).getByRole('img')).toHaveCount(2)
    await page.locator('#listing-name').fill('Kodi goat')
    await page.locator('#listing-stock').fill('0')
    await page.getByRole('button', { name: 'Submit for sale' }).click()
    await expect(page.getByRole('alert').first()).toHaveText(
      'Please add details in required fields (marked with *) / upload photo if missing and then try Submitting again',
    )
    await expect(page.locator('#listing-stock')).toHaveAccessibleDescription(/A whole number from 1 to 10,000/)
    await expect(page.locator('#listing-name')).toHaveValue('Kodi goat')
    await expect(photosOf(page).getByRole('img')).toHaveCount(2)
    await page.getByRole('button', { name: 'Remove photo 2' }).click()
    await page.getByRole('button', { name: 'Undo Photo 2' }).click()
    await expect(photosOf(page).getByText('Removed')).toHaveCount(0)
    await page.getByRole('button', { name: 'Remove photo 2' }).click()
    await expect(photosOf(page).getByText('Removed')).toBeVisible()
    await page.locator('#listing-stock').fill('2')
    await fillInGoat(page)
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(page.getByText('This is how buyers will see it')).toBeVisible()
    await page.getByRole('button', { name: 'Submit for sale' }).click()
    await expect(page.getByRole('heading', { name: 'Sent for sale!' })).toBeVisible()
    const [listing] = await listingsOf(page, id)
    expect(listing!.product_variant[0]!.product_images).toHaveLength(1)
    const number = /sent=(\d+)/.exec(page.url())![1]
    await page.goto(`/en/seller-product/${number}/edit`)
    await page.locator('#listing-stock').fill('3')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL(/done=updated/)
    // A new photo is put first, and takes the place of the only one.
    await page.goto(`/en/seller-product/${number}/edit`)
    await page.locator('#listing-image').setInputFiles(third)
    await page.getByRole('button', { name: 'Remove photo 1' }).click()
    await expect(photosOf(page).getByText('✓ Sent')).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Undo Photo 2' })).toBeVisible()
    await page.locator('#listing-image').setInputFiles(fourth)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page).toHaveURL(/done=pending/)
    await page.goto(`/en/seller-product/${number}/edit`)
    await expect(photosOf(page).getByRole('img')).toHaveCount(2)
  })
})
