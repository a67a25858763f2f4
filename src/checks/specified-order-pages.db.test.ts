import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { users } from '#src/accounts/tables.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { daysBefore, formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { orders } from '#src/orders/tables.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { sharePages, type PageReader, type Reader } from '#tools/test-kit/page-reader.ts'
import { refusingRows } from '#tools/test-kit/refuse-rows.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

/**
 * B §2 on the pages that people see, sentence by sentence: cart, address book, confirmation, orders, receipt, the seller's lists and the vets'
 * desk. Most sentences that need scripts or several people are journeys in e2e/.
 */
let market: TestMarket
let pages: PageReader
let buyer: Reader, seller: Reader, admin: Reader
let cow: number, bull: number
let home: number, far: number
sharePages((opened) => ({ market, pages } = opened))
beforeAll(async () => {
  buyer = await pages.person({ name: 'Kavitha' })
  seller = await pages.person({ typeId: 2, name: 'Murugesan', isVerified: true })
  admin = await pages.person({ typeId: 9, name: 'Office', superAdmin: true })
  home = await makeAddress(market.ctx, buyer.id, { name: 'Kavitha at home', pincode: '641001' })
  far = await makeAddress(market.ctx, buyer.id, { name: 'Kavitha far away', pincode: '560001' })
  cow = await list({
    nameEn: 'Calm cow',
    descriptionEn: 'Nine litres a day',
    genderId: 0,
    stock: 7,
    weightKg: 310,
    offerPrice: rupees(75_000),
  })
  bull = await list({ nameEn: 'Fine bull', stock: 20 })
})

const list = (facts: ListingFacts) =>
  makeListing(market.ctx, {
    sellerId: seller.id,
    originalPrice: rupees(90_000),
    createdAt: daysBefore(market.ctx.now, 3),
    touchedAt: market.ctx.now,
    ...facts,
  })
const change = (id: number, columns: Partial<typeof listings.$inferInsert>) =>
  market.ctx.db.update(listings).set(columns).where(eq(listings.id, id))
/** Two cows, then one bull. */
async function fillCart(): Promise<void> {
  await market.ctx.db.delete(cartLines)
  await makeCartLine(market.ctx, { buyerId: buyer.id, listingId: cow, count: 2, seenPrice: rupees(75_000), seenStock: 7 })
  await makeCartLine(market.ctx, { buyerId: buyer.id, listingId: bull, seenPrice: rupees(90_000), seenStock: 20 })
}
const codeOf = (id: number) => `COW-${String(id).padStart(5, '0')}`
const today = () => formatDay(market.ctx.now, 'en')

describe('the cart', () => {
  test('shows of each line all that B §2 names, the total, and where the order continues', async () => {
    await fillCart()
    const { text, main, tag, linksOf } = await pages.open('/en/my-cart', buyer)
    expect(text).toContain('Your Shopping Cart Items')
    const [first, second] = main.split('<article').slice(1)
    for (const shown of ['Calm cow', codeOf(cow), 'Kangayam', '3-4', 'Female', '310', 'Nine litres a day', '₹75,000', '16.67% off'])
      expect(first, shown).toContain(shown)
    for (const shown of ['In stock', 'HURRY! Only 7 item(s) left', 'Remove', 'Verified Seller', '/media/'])
      expect(first, shown).toContain(shown)
    expect(second).toContain('Fine bull')
    expect(second).not.toContain('HURRY')
    expect(second).not.toContain('% off')
    expect(tag(/aria-label="Quantity of Calm cow"/)).toMatch(/type="number" min="1" max="7" step="1"/)
    expect(text).toMatch(/Total amount ₹2,40,000/)
    expect(linksOf('Continue Order')).toEqual([`/en/my-addresses/buy/${buyer.id}`])
  })

  test('with an animal out of stock marks the line and stops the order with its reason', async () => {
    await fillCart()
    const outOf = async (animal: number, stock: number) => {
      await change(animal, { stock })
      const page = await pages.open('/en/my-cart', buyer)
      await change(animal, { stock: animal === cow ? 7 : 20 })
      const [first, second] = page.main.split('<article').slice(1)
      return { ...page, marked: [first!.includes('Out of stock'), second!.includes('Out of stock')] }
    }
    // The cart has two cows and one bull: two are enough, one is fewer than asked for, none is none.
    expect((await outOf(cow, 2)).marked).toEqual([false, false])
    for (const [animal, stock, marked] of [
      [cow, 1, [true, false]],
      [bull, 0, [false, true]],
    ] as const) {
      const page = await outOf(animal, stock)
      expect(page.marked).toEqual(marked)
      if (stock === 1) expect(page.text).toContain('You want 2; only 1 can be had now. Take fewer, or remove it.')
      expect(page.text).toContain(`Not counted, because it cannot be ordered now: ${animal === cow ? 'Calm cow' : 'Fine bull'}`)
      expect(page.linksOf('Continue Order')).toEqual([])
      expect(page.tag(/title="Please remove out-of-stock items to Continue your order"/)).toMatch(/aria-disabled="true"/)
      expect(page.text).toContain('Please remove out-of-stock items to Continue your order')
    }
  })

  test('that is empty leads to the market, and without a login to the login', async () => {
    const empty = await pages.open('/en/my-cart', await pages.person())
    expect(empty.text).toContain('Your Cart is empty')
    expect(empty.linksOf('See what is for sale')).toEqual(['/en/buy/0'])
    const anonymous = await pages.open('/en/my-cart')
    expect(anonymous.text).toContain('You have not logged in yet!')
    expect(anonymous.linksOf('Log in')).toEqual(['/en/login?next=%2Fen%2Fmy-cart'])
  })
})

describe('the address book', () => {
  const typed = { act: 'add', name: 'Selvi', phone: '9876543210', typeId: '1', address1: '12 Temple Street', address2: 'Old Town' }

  test('names its purpose, and for an order offers to proceed with each saved address', async () => {
    const toBuy = await pages.open(`/en/my-addresses/buy/${buyer.id}`, buyer)
    expect(toBuy.text).toContain('Select your delivery address')
    expect(toBuy.text.match(/Proceed with this address/g)).toHaveLength(2)
    expect(toBuy.text.match(/Chosen Kavitha/g)).toHaveLength(1)
    for (const id of [home, far]) expect(toBuy.main).toContain(`href="/en/confirm-order/${id}"`)
    const toSell = await pages.open('/en/my-addresses/sell/selleraddress', seller)
    expect(toSell.text).toContain('Please add a pickup address before listing a product')
    const first = await pages.open('/en/sell', await pages.person({ typeId: 2 }))
    expect(first.path).toBe('/en/my-addresses/sell/selleraddress')
    expect(first.text).toContain('Step 1 of 2: the address. Step 2: photos, animal and price.')
    expect(first.linksOf('Back to the market')).toEqual(['/en'])
    for (const path of ['/en/my-addresses', '/en/my-addresses/', '/en/my-addresses/other/1']) {
      const { text } = await pages.open(path, buyer)
      expect(text, path).toContain('Manage address')
      expect(text, path).not.toContain('Proceed with this address')
    }
    for (const { text, main } of [toBuy, toSell, await pages.open('/en/my-addresses', buyer)]) {
      for (const part of ['Add a new address', 'Save address']) expect(text).toContain(part)
      for (const name of ['pincode', 'address1', 'address2']) expect(main).toContain(`name="${name}"`)
    }
    expect(toBuy.text).toMatch(/Kavitha far away.*We do not deliver to this area yet\./)
  })

  test('without an address says so, and after saving shows a panel that continues where the purpose leads', async () => {
    for (const [of, facts, next] of [
      ['buy', {}, /^\/en\/confirm-order\/\d+$/],
      ['sell', { typeId: 2 }, /^\/en\/sell$/],
    ] as const) {
      const person = await pages.person(facts)
      const path = of === 'buy' ? `/en/my-addresses/buy/${person.id}` : '/en/my-addresses/sell/selleraddress'
      expect((await pages.open(path, person)).text).toContain('No existing address available, Please add a new address below.')
      const saved = await pages.send(path, { ...typed, pincode: '641001' }, person)
      expect(saved.text).toContain('Your new address has been saved successfully!')
      expect(saved.linksOf('Continue')[0]).toMatch(next)
    }
  })

  test('that cannot save says so with the quoted text, and keeps what was typed', async () => {
    const failed = await refusingRows(market, 'addresses', () => pages.send('/en/my-addresses', { ...typed, pincode: '641001' }, buyer))
    expect(failed.text).toContain('Failure on address save, Please try again later/contact our support team for more details.')
    expect(failed.tag(/name="address1"/)).toContain('value="12 Temple Street"')
  })

  test('asks for every field by its quoted text', async () => {
    const { text } = await pages.send('/en/my-addresses', { act: 'add' }, buyer)
    for (const error of [
      'Name cannot be blank',
      'Phone cannot be blank',
      'Address cannot be blank',
      'Address type cannot be blank',
      'Pincode cannot be blank',
    ])
      expect(text, error).toContain(error)
    const wrong = await pages.send('/en/my-addresses', { act: 'add', phone: '98765', pincode: '63805' }, buyer)
    expect(wrong.text).toContain('Phone number is not in correct format')
    expect(wrong.text).toContain('Pincode not valid')
    const unknown = await pages.send('/en/my-addresses', { ...typed, pincode: '999999' }, buyer)
    expect(unknown.text).toContain('This Pincode is not valid. Please try different code.')
  })
})

describe('the confirmation of an order', () => {
  test('lists the cart and sums it up line by line', async () => {
    await fillCart()
    const { text, tag } = await pages.open(`/en/confirm-order/${home}`, buyer)
    expect(text).toMatch(/Calm cow .*2 × ₹75,000 ₹1,50,000.*Fine bull .*1 × ₹90,000 ₹90,000/)
    expect(text).toContain('Kavitha at home')
    // 2 % of ₹1,50,000, at most ₹500; ₹15,000 less than the original price of two cows.
    expect(text).toMatch(
      /Order summary.*Price ₹2,40,000 First Order Discount − ₹500 Referral Discount ₹0 Delivery charge ₹0 Total payable ₹2,39,500 Your Delivery is FREE!! Your savings on this order: ₹30,500/,
    )
    expect(text).toContain('Place Order')
    expect(tag(/value="place"/)).toMatch(/type="submit"/)
  })

  test('says which lines its total leaves out, and that a mistyped code does not count', async () => {
    await fillCart()
    await change(cow, { stock: 0 })
    const short = await pages.open(`/en/confirm-order/${home}`, buyer)
    await change(cow, { stock: 7 })
    expect(short.text).toContain('Not counted, because it cannot be ordered now: Calm cow')
    const { text, tag } = await pages.open(`/en/confirm-order/${home}?code=selvi1234`, buyer)
    expect(text).toContain('A code has exactly ten letters or digits. Check it. If you order now, it does not count.')
    expect(tag(/name="answered"/)).toMatch(/value="SELVI1234"/)
  })

  test('is refused with the quoted text where we do not deliver, or cannot collect', async () => {
    await fillCart()
    const refusal =
      "Sorry! We don't have active operation on one of the address placed in your order. You can contact the seller for delivery options."
    const toFar = await pages.open(`/en/confirm-order/${far}`, buyer)
    await market.ctx.db.delete(cartLines)
    await makeCartLine(market.ctx, { buyerId: buyer.id, listingId: await list({ pincode: '560001', nameEn: 'Far bull' }) })
    const fromFar = await pages.open(`/en/confirm-order/${home}`, buyer)
    for (const { text, main } of [toFar, fromFar]) {
      expect(text).toContain(refusal)
      expect(main).toMatch(/<button[^>]*aria-disabled="true"[^>]*>Place Order/)
    }
  })

  test('that fails says so with the quoted texts and leads to the support; placed, it leads to the orders', async () => {
    await fillCart()
    const path = `/en/confirm-order/${home}`
    const failed = await refusingRows(market, 'orders', () => pages.send(path, { act: 'place', attempt: 'attempt-0001' }, buyer))
    expect(failed.text).toContain('Failed to place your order')
    expect(failed.text).toContain('Sorry! Failure during your order confirmation, please contact our team.')
    expect(failed.linksOf('Contact our team')).toEqual(['/en/support'])
    const placed = await pages.send(path, { act: 'place', attempt: 'attempt-0002' }, buyer)
    expect(placed.text).toContain('Your order is placed')
    expect(placed.main).toMatch(/<a [^>]*href="\/en\/orders"/)
  })
})

describe('the orders', () => {
  let customer: Reader
  let delivered: number, open: number
  beforeAll(async () => {
    await market.ctx.db.delete(cartLines)
    customer = await pages.person({ name: 'Meenakshi' })
    const addressId = await makeAddress(market.ctx, customer.id, { name: 'Meenakshi at home', pincode: '641001' })
    const made = { buyer: customer, seller, admin, listingId: bull, addressId }
    ;({ id: delivered } = await makeOrder(market.ctx, { ...made, status: 6 }))
    await market.ctx.db
      .update(orders)
      .set({ createdAt: daysBefore(market.ctx.now, 5) })
      .where(eq(orders.id, delivered))
    await makeOrder(market.ctx, { ...made, status: 100 })
    ;({ id: open } = await makeOrder(market.ctx, made))
  })

  test('are cards with status, animal, price and address; only what is under way can be cancelled', async () => {
    const { text, main } = await pages.open('/en/orders', customer)
    expect(text).toContain('Your Orders')
    const [newest, cancelled, done] = main.split('<article').slice(1)
    expect(newest).toContain('Order placed')
    for (const card of [newest, cancelled, done])
      for (const shown of ['Fine bull', '₹90,000', 'Delivery address', 'Meenakshi at home']) expect(card, shown).toContain(shown)
    expect(newest).toContain('Please confirm if you want to Cancel your Order')
    expect(newest).toMatch(/>Yes<[\s\S]*>No</)
    expect(cancelled).toContain('Cancelled')
    for (const card of [cancelled, done]) expect(card).not.toContain('Cancel Order')
    expect(done).toMatch(new RegExp(`class="chip[^"]*">Delivered</span><span[^>]*>${today()}</span>`))
    expect(done).toContain('View Invoice')
    for (const card of [newest, cancelled]) expect(card).not.toContain('View Invoice')
    for (const type of ['Pickup address', 'Buyer and seller', 'Seller / agent', 'Veterinarian', 'Admin / staff'])
      expect(text).not.toContain(type)
    expect(main).not.toMatch(/<select/)
  })

  test('of everybody are open to type 9, with the pickup address and a choice of status', async () => {
    const number = `SN-${String(open).padStart(6, '0')}`
    const { text, main } = await pages.open(`/en/orders?q=${number}`, admin)
    expect(text).toContain('Pickup address')
    expect(text).toContain('1 Sample Farm')
    expect(main).toMatch(/<select[^>]*name="to"[\s\S]*<option value="100">[\s\S]*<option value="102">/)
    expect(text).toContain('Save')
    const closed = await pages.open(`/en/orders?q=SN-${String(delivered).padStart(6, '0')}`, admin)
    expect(closed.main).not.toMatch(/<select[^>]*name="to"/)
  })

  test('are empty, or ask for the login, in the quoted words', async () => {
    expect((await pages.open('/en/orders', await pages.person())).text).toContain('Your Order list is empty')
    const anonymous = await pages.open('/en/orders')
    expect(anonymous.text).toContain('You have not logged in yet!')
    expect(anonymous.linksOf('Log in here')).toEqual(['/en/login?next=%2Fen%2Forders'])
  })

  test('have a receipt with IGST and CGST at 0 % and the quoted note', async () => {
    const { text, main } = await pages.open(`/en/orders/${delivered}/invoice`, customer)
    for (const shown of [
      'Receipt',
      'IGST (0%) ₹0',
      'CGST (0%) ₹0',
      'Items delivered will not be replaced or returned.',
      'Download Invoice',
    ])
      expect(text, shown).toContain(shown)
    expect(main).toMatch(new RegExp(`<a [^>]*href="/en/orders/${delivered}/invoice.pdf[^"]*"`))
  })
})

describe("the seller's lists", () => {
  test('are three tabs, of which the animals in stock open first; each says in the quoted words when it is empty', async () => {
    const none = await pages.person({ typeId: 2 })
    const { main } = await pages.open('/en/seller-product/', none)
    const tabs = [...main.matchAll(/<a ([^>]*)>(Ordered|Soldout|Products with available stocks)</g)]
    expect(tabs.map(([, tag, name]) => [/href="([^"]*)"/.exec(tag!)?.[1], tag!.includes('aria-current="page"'), name])).toEqual([
      ['/en/seller-product/?tab=1', false, 'Ordered'],
      ['/en/seller-product/?tab=2', false, 'Soldout'],
      ['/en/seller-product/', true, 'Products with available stocks'],
    ])
    for (const [tab, words] of [
      [1, 'Your Ordered list is empty'],
      [2, 'Your Sold list is empty'],
      [3, 'Your Product list is empty'],
    ] as const) {
      const page = await pages.open(`/en/seller-product/?tab=${tab}`, none)
      expect(page.text).toContain('Listed products')
      expect(page.text).toContain(words)
      expect(page.main).toMatch(/<a [^>]*href="\/en\/sell"/)
    }
  })

  test('hold what is ordered, sold and in stock, each as a card', async () => {
    const owner = await pages.person({ typeId: 2, name: 'Anbu' })
    const of = (facts: ListingFacts) => list({ sellerId: owner.id, ...facts })
    await of({ nameEn: 'Standing bull' })
    await of({ nameEn: 'Sold bull', isSold: true, stock: 0 })
    await makeOrder(market.ctx, { seller: owner, admin, listingId: await of({ nameEn: 'Ordered bull', stock: 3 }) })
    const shown = async (tab: number) => {
      const { main } = await pages.open(`/en/seller-product/?tab=${tab}`, owner)
      const cards = main.split('<article').slice(1)
      return ['Standing bull', 'Sold bull', 'Ordered bull'].filter((name) => cards.some((card) => card.includes(name)))
    }
    expect(await shown(1)).toEqual(['Ordered bull'])
    expect(await shown(2)).toEqual(['Sold bull'])
    expect(await shown(3)).toEqual(['Standing bull', 'Ordered bull'])
  })

  test('all load on entry, whichever of the three is open', async () => {
    const owner = await pages.person({ typeId: 2, name: 'Anbu' })
    await list({ sellerId: owner.id, nameEn: 'Waiting bull' })
    await list({ sellerId: owner.id, nameEn: 'Gone bull', isSold: true, stock: 0 })
    await makeOrder(market.ctx, { seller: owner, admin, listingId: await list({ sellerId: owner.id, nameEn: 'Wanted bull', stock: 3 }) })
    for (const tab of [1, 2, 3]) {
      const { html } = await pages.open(`/en/seller-product/?tab=${tab}`, owner)
      expect(['Waiting bull', 'Gone bull', 'Wanted bull'].filter((name) => !html.includes(name))).toEqual([])
    }
  })

  test('ask an anonymous visitor to log in', async () => {
    const { text, linksOf } = await pages.open('/en/seller-product/')
    expect(text).toContain('You have not logged in yet!')
    expect(linksOf('Log in here')[0]).toMatch(/^\/en\/login\?next=/)
  })
})

describe("the vets' desk", () => {
  test('reports a check that cannot be saved in the quoted words, and keeps what was typed', async () => {
    const vet = await pages.person({ typeId: 5, name: 'Ravi', vetApproved: true })
    const path = `/en/vet-verify/${await list({ nameEn: 'Unsaved bull' })}`
    const fields = { act: 'check', approved: 'yes', checkedOn: indianDay(market.ctx.now), comments: 'Sound on all legs.' }
    const failed = await refusingRows(market, 'vet_checks', () => pages.send(path, fields, vet))
    expect(failed.text).toContain('Failed to save Veterinary check details.')
    expect(failed.text).toContain('Sound on all legs.')
  })

  test('shows on its two tabs every fact that B §2 names, and the empty texts', async () => {
    const vet = await pages.person({ typeId: 5, name: 'Meena', vetApproved: true, degree: 'BVSc' })
    const bull = { nameEn: 'Checked bull', descriptionEn: 'Ploughs well', offerPrice: rupees(80_000), stock: 4, pincode: '642001' }
    const listingId = await list(bull)
    await makeVetCheck(market.ctx, { listingId, vetId: vet.id, approved: false, comments: 'Lame.', checkedOn: indianDay(market.ctx.now) })
    const waiting = await pages.open('/en/vet-verify/', vet)
    for (const tab of ['Check Completed', 'Livestocks with CheckUp pending']) expect(waiting.text).toContain(tab)
    const facts = ['Cattle', 'Kangayam', '3-4 years', '₹90,000', formatDay(daysBefore(market.ctx.now, 3), 'en')]
    const labels = ['Age', 'Gender', 'Weight', 'Original price', 'Offer price', 'Stock Qty', 'Listed on', '<img ']
    const showsAll = (page: string, name: string, own: string[]) => {
      const card = page.split('<article').find((each) => each.includes(name))!
      for (const shown of [...facts, ...labels, ...own]) expect(card.replaceAll('\u00a0', ' '), shown).toContain(shown)
    }
    showsAll(waiting.main, 'Calm cow', [codeOf(cow), 'Nine litres a day', 'Female', '310', '₹75,000', 'Qty: 5'])
    expect(waiting.main.split('<article').find((each) => each.includes('Fine bull'))).not.toContain('Offer price')
    const { text, main } = await pages.open('/en/vet-verify/?tab=completed', vet)
    expect(text).toContain('CheckUp Completed')
    expect(main.split('<article')).toHaveLength(2)
    showsAll(main, 'Checked bull', [
      codeOf(listingId),
      'Ploughs well',
      'Male',
      '420',
      '₹80,000',
      'Qty: 4',
      'Fail',
      'Lame.',
      'Meena, BVSc',
      today(),
    ])
    for (const [tab, words] of [
      ['', 'Checkup pending livestock list is empty'],
      ['tab=completed&', 'Checkup completed livestock list is empty'],
    ])
      expect((await pages.open(`/en/vet-verify/?${tab}district=Karur`, vet)).text).toContain(words)
  })
})

test('the verification of a dog of the youngest age says to make sure of eight weeks', async () => {
  const notice = 'make sure that it is older than eight weeks'
  const dog = { categoryId: 5, breedId: 501, state: 'pending' } as const
  for (const [ageId, hasNotice] of [
    [1, true],
    [2, false],
  ] as const) {
    const id = await list({ ...dog, ageId })
    const { text } = await pages.open(`/en/admin/verification?id=${id}`, admin)
    expect(text).toContain(codeOf(id).replace('COW', 'DOG'))
    expect(text.includes(notice)).toBe(hasNotice)
  }
})

test('the desks of the orders and of the vets keep the links of the header in its menu', async () => {
  const vet = await pages.person({ typeId: 5, vetApproved: true })
  for (const [path, person] of [
    ['/en/vet-verify/', vet],
    ['/en/orders', admin],
  ] as const) {
    const { html } = await pages.open(path, person)
    const header = html.slice(0, html.indexOf('<main'))
    for (const to of ['/buy/0', '/sell', '/view-requirements', '/add-enquiry', '/forum', '/my-cart', `/userprofile/${person.id}`])
      expect(header, `${path}: ${to}`).toContain(`href="/en${to}"`)
  }
})

test('the bonus counts ₹25 for each who registered with the code, and ₹150 for a delivered cart that carried it', async () => {
  const [row] = await market.ctx.db.select({ code: users.referralCode }).from(users).where(eq(users.id, buyer.id))
  const bonus = async () => /Your bonus: (₹\d+)/.exec((await pages.open('/en/support', buyer)).html)![1]
  await pages.person({ referredById: buyer.id, isVerified: true })
  expect(await bonus()).toBe('₹25')
  await makeOrder(market.ctx, { code: row!.code, status: 6 })
  expect(await bonus()).toBe('₹175')
})
