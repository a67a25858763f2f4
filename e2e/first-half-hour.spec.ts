import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, onPhones, test, untilAlive } from './market.ts'
import {
  PHONE,
  byBar,
  byMenu,
  choose,
  codeAtOutbox,
  follow,
  logIn,
  look,
  newcomer,
  openMenu,
  part,
  tap,
  tick,
  write,
  type Newcomer,
  type Tally,
} from './newcomer.ts'
import { newPhone, PASSWORD, typeAsLongAsAPerson } from './people.ts'
import { openStep } from './sellers.ts'

// Somebody clones the project, starts it, and tries for half an hour what the pages offer: without the documents, and without the API.

const drawings = join(import.meta.dirname, '../demo/pictures')
const photo = join(
  drawings,
  readdirSync(drawings).find((name) => name.endsWith('.jpg'))!,
)

/** The sample market's people as the login names them, and a link that only their menu has. */
const sample = {
  Buyer: 'My Orders',
  Seller: 'View Listed Products',
  'Buyer and seller': 'View Listed Products',
  Agent: 'View Listed Products',
  Vet: 'Livestock Checkup',
  'Vet, waiting for approval': 'Livestock Checkup',
  Admin: 'Office',
}

const main = ({ page }: Newcomer) => page.getByRole('main')
const status = (who: Newcomer) => main(who).getByRole('status')
const button = (who: Newcomer, name: string): Locator => main(who).getByRole('button', { name, exact: true })
const box = (who: Newcomer, name: string | RegExp): Locator => main(who).getByRole('textbox', { name })

async function changeLanguage(who: Newcomer): Promise<void> {
  const { page } = who
  await untilAlive(page)
  await tap(who, page.getByRole('banner').getByRole('link', { name: 'தமிழ்' }))
  await expect(page.locator('html')).toHaveAttribute('lang', 'ta')
  await untilAlive(page)
  await tap(who, page.getByRole('banner').getByRole('link', { name: 'English' }))
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
}

/** Everybody starts at the Tamil home page, and changes to English. */
async function openHome(who: Newcomer): Promise<void> {
  const { page } = who
  await page.goto('/')
  await look(who)
  await tap(who, page.getByRole('banner').getByRole('link', { name: 'English' }))
  await expect(page).toHaveURL(/\/en$/)
  await look(who)
}

async function comeAndGo(who: Newcomer, role: string, link: string): Promise<void> {
  await logIn(who, role)
  const menu = await openMenu(who)
  await expect(menu.getByRole('link', { name: link, exact: true })).toBeVisible()
  await follow(who, menu.getByRole('link', { name: 'SignOut' }))
  await expect(who.page.getByRole('banner').getByText('Main menu')).toBeAttached()
}

interface Account {
  phone: string
  name: string
  type: RegExp
  pan?: string
}

async function register(who: Newcomer, { phone, name, type, pan }: Account): Promise<void> {
  const { page } = who
  await tap(who, (await openMenu(who)).getByRole('link', { name: 'Login/register' }))
  await tap(who, page.getByRole('dialog').getByRole('button', { name: 'New User Registration' }))
  const form = page.getByRole('dialog')
  await write(who, form.getByRole('textbox', { name: 'Name', exact: true }), name)
  await write(who, form.getByRole('textbox', { name: 'Phone number' }), phone)
  await write(who, form.getByRole('textbox', { name: /^Password/ }), PASSWORD)
  await tick(who, form.getByRole('radio', { name: type }))
  if (pan) await write(who, form.getByRole('textbox', { name: /^PAN/ }), pan)
  await tick(who, form.getByRole('checkbox', { name: /^I am 18/ }))
  await tap(who, form.getByRole('button', { name: 'Register', exact: true }))
  await expect(page.getByRole('heading', { name: 'Verify Mobile OTP' })).toBeVisible()
  await write(who, page.getByRole('textbox', { name: 'OTP' }), await codeAtOutbox(who, phone))
  await tap(who, page.getByRole('button', { name: 'Verify', exact: true }))
  await expect(page.getByRole('banner').getByText('My menu')).toBeAttached()
}

async function writeAddress(who: Newcomer, pincode: string, place: string): Promise<void> {
  await write(who, box(who, 'PIN code'), pincode)
  await expect(main(who)).toContainText(place)
  await write(who, box(who, 'Address line 1'), '12 Gandhi Street')
  await write(who, box(who, 'Address line 2'), 'Near the bus stand')
  await tap(who, button(who, 'Save address'))
}

interface Animal {
  name: string
  species: string
  answers: string[]
  weight: string
  price: string
}

/** A district of its own, because other journeys list, decide and check elsewhere at the same time. */
const DISTRICT = 'Kanniyakumari'

const animals = (unique: string): [Animal, Animal, Animal] => [
  {
    name: `Trial cow ${unique}`,
    species: 'Cow',
    answers: ['Kangayam', 'Female', '3-4 years', 'White'],
    weight: '310',
    price: '78000',
  },
  {
    name: `Trial hen ${unique}`,
    species: 'Chicken',
    answers: ['Siruvidai', 'Female', '6-9 months', 'Brown'],
    weight: '1.2',
    price: '620',
  },
  {
    name: `Trial answer ${unique}`,
    species: 'Cow',
    answers: ['Kangayam', 'Female', '3-4 years', 'Grey'],
    weight: '300',
    price: '70000',
  },
]

/** From the first photo to "sent". */
async function list(who: Newcomer, { name, species, answers, weight, price }: Animal): Promise<void> {
  const { page } = who
  const next = () => tap(who, main(who).getByRole('link', { name: 'Next', exact: true }).locator('visible=true').first())
  await look(who)
  await page.locator('#listing-image').setInputFiles(photo)
  who.tally.taps += 1
  await expect(page.locator('#photos').getByText('✓ Sent')).toHaveCount(1)
  await next()
  for (const answer of [species, ...answers]) await tick(who, main(who).getByRole('radio', { name: answer, exact: true }))
  await write(who, page.locator('#listing-weightKg'), weight)
  await next()
  await write(who, page.locator('#listing-originalPrice'), price)
  await openStep(page, 'check')
  who.tally.taps += 1
  await write(who, page.locator('#listing-name'), name)
  await write(who, page.locator('#listing-description'), 'Healthy and calm.')
  await tick(who, page.locator('input[name=isAllowed]'))
  await tap(who, page.locator('[data-send]'))
  await expect(page).toHaveURL(/sent=\d+/)
  await look(who)
}

/** An admin looks through the district's queue for the animal, and decides. */
async function decide(who: Newcomer, { name }: Animal, verdict: 'Pass' | 'Fail', comment: string): Promise<void> {
  const { page } = who
  await byMenu(who, 'Verify listings')
  await look(who)
  const district = page.getByRole('combobox').filter({ hasText: 'Every district' })
  await choose(who, district, await district.locator('option', { hasText: DISTRICT }).innerText())
  await expect(page).toHaveURL(/district=/)
  const shown = main(who).getByRole('heading', { level: 2 }).first()
  for (;;) {
    await look(who)
    const at = await shown.innerText()
    if (at === name) break
    await tap(who, main(who).getByRole('link', { name: 'Next', exact: true }))
    await expect(shown).not.toHaveText(at)
  }
  await tick(who, main(who).getByRole('radio', { name: verdict }))
  await write(who, box(who, 'Comment'), comment)
  await tap(who, button(who, 'Save verdict'))
  await expect(status(who)).toContainText('Successfully saved verification response.')
}

/** A vet finds the animal at their desk and checks it on its own page. */
async function check(who: Newcomer, { name }: Animal): Promise<void> {
  const { page } = who
  await byMenu(who, 'Livestock Checkup')
  await look(who)
  await tap(who, main(who).getByText('Filter Options'))
  await choose(who, main(who).getByLabel('District'), DISTRICT)
  await expect(page).toHaveURL(/district=/)
  await follow(who, main(who).getByRole('article').filter({ hasText: name }).getByRole('link', { name, exact: true }))
  await look(who)
  const panel = page.getByRole('tabpanel')
  await tick(who, panel.getByRole('radio', { name: 'Pass' }))
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Kolkata' }).format(new Date())
  await write(who, panel.getByLabel('Checked-On'), today)
  await write(who, panel.getByRole('textbox', { name: 'Comments' }), 'Udder sound, walks well.')
  await tap(who, panel.getByRole('button', { name: 'Save the check' }))
  await expect(panel.getByRole('status')).toHaveText('The check is saved. Thank you.')
}

/** A buyer finds the animal by its name, and puts it into the cart. */
async function putInCart(who: Newcomer, { name }: Animal): Promise<void> {
  const { page } = who
  await byBar(who, 'Buy')
  await look(who)
  await write(who, main(who).getByRole('searchbox'), name)
  await follow(who, main(who).getByRole('button', { name: 'Search', exact: true }))
  await expect(page).toHaveURL(/q=/)
  await follow(who, main(who).getByRole('link', { name, exact: true }))
  await look(who)
  await expect(main(who)).toContainText('Checked by: Meena Rajagopal')
  await tap(who, page.getByRole('button', { name: 'Add to cart' }))
  await follow(who, page.getByRole('dialog', { name: 'Congrats! Item added' }).getByRole('link', { name: 'View Mycart' }))
  await expect(page).toHaveURL(/my-cart$/)
  await look(who)
  await follow(who, main(who).getByRole('link', { name: 'Continue Order' }))
  await look(who)
}

/** Confirms the order; returns its number. */
async function order(who: Newcomer): Promise<string> {
  const { page } = who
  await expect(page).toHaveURL(/confirm-order/)
  await look(who)
  await expect(main(who)).toContainText('Nothing now.')
  await tap(who, button(who, 'Place Order'))
  await expect(page.getByRole('heading', { name: 'Your order is placed' })).toBeVisible()
  await look(who)
  return /SN-\d{6}/.exec(await main(who).innerText())![0]
}

async function cancel(who: Newcomer, number: string): Promise<void> {
  const { page } = who
  await follow(who, main(who).getByRole('link', { name: 'My Orders' }))
  await look(who)
  const card = main(who).getByRole('article').filter({ hasText: number })
  await tap(who, card.getByRole('button', { name: 'Cancel Order' }))
  await tap(who, page.getByRole('dialog', { name: 'Cancel Order' }).getByRole('button', { name: 'Yes', exact: true }))
  await expect(status(who)).toHaveText('The order is cancelled.')
  await expect(card).toContainText('Cancelled')
  await look(who)
}

/** An admin moves the order along to the door, and records the payment. */
async function deliver(who: Newcomer, number: string): Promise<void> {
  const { page } = who
  await byMenu(who, 'View Orders')
  await look(who)
  await follow(who, main(who).getByRole('link', { name: new RegExp(number) }))
  await look(who)
  const card = page.getByRole('region', { name: number })
  const save = card.getByRole('button', { name: 'Save', exact: true })
  for (const step of ['Order confirmed', 'Ready for pickup', 'On the way']) {
    await choose(who, card.getByLabel('Status'), step)
    await tap(who, save)
    await expect(status(who)).toHaveText('The status is saved.')
    await expect(card.getByLabel('Status').locator('option:checked')).toHaveText(step)
  }
  await choose(who, card.getByLabel('Status'), 'Delivered')
  await choose(who, card.getByLabel('Paid by'), 'UPI')
  await write(who, card.getByLabel('Note'), 'Told by phone.')
  await tap(who, save)
  await expect(card).toContainText('paid by UPI')
  await look(who)
}

async function readReceipt(who: Newcomer, number: string): Promise<void> {
  const { page } = who
  await byMenu(who, 'My Orders')
  const card = main(who).getByRole('article').filter({ hasText: number })
  await expect(card).toContainText('Delivered')
  await look(who)
  await tap(who, card.getByRole('link', { name: 'View Invoice' }))
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  await expect(receipt).toContainText(number)
  await tap(who, receipt.getByRole('button', { name: 'Close' }))
}

async function review(who: Newcomer, number: string): Promise<void> {
  const { page } = who
  const card = main(who).getByRole('article').filter({ hasText: number })
  await follow(who, card.getByRole('link', { name: 'Tell others how the seller was' }))
  await look(who)
  await tick(who, page.getByRole('radio', { name: '5 out of 5' }))
  await write(who, box(who, 'Comment'), 'The cow is as described.')
  await tap(who, button(who, 'Save'))
  await expect(page.locator('#reviews')).toContainText('The cow is as described.')
  await look(who)
}

async function ask(who: Newcomer, words: string): Promise<void> {
  await byMenu(who, 'Post what you need')
  await look(who)
  await tick(who, main(who).getByRole('radio', { name: 'Livestock' }))
  await tick(who, main(who).getByRole('radio', { name: 'Cattle', exact: true }))
  await choose(who, main(who).getByRole('combobox', { name: 'Breed' }), 'Kangayam')
  await write(who, box(who, 'Details'), words)
  await write(who, main(who).getByLabel('Price for one'), '90000')
  await write(who, main(who).getByLabel('Around which PIN code'), '629001')
  await tap(who, button(who, 'Post requirement'))
  await expect(status(who)).toContainText('Enquiry posted successfully.')
  await look(who)
}

async function approve(who: Newcomer, asker: string): Promise<void> {
  await byMenu(who, 'Enquiries')
  await look(who)
  await follow(who, main(who).getByRole('row').filter({ hasText: asker }).getByRole('link'))
  await look(who)
  await tick(who, main(who).getByRole('checkbox').first())
  await write(who, main(who).getByLabel('Comment'), 'Called them.')
  await tap(who, button(who, 'Approve'))
  await expect(status(who)).toContainText('Succesfully approved requirement request for posting.')
}

async function answer(who: Newcomer, words: string, animal: Animal): Promise<void> {
  await byBar(who, 'Wanted')
  await look(who)
  await follow(who, main(who).getByRole('article').filter({ hasText: words }).getByRole('link').first())
  await look(who)
  await tap(who, button(who, 'Respond'))
  await expect(who.page).toHaveURL(/\/en\/sell/)
  await list(who, animal)
  await follow(who, main(who).getByRole('link', { name: 'See that enquiry' }))
  await expect(main(who)).toContainText(animal.name)
  await look(who)
}

async function discuss(who: Newcomer, words: string): Promise<void> {
  await byMenu(who, 'Forum')
  await look(who)
  await write(who, box(who, 'What do you want'), words)
  await typeAsLongAsAPerson(who.page)
  await tap(who, button(who, 'Post'))
  await expect(status(who)).toHaveText('Your discussion has been shared.')
  await follow(who, main(who).getByRole('article').filter({ hasText: words }).getByRole('link', { name: 'Reply' }))
  await look(who)
  await write(who, box(who, 'Your reply'), 'Green fodder, and salt.')
  await typeAsLongAsAPerson(who.page)
  await tap(who, button(who, 'Send reply'))
  await expect(status(who)).toHaveText('Your reply sent successfully!')
  await look(who)
}

/** Returns the link that they would send to a friend. */
async function rename(who: Newcomer, name: string): Promise<string> {
  await byMenu(who, 'My Profile')
  await look(who)
  const invitation = main(who)
    .getByRole('region', { name: 'Invite others' })
    .getByRole('link', { name: /refcode\/[A-Z0-9]{10}$/ })
  const link = await invitation.innerText()
  const share = main(who).getByRole('link', { name: 'Share on WhatsApp' })
  await expect(share).toHaveAttribute('href', new RegExp(encodeURIComponent(link)))
  await follow(who, main(who).getByRole('link', { name: 'Edit Profile' }))
  await look(who)
  await write(who, main(who).getByLabel('Name', { exact: true }), name)
  await tap(who, button(who, 'Save'))
  await expect(main(who)).toContainText(name)
  await look(who)
  return link
}

/** A friend follows the link and registers, which earns the sender ₹25. */
async function bringFriend(who: Newcomer, link: string): Promise<void> {
  const friend = await newcomer(who.browser, who.tally)
  await friend.page.goto(link)
  await expect(main(friend)).toContainText('A friend invited you.')
  await look(friend)
  await register(friend, { phone: newPhone(), name: 'Kani', type: /^Buyer I/ })
  await friend.page.context().close()
  await who.page.reload()
  const menu = await openMenu(who)
  await expect(menu).toContainText('Your bonus: ₹25')
  await tap(who, menu.locator('summary'))
}

test.slow()
test.use({ viewport: PHONE })

interface Crowd {
  tally: Tally
  visitor: Newcomer
  admin: Newcomer
  vet: Newcomer
  buyer: Newcomer
  /** In the names of this try, so that a second try on the same site finds its own. */
  unique: string
}

async function startAndSell({ tally, visitor }: Crowd, [cow, hen]: [Animal, Animal]): Promise<void> {
  await part(tally, 'open home', 1, () => openHome(visitor))
  for (const [role, link] of Object.entries(sample)) await part(tally, `log in and out as ${role}`, 5, () => comeAndGo(visitor, role, link))
  await part(tally, 'register a seller and buyer', 13, () =>
    register(visitor, { phone: newPhone(), name: 'Meena', type: /^Buyer and seller/, pan: 'ABCDE1234F' }),
  )
  await part(tally, 'add a pickup address', 6, async () => {
    await byBar(visitor, 'Sell')
    await look(visitor)
    await writeAddress(visitor, '629001', DISTRICT)
    await look(visitor)
    await follow(visitor, main(visitor).getByRole('link', { name: 'Continue', exact: true }))
  })
  await part(tally, 'list a cow', 15, () => list(visitor, cow))
  await part(tally, 'list a hen', 17, async () => {
    await follow(visitor, main(visitor).getByRole('link', { name: 'Sell another' }))
    await list(visitor, hen)
    await follow(visitor, main(visitor).getByRole('link', { name: 'My listings', exact: true }))
    for (const { name } of [cow, hen]) await expect(main(visitor).getByRole('article').filter({ hasText: name })).toBeVisible()
    await look(visitor)
  })
}

// Each further animal in the district's queue is one more tap before a verdict.
async function judge({ tally, admin, vet }: Crowd, [cow, hen]: [Animal, Animal]): Promise<void> {
  await part(tally, 'log in as admin', 3, () => logIn(admin, 'Admin'))
  await part(tally, 'pass the cow', 12, () => decide(admin, cow, 'Pass', 'Photos and facts agree.'))
  await part(tally, 'fail the hen', 12, () => decide(admin, hen, 'Fail', 'The photo shows another animal.'))
  await part(tally, 'log in as vet', 3, () => logIn(vet, 'Vet'))
  await part(tally, 'check the cow', 9, () => check(vet, cow))
}

async function buy({ tally, admin, buyer }: Crowd, name: string, cow: Animal): Promise<void> {
  await part(tally, 'register a buyer', 12, () => register(buyer, { phone: newPhone(), name, type: /^Buyer I/ }))
  await part(tally, 'put the cow into the cart', 7, () => putInCart(buyer, cow))
  await part(tally, 'add a delivery address', 5, async () => {
    await writeAddress(buyer, '641001', 'Coimbatore')
    await look(buyer)
    await follow(buyer, main(buyer).getByRole('link', { name: 'Continue', exact: true }))
  })
  let number = ''
  await part(tally, 'order', 1, async () => void (number = await order(buyer)))
  await part(tally, 'cancel', 3, () => cancel(buyer, number))
  await part(tally, 'order again', 9, async () => {
    await putInCart(buyer, cow)
    await follow(buyer, main(buyer).getByRole('link', { name: 'Proceed with this address' }))
    number = await order(buyer)
  })
  await part(tally, 'deliver', 13, () => deliver(admin, number))
  await part(tally, 'read the receipt', 4, () => readReceipt(buyer, number))
  await part(tally, 'review the seller', 4, () => review(buyer, number))
}

async function talk({ tally, visitor, admin, buyer, unique }: Crowd, name: string, second: Animal): Promise<void> {
  const wish = `A calm cow for milk ${unique}`
  await part(tally, 'ask on the wanted board', 9, () => ask(buyer, wish))
  await part(tally, 'approve the enquiry', 6, () => approve(admin, name))
  await part(tally, 'answer the enquiry', 19, () => answer(visitor, wish, second))
  await part(tally, 'pass the answer', 12, () => decide(admin, second, 'Pass', 'As asked for.'))
  await part(tally, 'start a discussion and reply', 7, () => discuss(buyer, `What does a cow eat? ${unique}`))
  let link = ''
  await part(tally, 'change the name', 5, async () => void (link = await rename(buyer, `${name} Amma`)))
  await part(tally, 'bring a friend by the referral link', 14, () => bringFriend(buyer, link))
  await part(tally, 'change the language and back', 2, () => changeLanguage(buyer))
}

test('somebody tries the market for half an hour', { tag: onPhones }, async ({ page, browser }) => {
  const tally: Tally = { taps: 0, refused: [] }
  const unique = String(Date.now() % 1_000_000_000)
  const [visitor, admin, vet, buyer] = [
    await newcomer(browser, tally, page),
    await newcomer(browser, tally),
    await newcomer(browser, tally),
    await newcomer(browser, tally),
  ]
  for (const each of [admin, vet, buyer]) await openHome(each)
  const crowd: Crowd = { tally, visitor, admin, vet, buyer, unique }
  const [cow, hen, second] = animals(unique)
  const name = `Selvi ${unique}`
  await startAndSell(crowd, [cow, hen])
  await judge(crowd, [cow, hen])
  await buy(crowd, name, cow)
  await talk(crowd, name, second)
  for (const each of [admin, vet, buyer]) await each.page.context().close()
})
