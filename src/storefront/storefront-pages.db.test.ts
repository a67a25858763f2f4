import { beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { DAY, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { makeListing, type ListingFacts } from '#src/listings/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { m } from '#src/paraglide/messages.js'
import { shareBuiltSite, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

/** Home, list and animal as their readers see them, sentence by sentence of A (docs/contract.md). */
let market: TestMarket
let site: BuiltSite
let seller: { id: number }
const sessions: Record<string, string> = {}
shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan' })
  for (const typeId of [1, 2, 3, 4, 5, 9]) sessions[typeId] = await makeSession(market.ctx, (await makeUser(market.ctx, { typeId })).id)
  sessions.seller = await makeSession(market.ctx, seller.id)
})

const make = (facts: ListingFacts = {}) => makeListing(market.ctx, { sellerId: seller.id, stock: 3, ...facts })
const open = async (path: string, session?: string) => {
  const { status, html } = await site.open(path, session === undefined ? {} : { session })
  expect(status, path).toBe(200)
  return { html, text: textOf(html) }
}
const between = (html: string, from: string, to: string) => html.slice(html.indexOf(from), html.indexOf(to, html.indexOf(from)))

describe('the home page', () => {
  test('the home page names the four selling points of A §1, in both languages', async () => {
    const points = ['Wide range of livestock', 'Delivery at doorstep', 'Contact seller directly', 'Connect and grow your business']
    const english = (await open('/en')).text
    for (const point of points) expect(english).toContain(point)
    const tamil = (await open('/')).text
    for (const point of [m.home_point_range, m.home_point_door, m.home_point_contact, m.home_point_grow])
      expect(tamil).toContain(point({}, { locale: 'ta' }))
  })

  test('the footer has the newsletter box, the postal address, phone, mail and the pages on other sites', async () => {
    const { contact } = defaultSettings
    for (const [path, address] of [
      ['/en', contact.addressEn],
      ['/aboutus', contact.addressTa],
    ] as const) {
      const { html } = await open(path)
      const footer = between(html, '<footer', '</footer>')
      expect(footer).toMatch(/<input[^>]*id="newsletter-box"[^>]*type="email"/)
      expect(textOf(footer)).toContain(address)
      for (const href of [`tel:${contact.phone}`, `mailto:${contact.mail}`, contact.facebook, contact.instagram, contact.youtube])
        expect(footer, path).toContain(`href="${href}"`)
    }
  })

  test('the pages of a task fold newsletter and footer into one line, and others do not', async () => {
    for (const path of ['/en/my-cart', '/en/sell', '/en/seller-product/', '/en/add-enquiry', '/en/aboutus']) {
      const footer = between((await open(path)).html, '<footer', '</footer>')
      for (const mark of ['<details open="">', '<summary hidden']) expect(footer.includes(mark), path).toBe(path === '/en/aboutus')
    }
  })

  test('the home page and the list lead to the species in the order of A §2, in both languages', async () => {
    const shortcuts = async (path: string, label: string) => {
      const nav = between((await open(path)).html, `<nav aria-label="${label}"`, '</nav>')
      return [...nav.matchAll(/href="[^"]*\/buy\/(\d+)"[^>]*><img[^>]*>([^<]+)</g)].slice(0, 7).map(([, id, name]) => `${name} ${id}`)
    }
    const english = ['Animals 0', 'Cow 1', 'Goat 2', 'Sheep 3', 'Chicken 4', 'Horse 6', 'Dog 5']
    for (const path of ['/en', '/en/buy/0']) expect(await shortcuts(path, 'Categories')).toEqual(english)
    const tamil = await shortcuts('/buy/0', m.list_categories({}, { locale: 'ta' }))
    expect(tamil.map((each) => each.split(' ').at(-1))).toEqual(['0', '1', '2', '3', '4', '6', '5'])
    for (const name of tamil) expect(name).toMatch(/\p{Script=Tamil}/u)
  })

  test('the pages of text stand at the addresses of A §2', async () => {
    for (const [path, title] of [
      ['/aboutus', m.page_about_title],
      ['/how-it-works', m.page_how_title],
      ['/privacy-policy', m.page_privacy_title],
      ['/terms', m.page_terms_title],
    ] as const)
      for (const locale of ['ta', 'en'] as const) {
        const { html } = await open((locale === 'en' ? '/en' : '') + path)
        expect(textOf(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)![1]!)).toBe(title({}, { locale }))
      }
  })
})

describe('the list', () => {
  test('the Filter dialog has By Category, By Breed, Confirm and Clear', async () => {
    for (const breedId of [101, 118]) await make({ breedId })
    await make({ categoryId: 2, breedId: 201 })
    const filter = await filterOf('/en/buy/1')
    const categories = between(filter, '<legend>By Category</legend>', '</fieldset>')
    const breeds = between(filter, '<legend>By Breed</legend>', '</fieldset>')
    for (const id of [1, 2]) expect(categories).toMatch(boxOf('category', id))
    for (const id of [101, 118]) expect(breeds).toMatch(boxOf('breed', id))
    expect(textOf(filter)).toContain('Filter results')
    expect(filter).toMatch(/<button[^>]*type="submit"[^>]*>Confirm <span data-leaves="true"><\/span><\/button>/)
    expect(filter).toMatch(/<a href="\/en\/buy\/0"[^>]*>Clear<\/a>/)
  })
  test('the Filter dialog offers no breed, trait and category that would leave no animal', async () => {
    await make({ breedId: 101, originalPrice: rupees(7) })
    await make({ breedId: 118 })
    const filter = await filterOf('/en/buy/1?max=7&breed=102')
    // Only what is chosen says that it finds none.
    expect(filter.match(/\(0\)/g)).toHaveLength(1)
    expect(filter).toMatch(boxOf('breed', 102))
    expect(await filterOf('/en/buy/1?max=7')).toMatch(boxOf('breed', 101))
    expect(await filterOf('/en/buy/1?max=7')).not.toMatch(boxOf('breed', 118))
    await make({ categoryId: 2, breedId: 201 })
    expect(await filterOf('/en/buy/1?max=7')).not.toMatch(boxOf('category', 2))
    expect(await filterOf('/en/buy/1')).toMatch(boxOf('category', 2))
    expect(await filterOf('/en/buy/1')).toMatch(boxOf('breed', 118))
  })
  const filterOf = async (path: string) => between((await open(path)).html, '<dialog id="filter"', '</dialog>')
  /** The attributes come in any order. */
  const boxOf = (name: string, value: number) =>
    new RegExp(`<input(?=[^>]*type="checkbox")(?=[^>]*name="${name}")(?=[^>]*value="${value}")[^>]*>`)

  test('a card of the list shows picture, name and price', async () => {
    const id = await make({ nameEn: 'Pictured bull', originalPrice: rupees(71_234) })
    const [, ...cards] = (await open('/en/buy/0')).html.split('<article>')
    const card = cards.find((each) => each.includes(`/en/product/${id}"`))!
    expect(card).toMatch(/<img[^>]*src="\/media\/[^"]+"/)
    expect(textOf(card)).toContain('Pictured bull')
    expect(textOf(card)).toContain('₹71,234')
  })

  test('/buy/0 lists every kind, and each other number its own only', async () => {
    const ids = { 1: await make(), 2: await make({ categoryId: 2, breedId: 201 }), 6: await make({ categoryId: 6, breedId: 601 }) }
    const shown = async (kind: number) => {
      const { html } = await open(`/en/buy/${kind}`)
      return Object.entries(ids).flatMap(([of, id]) => (html.includes(`href="/en/product/${id}"`) ? [Number(of)] : []))
    }
    expect(await shown(0)).toEqual([1, 2, 6])
    for (const kind of [1, 2, 6]) expect(await shown(kind)).toEqual([kind])
  })

  test('a search without a match shows the whole text of A §2', async () => {
    expect((await open('/en/buy/2?breed=101')).text).toContain(
      'Sorry! there are no products in the list that matches your search condition as of now, please try later again or try with other conditions.',
    )
  })
})

describe('an animal', () => {
  test('the price shows the original one struck through, and the percent off', async () => {
    const { html, text } = await open(`/en/product/${await make({ originalPrice: rupees(90_000), offerPrice: rupees(80_000) })}`)
    expect(between(html, '<h2', '</table>')).toContain('<b>₹80,000</b><s>₹90,000</s>')
    expect(text).toContain('11.11% off')
    expect(between((await open(`/en/product/${await make()}`)).html, '<h2', '</table>')).not.toContain('<s>')
  })

  test('Sold By shows the average of five stars with the number of ratings', async () => {
    const rated = await makeUser(market.ctx, { typeId: 2 })
    for (const stars of [4, 5])
      await makeReview(market.ctx, { sellerId: rated.id, reviewerId: (await makeUser(market.ctx)).id, stars, comment: '' })
    const { html } = await open(`/en/product/${await make({ sellerId: rated.id })}`)
    const soldBy = between(html, '>Sold By</th>', '</tr>')
    expect(soldBy).toContain('aria-label="4.5 out of 5"')
    expect(textOf(soldBy)).toContain('2 ratings')
  })

  test('the four tabs stand in the order of A §2, the fourth for admins only', async () => {
    const id = await make()
    const tabs = async (session?: string) =>
      [...(await open(`/en/product/${id}`, session)).html.matchAll(/<a [^>]*role="tab"[^>]*>([^<]+)</g)].map(([, title]) => title)
    const three = ['Product Variant detail', 'Livestock Vaccination detail', 'Veterinary Check Details']
    for (const session of [undefined, sessions[1], sessions[5], sessions.seller]) expect(await tabs(session)).toEqual(three)
    expect(await tabs(sessions[9])).toEqual([...three, 'Product verification Detail'])
  })

  test('at most five related animals are shown', async () => {
    for (let n = 0; n < 7; n++) await make({ sellerId: (await makeUser(market.ctx, { typeId: 2 })).id, categoryId: 3, breedId: 301 })
    const { html, text } = await open(`/en/product/${await make({ categoryId: 3, breedId: 301 })}`)
    expect(text).toContain('Related Products')
    expect(new Set([...html.matchAll(/href="\/en\/product\/related\/(\d+)"/g)].map(([, id]) => id)).size).toBe(5)
  })

  test('an animal that no vet has checked says so', async () => {
    const id = await make()
    const panel = async () => textOf(between((await open(`/en/product/${id}`)).html, 'id="panel-vet"', '</section>'))
    expect(await panel()).toContain(m.product_no_vet_checks({}, { locale: 'en' }))
    const vetId = (await makeUser(market.ctx, { typeId: 5, vetApproved: true })).id
    const check = { listingId: id, vetId, comments: 'Looked at.', checkedOn: indianDay(market.ctx.now) }
    await makeVetCheck(market.ctx, { ...check, approved: true })
    expect(await panel()).toMatch(/\bPass\b/)
    await makeVetCheck(market.ctx, { ...check, approved: false })
    expect(await panel()).toMatch(/\bFail\b/)
  })

  test('an animal closes when it was not touched for a hundred days', async () => {
    const HOUR = DAY / 24
    const touched = async (milliseconds: number) => {
      const touchedAt = new Date(market.ctx.now.getTime() - milliseconds)
      return open(`/en/product/${await make({ touchedAt, createdAt: touchedAt })}`, sessions[1])
    }
    const offers = ({ html, text }: { html: string; text: string }) => ({
      isClosed: text.includes('Sale Closed'),
      contact: text.includes('Contact Seller'),
      cart: html.includes('id="add-form"'),
    })
    expect(offers(await touched(100 * DAY - HOUR))).toEqual({ isClosed: false, contact: true, cart: true })
    expect(offers(await touched(100 * DAY + HOUR))).toEqual({ isClosed: true, contact: false, cart: false })
  })

  test('a visitor reads where to log in for the cart', async () => {
    const id = await make()
    expect((await open(`/en/product/${id}`)).html).toMatch(
      new RegExp(`<a href="/en/login\\?next=[^"]*wanted=cart-${id}"[^>]*>Login to add to cart</a>`),
    )
  })

  test('sellers of the types 2 and 4 are offered no cart; the types 1, 3 and 5 are', async () => {
    const id = await make()
    const offers: number[] = []
    for (const typeId of [1, 2, 3, 4, 5, 9]) {
      const { html, text } = await open(`/en/product/${id}`, sessions[typeId])
      expect(text).not.toContain('Login to add to cart')
      if (html.includes('id="add-form"')) offers.push(typeId)
    }
    expect(offers).toEqual([1, 3, 5])
  })

  test('the owner of an animal gets the edit panel, and no cart, delivery or stock hints', async () => {
    const id = await make()
    const hints = ['HURRY! Only 3 item(s) left', 'Hurry! Only 3 left', 'Currently Instock: Only 3 item(s)', 'PIN code for delivery']
    const own = await open(`/en/product/${id}`, sessions.seller)
    for (const hint of [...hints, 'Add to cart', 'Contact Seller']) expect(own.text).not.toContain(hint)
    expect(own.html).not.toContain('data-view-of')
    const panel = between(own.html, '<section aria-labelledby="owner-title"', '</section>')
    for (const name of ['stock', 'weightKg', 'originalPrice', 'offerPrice']) expect(panel).toMatch(new RegExp(`<input[^>]*name="${name}"`))
    expect(panel).toMatch(/<button type="submit"[^>]*>Update<\/button>/)
    expect(panel).toMatch(/<button type="reset"[^>]*>Clear<\/button>/)
    const buyers = await open(`/en/product/${id}`, sessions[1])
    for (const hint of hints) expect(buyers.text).toContain(hint)
    expect(buyers.html).toContain(`data-view-of="${id}"`)
    expect(buyers.html).not.toContain('owner-title')
  })

  test('a PIN code without delivery gets the whole text of A §8', async () => {
    expect((await open(`/en/product/${await make()}?pincode=560001`)).text).toContain(
      'Sorry, this Product cannot be delivered, our delivery service is not available in this area now. But you can always contact the seller through phone.',
    )
  })
})
