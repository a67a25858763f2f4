import { z } from '@hono/zod-openapi'
import { leftTo } from '#src/kit/text/text.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import {
  answer,
  idInPath,
  call,
  refusals,
  sendPersonal,
  sendPublic,
  addLookup,
  unchanged,
  countInPath,
  wholeInPath,
  type Api,
  type ApiContext,
} from '#src/kit/http/api.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { countsOnly } from '#src/kit/http/shown-names.ts'
import { answerPage, cursorOf, wrongCursor } from '#src/kit/http/paged-answers.server.ts'
import { recordView } from '../commands.server.ts'
import { knownIds } from '#src/listings/reference/lookups.server.ts'
import { getProduct, listCardsById, listProducts, listTrending, revealContact } from '../queries.server.ts'
import { breeds, categories, categoryTypes, colors, genders, livestockAges, vaccines } from '#src/listings/reference/reference-data.ts'
import { MAX_TOP } from '#src/listings/browse/schemas.ts'
import { ageRange, cardOnWire, listedProduct, named, productInFull, productInList, shortCard, wholeProduct } from './wire.server.ts'

/** The maximum length of Top in Market. */
const MAX_TRUSTED = 20
/** Milliseconds with at most 14 digits, which the database accepts as a date. */
const CURSOR_TIME = /^\d{1,14}$/

const categoryTree = z.strictObject({
  id: z.int(),
  name: z.string(),
  categories: z.array(
    z.strictObject({
      id: z.int(),
      name: z.string(),
      shortname: z.string(),
      varianttype: z
        .int()
        .openapi({ description: '1: animals with teeth, pregnancies, milk and offspring. 2: other animals. 0: not an animal.' }),
      breeds: z.array(z.strictObject({ id: z.int(), name: z.string(), shortname: z.string(), category: z.int() })),
      vaccines: z.array(z.strictObject({ id: z.int(), name: z.string(), shortname: z.string() })),
    }),
  ),
})

const id = idInPath("The listing's id, 1 to 15 plain digits.")

export function addListingsCalls(api: Api): void {
  addLookups(api)
  addBrowse(api)
  addTopListings(api)
  addCards(api)
  addProductRead(api)
}

function addBrowse(api: Api): void {
  call(api, 'GET /product-detail-list/top={top}&category={category}&page={page}', {
    tags: ['Market'],
    summary: 'List animals for sale',
    description: [
      'The three keys are required once each, in this order, plain or percent-encoded. `page=buy`: newest first, with',
      'X-Next-Cursor. `page=home`: most viewed first, without a cursor; the home page uses `top=12&category=0&page=home`.',
      'Sold, closed, unverified and withdrawn listings are omitted. Phones and streets are never returned.',
    ].join(' '),
    request: {
      params: z.object({
        top: countInPath(0, MAX_TOP).openapi({ description: `The number of items. 0 means the maximum, ${MAX_TOP}.` }),
        category: wholeInPath(/^(0|[1-9]\d{0,3})$/, 'A whole number.', { minimum: 0 })
          .refine((n) => n === 0 || knownIds.categoryIds.has(n), 'No such category.')
          .openapi({ description: 'An id of category-type; 0 means all.' }),
        page: z.enum(['buy', 'home'], 'buy or home'),
      }),
      query: z.strictObject({
        cursor: leftTo('decodeCursor', z.string())
          .optional()
          .openapi({ description: 'X-Next-Cursor of the previous page. With page=buy only.' }),
      }),
    },
    responses: {
      200: answerPage('The listings.', z.array(productInList)),
      ...unchanged,
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { top, category, page } = c.req.valid('param')
      const { cursor } = c.req.valid('query')
      const list = `newest.${category}`
      const after = cursorOf(list, cursor, CURSOR_TIME)
      if (after && page === 'home') throw wrongCursor()
      const count = top || MAX_TOP
      if (page === 'home') return sendPublic(c, listed(await listTrending(asPublic(c), { top: count, categoryId: category }), c.var.ctx))
      const { products, next } = await listProducts(asPublic(c), { categoryId: category, top: count, after })
      if (next) c.header('X-Next-Cursor', encodeCursor(list, next))
      countsOnly(c.var.ctx, [])
      return sendPublic(c, listed(products, c.var.ctx))
    },
  })
}

function addTopListings(api: Api): void {
  call(api, 'GET /product-top/top={top}', {
    tags: ['Market'],
    summary: 'List Top in Market',
    description: 'Returns the most viewed listings that have a verified seller or whose last vet check passed. The home page uses 4.',
    request: { params: z.object({ top: countInPath(1, MAX_TRUSTED) }) },
    responses: { 200: answer('The listings.', z.array(productInList)), ...unchanged, ...refusals('VALIDATION') },
    run: async (c) =>
      sendPublic(c, listed(await listTrending(asPublic(c), { top: c.req.valid('param').top, trustedOnly: true }), c.var.ctx)),
  })
}

/** The number of recent animals that a device remembers. */
const MAX_CARDS = 12

function addCards(api: Api): void {
  call(api, 'GET /product-cards/ids={ids}', {
    tags: ['Market'],
    summary: 'List animals by id',
    description: 'Returns short cards in the order of the ids. Sold, closed and withdrawn listings are omitted.',
    request: {
      params: z.object({
        ids: z
          .string()
          .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,11}$/, 'field_wrong')
          .transform((text) => [...new Set(text.split(',').map(Number))])
          .openapi({
            type: 'string',
            description: `1 to ${MAX_CARDS} ids, separated by commas.`,
            param: { required: true },
            example: '3,7,9',
          }),
      }),
    },
    responses: { 200: answer('The cards.', z.array(shortCard)), ...unchanged, ...refusals('VALIDATION') },
    run: async (c) => sendPublic(c, (await listCardsById(asPublic(c), c.req.valid('param').ids)).map(cardOnWire)),
  })
}

function addProductRead(api: Api): void {
  call(api, 'GET /product/id={id}', {
    tags: ['Market'],
    summary: 'Retrieve a listing',
    description: [
      'Also returns sold and closed listings. Without a session, the response is the same for everybody, and its view',
      "count may be a minute old. With a session, it contains the seller's phone and counts towards the daily number",
      'of sellers shown, so do not prefetch it. NOT_FOUND is also returned for listings that the caller may not see.',
    ].join(' '),
    request: { params: z.object({ id }) },
    responses: {
      200: answer('A list with the listing as its only item.', z.array(productInFull).length(1)),
      ...unchanged,
      ...refusals('VALIDATION', 'NOT_FOUND'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const listingId = c.req.valid('param').id
      const [product, mayCall] = await Promise.all([getProduct(ctx, listingId), revealContact(ctx, listingId)])
      // An admin sees the pickup place, so the read is audited.
      if (product.pickup && can(ctx.viewer, 'operate') && requireLoggedIn(ctx).id !== product.seller.id)
        await audit(ctx, 'sensitive_read', `user:${product.seller.id}`, { what: 'pickup', listing: listingId })
      countsOnly(ctx, [])
      const answered = [wholeProduct(ctx, product, mayCall)]
      return ctx.viewer ? sendPersonal(c, answered) : sendPublic(c, answered)
    },
  })
  call(api, 'POST /product-access-detail/id={id}', {
    tags: ['Market'],
    summary: 'Record a view of a listing',
    description: "Counts one view per viewer and day. The seller's own views return 200 and are not counted. Requires the CSRF token.",
    request: { params: z.object({ id }) },
    responses: {
      200: answer('The view was recorded.', z.strictObject({ rows: z.literal(1) })),
      ...refusals('NOT_FOUND', 'VALIDATION'),
    },
    run: async (c) => {
      await recordView(c.var.ctx, c.req.valid('param').id, c.var.market.env.secret)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addLookups(api: Api): void {
  const lookups = [
    ['/category-type', 'List category types with categories, breeds and vaccines', 'Buffaloes are breeds of Cattle.', categoryTree, treeIn],
    ['/livestock-age', 'List age ranges', 'The text of each range is in the field `age_range`, not in `name`.', ageRange, agesIn],
    ['/livestock-color', 'List colours', 'Colours of coats and feathers.', named, namedIn(colors)],
    ['/livestock-gender', 'List genders', 'Id 0 is female, so test for null, not for truth.', named, namedIn(genders)],
  ] as const
  for (const [path, summary, description, item, list] of lookups) addLookup(api, { path, tag: 'Lookups', summary, description, item, list })
}

const agesIn = (locale: Locale) => livestockAges.map((row) => ({ id: row.id, age_range: row[locale] }))
const namedIn = (rows: typeof colors) => (locale: Locale) => rows.map((row) => ({ id: row.id, name: row[locale] }))
const treeIn = (locale: Locale) =>
  categoryTypes.map((type) => ({
    id: type.id,
    name: type[locale],
    categories: categories
      .filter((category) => category.typeId === type.id)
      .map((category) => ({
        id: category.id,
        name: category[locale],
        shortname: locale === 'ta' ? category.shortTa : category.shortEn,
        varianttype: category.variantType,
        breeds: breeds
          .filter((breed) => breed.categoryId === category.id)
          .map((breed) => ({ id: breed.id, name: breed[locale], shortname: breed.shortName, category: category.id })),
        vaccines: vaccines
          .filter((vaccine) => vaccine.categoryIds.includes(category.id))
          .map((vaccine) => ({ id: vaccine.id, name: vaccine[locale], shortname: vaccine.code })),
      })),
  }))

/** Lists are read as an anonymous visitor, so that one answer serves everybody. */
const asPublic = (c: ApiContext) => ({ ...c.var.ctx, viewer: null })
const listed = (products: Parameters<typeof listedProduct>[0][], ctx: Ctx) => products.map((product) => listedProduct(product, ctx))
