import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listedRef } from '#src/selling/unsent/photo-refs.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import * as people from '#src/accounts/tables.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { fieldTable, type Facts, type FieldTable } from '#src/listings/fields/field-table.ts'
import { checkListing, readTyped } from '#src/listings/write/listing-input.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { getProduct } from '#src/listings/queries.server.ts'
import * as trade from '#src/listings/tables.ts'
import { wholeProduct } from '#src/listings/calls/wire.server.ts'
import { editListing, getEditedListing } from '#src/selling/listing/edit-listing.server.ts'
import { addDraftPhotos, findDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { draftTyped } from '#src/selling/unsent/draft-fields.ts'
import { productBody, typedOf } from '#src/selling/listing/listing-wire.ts'
import { sendDraft } from '#src/selling/listing/sell.server.ts'
import { ownListingsFile } from '#src/selling/own/own-listings-file.server.ts'
import { readProductPage } from '#src/storefront/animal/product-view.server.ts'
import { readComparison } from '#src/storefront/compare/comparison.server.ts'
import { readToVerify } from '#src/verification/verification-facts.server.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { picture, wireBody } from '#tools/test-kit/test-sale.ts'

let market: TestMarket
let media: MediaStore
const dir = mkdtempSync(join(tmpdir(), 'sandhai-fields-'))
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  media = await openMediaStore(dir)
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
})

const fields = Object.entries(fieldTable as FieldTable)
/** An answer to every question; none is 0 or the minimum. All of them apply to cows. */
const answers = Object.fromEntries(
  fields.map(([name, field]) => [name, field.kind === 'choice' ? Object.keys(field.choices).at(-1)! : field.min + 1]),
) as Facts
const today = '2026-11-21'

/** Lists a cow with every fact through the API. */
async function listed() {
  const viewer = await makeUser(market.ctx, { typeId: 2 })
  const ctx = market.as(viewer)
  const pickup = await makeAddress(market.ctx, viewer.id)
  await addDraftPhotos(ctx, media, [await picture(viewer.id)])
  const variant = Object.fromEntries(fields.map(([name, { wire }]) => [wire.name, answers[name as keyof Facts]]))
  const body = productBody.parse(wireBody(viewer.id, pickup, { variant }))
  const { facts, problems } = checkListing(typedOf(body), { today, isStrict: true })
  expect(problems).toEqual([])
  const id = await sendDraft(ctx, `fields-${viewer.id}`, { sellerId: viewer.id, pickupAddressId: pickup, facts: facts! })
  return { ctx, id, pickup, variant }
}

test('every sent fact is stored, returned, and shown on the page, in a comparison and to the verifying admin', async () => {
  const { ctx, id, variant } = await listed()
  const product = await getProduct(ctx, id)
  expect(product).toMatchObject(answers)
  expect(wholeProduct(ctx, product, null).product_variant[0]).toMatchObject(variant)
  const shownOn = (place: 'page' | 'verification' | 'compare') =>
    fields.filter(([, field]) => field.shownOn.includes(place)).map(([name]) => name)
  const { facts } = await readProductPage(ctx, id, new URLSearchParams())
  expect(facts.map(({ name }) => name)).toEqual(expect.arrayContaining(shownOn('page')))
  await market.ctx.db.update(trade.listings).set({ state: 'passed' }).where(eq(trade.listings.id, id))
  const compared = await readComparison(ctx, [id])
  expect(compared.facts.map(({ name }) => name)).toEqual(expect.arrayContaining(shownOn('compare')))
  const toVerify = {
    product,
    typedBy: null,
    others: [],
    othersCount: 0,
    duplicates: [],
    beside: null,
    usualPrice: null,
    lastLook: null,
    questions: [],
  }
  expect(readToVerify(ctx, toVerify).facts.map(({ name }) => name)).toEqual(expect.arrayContaining(shownOn('verification')))
})

test("a seller's file has their own listings with every fact, in stock or sold, and nobody else's", async () => {
  const [{ ctx, id }, other] = [await listed(), await listed()]
  const soldId = await makeListing(market.ctx, { sellerId: ctx.viewer!.id, isSold: true })
  const [head, ...lines] = (await ownListingsFile(ctx)).trimEnd().split('\r\n')
  expect(lines.map((line) => Number(/-0*(\d+),/.exec(line)![1]))).toEqual([id, soldId])
  for (const [, field] of fields) if (field.shownOn.includes('csv')) expect(head).toContain(field.label({}, { locale: ctx.locale }))
  expect(lines.join()).not.toContain(String(other.id).padStart(5, '0'))
})

test('an edit of the price alone keeps all facts, with or without a draft of the change', async () => {
  const { ctx, id, pickup } = await listed()
  const { typed, version, photos } = await getEditedListing(ctx, id)
  await saveDraft(ctx, { typed: draftTyped(Object.entries({ ...typed, originalPrice: '90,000' })), version: null, listingId: id })
  const draft = await findDraft(ctx, id)
  const { facts } = checkListing(readTyped(draft!.typed), { today })
  const change = { version, pickupAddressId: pickup, facts: facts!, isTagGone: false, photos: photos.map((photo) => listedRef(photo.id)) }
  await editListing(ctx, media, id, change)
  expect(await getProduct(ctx, id)).toMatchObject({ ...answers, originalPrice: 900_000_000n })
})

test('the database refuses values that the field table does not allow', async () => {
  const { id } = await listed()
  for (const [name, field] of fields) {
    const wrong = field.kind === 'choice' ? 'nothing' : field.max + 1
    const refused = market.ctx.db
      .update(trade.listings)
      .set({ [name]: wrong })
      .where(eq(trade.listings.id, id))
    await expect(refused, name).rejects.toMatchObject({ cause: { constraint: `listings_${field.column}` } })
  }
})

test('the start fills every table with names in both languages', async () => {
  const lookups = [...Object.values(trade), ...Object.values(people)].filter(
    (each) => is(each, PgTable) && ['id', 'en', 'ta'].every((column) => column in getTableColumns(each)),
  ) as PgTable[]
  expect(lookups.length).toBeGreaterThan(5)
  for (const table of lookups) expect(await market.ctx.db.$count(table), getTableName(table)).toBeGreaterThan(0)
})
