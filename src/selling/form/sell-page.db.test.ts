import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { findBook } from '#src/addresses/addresses-view.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { inLocale } from '#src/kit/http/page-locale.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { m } from '#src/paraglide/messages.js'
import { shareBuiltSite, postForm, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import { refusingRows } from '#tools/test-kit/refuse-rows.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { picture, waitingCow } from '#tools/test-kit/test-sale.ts'
import { addDraftPhotos, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { PickupSection } from './pickup-section.tsx'

/** The page /sell as its readers see it (docs/contract.md). */
let market: TestMarket
let site: BuiltSite
shareBuiltSite((opened) => ({ market, site } = opened))

async function person(typeId: number, hasAddress = true): Promise<{ viewer: Viewer; session: string; pickup: number }> {
  const viewer = await makeUser(market.ctx, { typeId })
  const pickup = hasAddress ? await makeAddress(market.ctx, viewer.id) : 0
  return { viewer, session: await makeSession(market.ctx, viewer.id), pickup }
}
const open = (session?: string, path = '/en/sell') => site.open(path, session === undefined ? {} : { session })

/** The form with these answers, as a returning seller finds it. */
async function formWith(typed: Record<string, string>): Promise<string> {
  const { viewer, session } = await person(2)
  await saveDraft(market.as(viewer), { typed, version: 1 })
  return (await open(session)).html
}
/** The inputs of that name; attributes come in any order. */
const inputs = (html: string, name: string) =>
  [...html.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes(` name="${name}"`))
const valuesOf = (html: string, name: string) => inputs(html, name).map((tag) => / value="([^"]*)"/.exec(tag)?.[1])

describe('who gets the form', () => {
  test('only the types 2, 3, 4 and 9 get the sell form', async () => {
    const gets: Record<number, string> = {}
    for (const typeId of [1, 2, 3, 4, 5, 9]) {
      const { status, html } = await open((await person(typeId)).session)
      expect(status).toBe(200)
      const isRefused = textOf(html).includes('Contact our admin to change your type to Seller/Agent...')
      const form = html.includes('id="sell"')
        ? 'form'
        : textOf(html).includes(m.sell_seller_phone({}, { locale: 'en' }))
          ? 'seller'
          : 'none'
      gets[typeId] = isRefused ? 'refusal' : form
      if (isRefused) expect(html).toContain('href="https://wa.me/')
    }
    // An admin first names the seller for whom they list (decisions §2).
    expect(gets).toEqual({ 1: 'refusal', 2: 'form', 3: 'form', 4: 'form', 5: 'refusal', 9: 'seller' })
    expect((await open()).html).not.toContain('id="sell"')
  })

  test('a seller without a pickup address is sent to the page that adds one', async () => {
    for (const [path, to] of [
      ['/en/sell', '/en/my-addresses/sell/selleraddress'],
      ['/sell', '/my-addresses/sell/selleraddress'],
    ] as const) {
      const { status, headers } = await open((await person(2, false)).session, path)
      expect([status, headers.get('location')]).toEqual([302, to])
    }
  })

  test('a book that cannot be read is reported with a way to try again', async () => {
    const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const refuse = () => {
      throw away
    }
    const noted: unknown[] = []
    const { viewer } = await person(2)
    const without = { ...market.as(viewer), db: new Proxy({}, { get: refuse }) as never }
    expect(await findBook(without, viewer.id, (error) => noted.push(error))).toBeNull()
    expect(noted).toEqual([away])
    const pickup = createElement(PickupSection, { book: null, addPath: '/my-addresses/sell/selleraddress' })
    const html = inLocale('en', () => renderToStaticMarkup(createElement(MemoryRouter, { initialEntries: ['/en/sell'] }, pickup)))
    expect(textOf(html)).toContain('Your addresses could not be read just now. Try again')
    expect(html).toMatch(/<p role="alert"[^>]*>.*<a href="\/en\/sell"/)
  })

  test('a seller reads that the delivery is free', async () => {
    const text = textOf(await formWith({ categoryId: '1' }))
    expect(text).toContain("Free delivery to the buyer's doorstep")
    expect(text).toContain('Listing for sale is free of cost.')
  })
})

describe('what the form asks', () => {
  const cow = { categoryId: '1', genderId: '0' }

  test('the form marks every field that A §5 requires', async () => {
    const { session } = await person(2)
    const { html } = await postForm(site, '/en/sell', { act: 'submit', key: 'form-0001', categoryId: '1' }, { '__Host-sid': session })
    for (const field of ['breedId', 'genderId', 'ageId', 'colorId', 'weightKg', 'originalPrice', 'stock', 'name', 'description', 'pickup'])
      expect(html, field).toContain(`id="listing-${field}-error"`)
    expect(html).toContain('id="listing-image-error"')
    expect(textOf(html)).toContain(
      'Please add details in required fields (marked with *) / upload photo if missing and then try Submitting again',
    )
    const without = await postForm(site, '/en/sell', { act: 'submit', key: 'form-0002' }, { '__Host-sid': session })
    expect(without.html).toContain('id="listing-categoryId-error"')
  })

  test('the fields for cattle have the limits of A §5', async () => {
    const html = await formWith(cow)
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => String(from + n))
    expect(
      valuesOf(html, 'teethPairs')
        .filter((value) => value !== '')
        .sort((a, b) => Number(a) - Number(b)),
    ).toEqual(numbers(0, 10))
    for (const name of ['pregnancies', 'milkLitresPerDay', 'offspring']) expect(inputs(html, name)).toHaveLength(1)
    for (const n of [1, 2]) {
      expect(inputs(html, `vaccine${n}`)).toHaveLength(1)
      expect(inputs(html, `vaccinated${n}`)[0]).toContain('type="date"')
      const doses = new RegExp(`<select[^>]* name="dose${n}"[^>]*>([\\s\\S]*?)</select>`).exec(html)![1]!
      expect(textOf(doses)).toMatch(/Primary dose.*Booster dose.*Revaccination dose/)
    }
    expect(inputs(html, 'vaccine3')).toEqual([])
    const wrongFields = async (figures: Record<string, string>) => {
      const { session } = await person(2)
      const sent = { act: 'submit', key: 'form-0003', categoryId: '1', genderId: '0', ...figures }
      const answer = await postForm(site, '/en/sell', sent, { '__Host-sid': session })
      return ['pregnancies', 'milkLitresPerDay'].filter((field) => answer.html.includes(`id="listing-${field}-error"`))
    }
    expect(await wrongFields({ pregnancies: '11', milkLitresPerDay: '4.3' })).toEqual(['pregnancies', 'milkLitresPerDay'])
    expect(await wrongFields({ pregnancies: '10', milkLitresPerDay: '4.5' })).toEqual([])
    expect(await wrongFields({ pregnancies: '0', milkLitresPerDay: '0.5' })).toEqual([])
  })

  test('feeds are asked for neither breed, age nor vaccinations; dogs for no vaccinations', async () => {
    const asked = async (categoryId: string) => {
      const html = await formWith({ categoryId })
      return ['breedId', 'ageId', 'vaccine1', 'pregnancies'].filter((name) => inputs(html, name).length > 0)
    }
    expect(await asked('1')).toEqual(['breedId', 'ageId', 'vaccine1', 'pregnancies'])
    expect(await asked('4')).toEqual(['breedId', 'ageId', 'vaccine1'])
    expect(await asked('5')).toEqual(['breedId', 'ageId'])
    expect(await asked('21')).toEqual([])
  })
})

test('a listing that cannot be stored says so in the words of A §8 and keeps the text', async () => {
  const { viewer, session, pickup } = await person(2)
  await addDraftPhotos(market.as(viewer), await openMediaStore(mkdtempSync(join(tmpdir(), 'sandhai-sell-'))), [await picture(1)])
  const { typed } = waitingCow({ key: 'form-0003', pickup }, { name: 'Unlucky cow' })
  await refusingRows(market, 'listings', async () => {
    const { status, html } = await postForm(site, '/en/sell', { ...typed, act: 'submit' }, { '__Host-sid': session })
    expect(status).toBe(500)
    expect(textOf(html)).toContain('Failure during registration!')
    expect(textOf(html)).toContain(
      'Sorry! there seems to be some issue while registering your new product for sale. Please contact our team for more details.',
    )
    expect(html).toContain('value="Unlucky cow"')
  })
})
