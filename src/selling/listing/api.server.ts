import { z } from '@hono/zod-openapi'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import {
  answer,
  idInPath,
  call,
  jsonBody,
  refusals,
  sendPersonal,
  wholeInPath,
  type Api,
  type ApiContext,
  multipart,
  multipartForm,
} from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { IDEMPOTENCY_KEY, once } from '#src/kit/records/idempotency.server.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { notFound, Problem, invalidField, renamingFields } from '#src/kit/base/problem.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { checkListing, isTypeOf } from '#src/listings/write/listing-input.ts'
import { decimalOf } from '#src/kit/time-money/money.ts'
import type { UsualPrice } from '#src/listings/browse/usual-price.server.ts'
import { readOwner } from '#src/selling/owners/owner-input.server.ts'
import { addPhotos, removePhoto } from '#src/selling/photos/photos.server.ts'
import { findSimilarPrices } from '../similar-prices.server.ts'
import { filesIn } from '#src/selling/photos/uploads.server.ts'
import { productBody, typedOf, typedOwner, withWireName, type ProductBody } from './listing-wire.ts'
import { createListing, hasPickup, requireMayListFor, type Sale } from './sell.server.ts'

const rows = z.strictObject({ rows: z.int() })

/** Rows 24 to 26 of api.md. */
export function addSellingCalls(api: Api): void {
  addListingCreation(api)
  addPhotoUpload(api)
  addPhotoRemoval(api)
}

function addListingCreation(api: Api): void {
  call(api, 'GET /recommendprice', {
    tags: ['Selling'],
    summary: 'Retrieve the settings of the recommended price',
    description: 'Both values are percent. Recommended price = (price + profit) ÷ (1 − offer), rounded up to whole rupees at each step.',
    responses: {
      200: answer('The settings.', z.strictObject({ recommendedOfferpercent: z.number(), profitmargin: z.number() })),
      ...refusals(),
    },
    run: async (c) => {
      const { recommendedOfferPercent, profitMarginPercent } = await readSettings(c.var.ctx)
      return sendPersonal(c, { recommendedOfferpercent: recommendedOfferPercent, profitmargin: profitMarginPercent })
    },
  })
  addSimilarPrices(api)
  call(api, 'POST /product', {
    tags: ['Selling'],
    summary: 'Create a listing',
    description: [
      'Creates a draft. With its first picture (productimages) the draft is submitted for verification. With an',
      '`Idempotency-Key`, a repeated request is carried out once and returns the first response, for two days.',
    ].join(' '),
    request: {
      headers: z.object({ 'idempotency-key': z.string().regex(IDEMPOTENCY_KEY, 'Visible ASCII, at most 255 characters.').optional() }),
      body: jsonBody(productBody),
    },
    responses: {
      200: answer('The id of the listing.', z.strictObject({ productVariantId: z.int() })),
      ...refusals('VALIDATION', 'IDENTITY_MISMATCH', 'NOT_FOUND', 'IDEMPOTENCY_MISMATCH'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const body = c.req.valid('json')
      const sale = await saleIn(ctx, body)
      const key = c.req.valid('header')['idempotency-key']
      const act = (ctx: Ctx) => createListing(ctx, sale).catch(renamingFields(withWireName))
      const id =
        key === undefined
          ? await inTransaction(ctx, act)
          : await once(ctx, { owner: `user:${requireLoggedIn(ctx).id}|POST /product`, key, request: body }, act)
      return sendPersonal(c, { productVariantId: id })
    },
  })
}

const priceRange = z.strictObject({ low: z.number(), high: z.number(), count: z.int() }).nullable()
const onWire = (price: UsualPrice | null) =>
  price && { low: Number(decimalOf(price.from)), high: Number(decimalOf(price.to)), count: price.count }

function addSimilarPrices(api: Api): void {
  call(api, 'GET /similarprices/breed={breed}&gender={gender}', {
    tags: ['Selling'],
    summary: 'Retrieve the usual prices of a breed and sex',
    description: [
      'Rupees for one animal; half of the prices lie between `low` and `high`. `asked` covers present',
      'listings, `fetched` orders delivered in the last year. Null if there are fewer than five prices.',
    ].join(' '),
    request: {
      params: z.strictObject({
        breed: idInPath('An id of livestock-breed.'),
        gender: wholeInPath(/^[0-3]$/, 'A gender, 0 to 3.', { minimum: 0 }).openapi({
          description: 'An id of livestock-gender; 0 is female.',
        }),
      }),
    },
    responses: {
      200: answer('The prices.', z.strictObject({ asked: priceRange, fetched: priceRange })),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { breed, gender } = c.req.valid('param')
      const { asked, fetched } = await findSimilarPrices(c.var.ctx, breed, gender)
      return sendPersonal(c, { asked: onWire(asked), fetched: onWire(fetched) })
    },
  })
}

function addPhotoUpload(api: Api): void {
  call(api, 'POST /productimages', {
    tags: ['Selling'],
    summary: 'Add pictures to a listing',
    description: [
      'JPEG or PNG of at most 8 MB each. A listing has at most three; either all are stored or',
      'none. Pictures are encoded again, which removes all metadata. The first pictures submit a',
      'draft for verification; new pictures of a verified listing send it back to verification.',
    ].join(' '),
    ...multipart({
      required: ['images', 'product'],
      properties: {
        images: { type: 'array', items: { type: 'string', format: 'binary' } },
        product: { type: 'integer', description: "The listing's id." },
      },
    }),
    responses: {
      200: answer(
        'All pictures of the listing.',
        z.strictObject({ rows: z.int(), images: z.array(z.strictObject({ id: z.int(), image: z.string() })) }),
      ),
      ...refusals('VALIDATION', 'NOT_FOUND', 'TOO_MANY_IMAGES', 'LISTING_STEP'),
    },
    run: async (c) => {
      const { ctx, market } = c.var
      const form = await multipartForm(c)
      const products = form.getAll('product')
      if (products.length !== 1 || typeof products[0] !== 'string' || !ID_PATTERN.test(products[0]))
        throw invalidField('product', "The listing's id, once.")
      const files = await filesIn(form, 'images')
      await takeMore(c, files.length)
      const photos = await addPhotos(ctx, market.media, Number(products[0]), files)
      return sendPersonal(c, { rows: files.length, images: photos.map(({ id, key }) => ({ id, image: mediaUrl(key, 1280, 'jpeg') })) })
    },
  })
}

function addPhotoRemoval(api: Api): void {
  call(api, 'DELETE /productimage/id={photoId}', {
    tags: ['Selling'],
    summary: 'Remove a picture of a listing',
    description: 'VALIDATION is returned for the last picture of a listing that is or was public.',
    request: {
      params: z.object({
        photoId: idInPath(),
      }),
    },
    responses: { 200: answer('It was removed.', rows), ...refusals('VALIDATION', 'UNSUPPORTED_TYPE', 'NOT_FOUND', 'LISTING_STEP') },
    run: async (c) => {
      await removePhoto(c.var.ctx, c.var.market.media, c.req.valid('param').photoId)
      return sendPersonal(c, { rows: 1 })
    },
  })
}

/** Checks the input before the ownership, so that errors in the input reveal nothing about other people's addresses. */
async function saleIn(ctx: Ctx, body: ProductBody): Promise<Sale> {
  const { product } = body
  const checked = checkListing(typedOf(body), { today: indianDay(ctx.now), isStrict: true })
  const problems = checked.problems.map((problem) => withWireName(problem))
  const note = (field: string, message: string) => void problems.push({ field: `product.${field}`, message })
  const pickup = String(product.pickup ?? '')
  if (!ID_PATTERN.test(pickup)) note('pickup', 'field_listing_pickup')
  const named = (value: string | number | null | undefined, field: string) => {
    if (value === null || value === undefined || value === '') return null
    if (!ID_PATTERN.test(String(value))) note(field, "A user's id.")
    return Number(value)
  }
  const createdBy = named(product.created_by, 'created_by')
  const sellerId = named(product.seller, 'seller') ?? (can(ctx.viewer, 'operate') ? null : requireLoggedIn(ctx).id)
  if (sellerId === null) note('seller', 'field_seller_unknown')
  if (!isTypeOf(product.categorytype, product.category)) note('categorytype', 'field_listing_category')
  const typedFor = typedOwner(body)
  const owner = typedFor && readOwner(ctx, typedFor)
  problems.push(...(owner?.problems ?? []).map((problem) => withWireName(problem)))
  if (!checked.facts || problems.length > 0) throw new Problem('VALIDATION', { fields: problems })
  if (createdBy !== null && createdBy !== requireLoggedIn(ctx).id) throw new Problem('IDENTITY_MISMATCH')
  await requireMayListFor(ctx, sellerId!)
  if (!(await hasPickup(ctx, sellerId!, Number(pickup)))) throw notFound()
  return { sellerId: sellerId!, pickupAddressId: Number(pickup), facts: checked.facts, owner: owner?.terms ?? null }
}

/** A call with several pictures counts each of them against the rate limit (L6: 60 a day). */
async function takeMore(c: ApiContext, count: number): Promise<void> {
  const { ctx, market } = c.var
  for (let n = 1; n < Math.min(count, 3); n++) await market.limits.takeDurable(ctx.db, 'uploadDay', String(requireLoggedIn(ctx).id))
}
