import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'

/** B §3: the answers of B §7 have every field that it names. A client that reads another name is out of luck, so the names are written out. */
let app: TestApp
let buyer: Viewer, seller: Viewer, vet: Viewer, admin: Viewer
let listing: number, address: number
shareTestApp((opened) => (app = opened), { rateLimitFactors: { address: 1000, user: 1000 } })
beforeAll(async () => {
  buyer = await makeUser(app.ctx, { typeId: 1, titleId: 2, email: 'selvi@example.com' })
  seller = await makeUser(app.ctx, { typeId: 2, name: 'Murugesan', isVerified: true })
  vet = await makeUser(app.ctx, { typeId: 5, vetApproved: true, name: 'Meena', degree: 'BVSc' })
  admin = await makeUser(app.ctx, { typeId: 9, isStaff: true })
  address = await makeAddress(app.ctx, buyer.id)
  listing = await makeListing(app.ctx, { sellerId: seller.id, nameEn: 'Fine bull', stock: 9, offerPrice: rupees(80_000) })
  const check = { listingId: listing, vetId: vet.id, approved: true, comments: 'Sound.', checkedOn: indianDay(app.ctx.now) }
  await makeVetCheck(app.ctx, check)
})

type Row = Record<string, unknown>
const read = <T = Row[]>(path: string, as: Viewer | null = null) => app.read<T>(`/api/v1${path}`, { as })
const has = (row: unknown, fields: string) => expect(Object.keys(row as Row)).toEqual(expect.arrayContaining(fields.split(' ')))

/** A list without rows would pass any check of its rows. */
function hasEach(path: string, rows: unknown[], fields: string): void {
  expect(rows.length, path).toBeGreaterThan(0)
  for (const row of rows) has(row, fields)
}

const PRODUCT =
  'id name category breed description uniqueidentifier created_date seller pickup sold_though_sandhai veterinary_check product_variant'
const DETAIL =
  'id product items_count buyer total_payable status statusId delivery product_image discountedamount delivery_charge tax_amount created_date order_no invoice price_per_item'

test('products in lists, with seller, place, variant, pictures and the vet’s check', async () => {
  for (const [path, as] of [
    ['/product-detail-list/top=12&category=0&page=home', null],
    ['/product-top/top=4', null],
    [`/sellerproducts/seller=${seller.id}&type=2&getitems=instock&top=0`, seller],
    ['/vet-productlist/checkcomplete=true&top=0', vet],
  ] as const) {
    const [product] = await read(path, as)
    has(product, PRODUCT)
    expect(product, path).toMatchObject({
      id: listing,
      name: 'Fine bull',
      category: { id: 1, name: 'Cattle' },
      breed: { id: 101, name: 'Kangayam' },
      seller: { username: 'Murugesan', is_verified: true },
      pickup: { address: { city: 'Tiruppur', state: 'Tamil Nadu' } },
      sold_though_sandhai: null,
      veterinary_check: [
        {
          is_vet_approved: true,
          vet_comments: 'Sound.',
          veterinary: 'Meena',
          veterinary_degree: 'BVSc',
          checked_on: indianDay(app.ctx.now),
        },
      ],
      product_variant: [
        {
          age: { age_range: expect.any(String) },
          gender: { name: 'Male' },
          weight: 420,
          original_price: 85_000,
          offer_price: 80_000,
          stock: 9,
          product_images: [{ image: expect.stringMatching(/^\/media\/.+\.jpg$/) }],
        },
      ],
    })
    // The PAN is in no answer (decisions §2).
    expect(JSON.stringify(product)).not.toMatch(/pan_?number/i)
  }
})

test('cart lines and orders are the same detail; an order has its delivery and, once delivered, its invoice', async () => {
  await makeCartLine(app.ctx, { buyerId: buyer.id, listingId: listing, count: 2 })
  const [line] = await read(`/buyercart/buyer=${buyer.id}`, buyer)
  has(line, DETAIL)
  has(line!.product, PRODUCT)
  const picture = expect.stringMatching(/^\/media\/.+\.jpg$/)
  expect(line).toMatchObject({
    product_image: picture,
    buyer: buyer.id,
    items_count: 2,
    price_per_item: 80_000,
    total_payable: 160_000,
    statusId: 0,
  })
  const other = await makeUser(app.ctx, { typeId: 1 })
  const { id } = await makeOrder(app.ctx, { status: 6, buyer: other, seller, listingId: listing })
  const [order] = await read(`/order/buyer=${other.id}&type=1`, other)
  has(order, DETAIL)
  expect(order).toMatchObject({
    id,
    buyer: other.id,
    items_count: 1,
    status: 'Delivered',
    statusId: 6,
    delivery: { delivered_on: indianDay(app.ctx.now), delivery_address: { buyer: other.id } },
    invoice: { invoice_number: expect.any(String), invoice_date: indianDay(app.ctx.now) },
    product: { id: listing, name: 'Fine bull' },
  })
  const { delivery } = order as { delivery: { delivery_address: { address: Row } } }
  has(delivery.delivery_address.address, 'name address_1 address_2 city state pincode phone')
  const [ordered] = await read(`/sellerproducts/seller=${seller.id}&type=2&getitems=ordered&top=0`, seller)
  expect(ordered).toMatchObject({ id, items_count: 1, status: 'Delivered', product: { id: listing, name: 'Fine bull' } })
})

test('saved addresses, lookups, PIN codes and the discount', async () => {
  const [saved] = await read(`/user-address/user=${buyer.id}`, buyer)
  expect(saved).toMatchObject({ id: address, address: { pincode: '638701' } })
  has(saved!.address, 'name type address_1 address_2 city state pincode phone')
  expect((await read<Row>(`/user-delivery-address/id=${address}`, buyer)).id).toBe(address)
  for (const [path, fields] of [
    ['/address-type', 'id name'],
    ['/user-type', 'id name'],
    ['/user-title', 'id title'],
    ['/livestock-age', 'age_range'],
    ['/livestock-color', 'name'],
    ['/livestock-gender', 'name'],
    ['/deliverable-pincodes', 'pincode isdeliverable'],
  ] as const)
    hasEach(path, (await read(path)).slice(0, 50), fields)
  hasEach('/order-status', await read('/order-status', buyer), 'id name')
  const [livestock] = (await read('/category-type')) as { categories: { breeds: Row[] }[] }[]
  has(livestock!.categories[0]!.breeds[0], 'id name')
  has(await read<Row>(`/userdiscount/buyer=${buyer.id}&code=`, buyer), 'discount_percent discount_rupees max_discount_rupees typeid')
})

test('a profile; its flags go to type 9 alone', async () => {
  const own = await read<Row>(`/userprofile/id=${buyer.id}`, buyer)
  has(own, 'id name phone usertype usertypename title usertitlename email username user_image referralcode')
  expect(own).toMatchObject({
    usertype: 1,
    usertypename: 'Buyer',
    title: 2,
    usertitlename: 'Mrs',
    email: 'selvi@example.com',
    user_image: [],
  })
  const seen = await read<Row>(`/userprofile/id=${buyer.id}`, admin)
  expect(seen).toMatchObject({ is_staff: false, is_admin: false, is_superuser: false, is_active: true })
})

test('a session names id, name, phone, type and referral code', async () => {
  const answer = await app.call('/api/v1/validatesession', { method: 'POST', as: buyer, csrf: true })
  const session = (await answer.json()) as Row
  has(session, 'id name phone usertype referralcode')
  expect(session).toMatchObject({ id: buyer.id, name: 'Selvi', usertype: 1, referralcode: expect.stringMatching(/^.{10}$/) })
})

test('the flags of a profile, saved by a super admin with their password, make staff and admins; selling makes nobody staff', async () => {
  const password = 'a quiet evening'
  const boss = await makeUser(app.ctx, { typeId: 9, superAdmin: true, passwordHash: await hashPassword(testVault, password) })
  const save = async (as: Viewer, json: object, { id }: Viewer) =>
    (await app.call(`/api/v1/userprofile/id=${id}`, { method: 'POST', as, csrf: true, json })).status
  const stored = async ({ id }: Viewer) => {
    const [row] = await app.ctx.db.select().from(users).where(eq(users.id, id))
    return [row!.typeId, row!.isStaff, row!.isAdmin, row!.superAdmin]
  }
  const flags = (is_staff: boolean, is_admin: boolean, is_superuser: boolean) => ({ is_staff, is_admin, is_superuser })
  const one = await makeUser(app.ctx)
  for (const [sent, expected] of [
    [flags(true, false, false), [9, true, false, false]],
    [flags(false, true, false), [9, false, true, false]],
    [flags(false, false, true), [9, false, false, true]],
  ] as const) {
    expect(await save(boss, { usertype: 9, ...sent }, one)).toBe(422)
    expect(await save(boss, { usertype: 9, ...sent, password }, one)).toBe(200)
    expect(await stored(one)).toEqual(expected)
  }
  const person = await makeUser(app.ctx)
  await makeAddress(app.ctx, person.id)
  expect(await save(person, { usertype: 2, ...flags(true, false, false) }, person)).toBe(200)
  expect(await stored(person)).toEqual([2, false, false, false])
})
