import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { picture, wireBody } from '#tools/test-kit/test-sale.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))

interface Seller {
  viewer: Viewer
  pickup: number
}
async function seller(typeId = 2): Promise<Seller> {
  const viewer = await makeUser(app.ctx, { typeId })
  return { viewer, pickup: await makeAddress(app.ctx, viewer.id) }
}
const post = (as: Viewer | null, json: unknown, headers: Record<string, string> = {}) =>
  app.call('/api/v1/product', { method: 'POST', as, csrf: true, json, headers })
async function list({ viewer, pickup }: Seller, changes: Parameters<typeof wireBody>[2] = {}): Promise<number> {
  const response = await post(viewer, wireBody(viewer.id, pickup, changes))
  expect(response.status).toBe(200)
  return ((await response.json()) as { productVariantId: number }).productVariantId
}
interface Answer {
  code?: string
  fields?: { field: string; message: string }[]
}
const summaryOf = async (response: Response) => {
  const { code, fields } = (await response.json()) as Answer
  return [response.status, code, ...(fields ?? []).map(({ field }) => field)]
}
async function rowOf(id: number): Promise<Record<string, unknown>> {
  const { rows } = (await app.ctx.db.execute(
    sql`select *, (select count(*)::int from listing_photos where listing_id = l.id) as photos from listings l where id = ${id}::bigint`,
  )) as unknown as { rows: Record<string, unknown>[] }
  return rows[0]!
}
const count = async () =>
  Number(((await app.ctx.db.execute(sql`select count(*)::int as n from listings`)) as unknown as { rows: { n: number }[] }).rows[0]!.n)
function images(id: number | string, files: Buffer[], name = 'images'): FormData {
  const form = new FormData()
  for (const file of files) form.append(name, new File([new Uint8Array(file)], 'cow.jpg', { type: 'image/jpeg' }))
  form.set('product', String(id))
  return form
}
const upload = (as: Viewer, form: FormData) => app.call('/api/v1/productimages', { method: 'POST', as, csrf: true, form })

describe('POST /product', () => {
  test("makes a draft from the specification's body, with the place of its pickup address", async () => {
    const someone = await seller()
    const id = await list(someone)
    expect(await rowOf(id)).toMatchObject({
      state: 'draft',
      feed_type_id: 2,
      gender_id: 0,
      name: 'Kangayam cow',
      description: 'Calm',
      seller_id: String(someone.viewer.id),
      category_id: 1,
      breed_id: 101,
      pickup_address_id: String(someone.pickup),
      weight_kg: '320.25',
      pincode: '638701',
      district: 'Tiruppur',
      pregnancies: 1,
      milk_litres_per_day: '8.5',
      age_id: 7,
      color_id: 6,
      stock: 1,
      teeth_pairs: 4,
      offspring: 1,
      photos: 0,
    })
    const own = await app.read<{ product_variant: object[]; vaccinated: object[] }[]>(`/api/v1/product/id=${id}`, { as: someone.viewer })
    expect(own[0]).toMatchObject({
      product_variant: [{ original_price: 85000, offer_price: 80000.5, feedtype: 2 }],
      vaccinated: [{ vaccine: { id: 1, name: expect.any(String) }, completed_dose: 2, vaccinated_on: '2026-05-04' }],
    })
    expect(await app.refused(`/api/v1/product/id=${id}`)).toBe('404 NOT_FOUND')
  })

  test('accepts money as a decimal string, and an offer of 0 as none', async () => {
    const id = await list(await seller(4), { variant: { original_price: '85000.0001', offer_price: 0 } })
    expect(await rowOf(id)).toMatchObject({ offer_price: null })
    expect(String((await rowOf(id)).original_price)).toBe('850000001')
  })

  test.each([
    [{ variant: { original_price: 1.00005 } }, 'product_variant.0.original_price'],
    [{ variant: { original_price: 0 } }, 'product_variant.0.original_price'],
    [{ variant: { original_price: '85,000' } }, 'product_variant.0.original_price'],
    [{ variant: { original_price: 1e9 } }, 'product_variant.0.original_price'],
    [{ variant: { offer_price: 85000 } }, 'product_variant.0.offer_price'],
    [{ variant: { stock: 0 } }, 'product_variant.0.stock'],
    [{ variant: { stock: 1.5 } }, 'product_variant.0.stock'],
    [{ variant: { weight: -1 } }, 'product_variant.0.weight'],
    [{ variant: { gender: 1 } }, 'product_variant.0.is_pregnant'],
    [{ variant: { gender: null } }, 'product_variant.0.gender'],
    [{ variant: { older: true } }, 'product_variant.0.older'],
    [{ variant: { ear_tag: '123' } }, 'product_variant.0.ear_tag'],
    [{ variant: { adult_teeth_pair_count: 11 } }, 'product_variant.0.adult_teeth_pair_count'],
    [{ variant: { is_pregnant: 11 } }, 'product_variant.0.is_pregnant'],
    [{ variant: { milk_produce_per_Day: 4.3 } }, 'product_variant.0.milk_produce_per_Day'],
    [{ product: { breed: 201 } }, 'product.breed'],
    [{ product: { categorytype: 2 } }, 'product.categorytype'],
    [{ product: { categorytype: undefined } }, 'product.categorytype'],
    [{ product: { categorytype: null } }, 'product.categorytype'],
    [{ product: { name: '' } }, 'product.name'],
    [{ product: { pickup: 'x' } }, 'product.pickup'],
    [{ product: { secret: 1 } }, 'product.secret'],
    [{ vaccines: [{ vaccine: 1, completed_dose: 2, vaccinated_on: '2999-01-01' }] }, 'vaccines.0.vaccinated_on'],
    [{ vaccines: [{ vaccine: 16, completed_dose: 2, vaccinated_on: '2026-01-01' }] }, 'vaccines.0.vaccine'],
    [{ vaccines: [1, 2, 3].map(() => ({ vaccine: 1, completed_dose: 1, vaccinated_on: '2026-01-01' })) }, 'vaccines'],
  ] as [Parameters<typeof wireBody>[2], string][])('refuses %j', async (changes, field) => {
    const { viewer, pickup } = await seller()
    const before = await count()
    const [status, code, ...fields] = await summaryOf(await post(viewer, wireBody(viewer.id, pickup, changes)))
    expect([status, code]).toEqual([422, 'VALIDATION'])
    expect(fields).toContain(field)
    expect(await count()).toBe(before)
  })

  test('accepts the figures of A §5: teeth and pregnancies up to 10, milk in halves', async () => {
    const figures = { adult_teeth_pair_count: 10, is_pregnant: 10, milk_produce_per_Day: 4.5 }
    const id = await list(await seller(), { variant: figures })
    expect(await rowOf(id)).toMatchObject({ teeth_pairs: 10, pregnancies: 10, milk_litres_per_day: '4.5' })
    expect(await rowOf(await list(await seller(), { variant: { adult_teeth_pair_count: 8 } }))).toMatchObject({ teeth_pairs: 8 })
  })

  test('names the step of milk in the refusal', async () => {
    const { viewer, pickup } = await seller()
    const response = await post(viewer, wireBody(viewer.id, pickup, { variant: { milk_produce_per_Day: 4.3 } }), {
      'Accept-Language': 'en',
    })
    const { fields } = (await response.json()) as Answer
    expect(fields).toEqual([
      { field: 'product_variant.0.milk_produce_per_Day', message: 'From 0 to 100 litres, in steps of 0.5: 4, 4.5, 5' },
    ])
  })

  test('takes a puppy without a field that A §7 does not have, and refuses one that is said to be too young', async () => {
    const none = { adult_teeth_pair_count: 0, is_pregnant: 0, milk_produce_per_Day: 0, no_of_offsprings: 0 }
    const puppy = (variant: object = {}) => ({
      product: { category: 5, breed: 501, categorytype: 2, name: 'Rajapalayam pup' },
      variant: { ...none, age: 1, ...variant },
      vaccines: [],
    })
    const id = await list(await seller(), puppy())
    expect(await rowOf(id)).toMatchObject({ state: 'draft', category_id: 5, age_id: 1 })
    const { viewer, pickup } = await seller()
    const young = await post(viewer, wireBody(viewer.id, pickup, puppy({ older_than_eight_weeks: false })))
    expect(await summaryOf(young)).toEqual([422, 'VALIDATION', 'product_variant.0.older_than_eight_weeks'])
  })

  test('refuses no variant and two variants', async () => {
    const { viewer, pickup } = await seller()
    const body = wireBody(viewer.id, pickup)
    for (const product_variant of [[], [body.product_variant[0], body.product_variant[0]]])
      expect((await summaryOf(await post(viewer, { ...body, product_variant }))).slice(0, 2)).toEqual([422, 'VALIDATION'])
  })

  test('refuses another person’s name or address, and changes nothing', async () => {
    const [mine, other] = [await seller(), await seller()]
    const before = await count()
    const send = async (product: object) =>
      (await summaryOf(await post(mine.viewer, wireBody(mine.viewer.id, mine.pickup, { product })))).slice(0, 2)
    expect(await send({ seller: other.viewer.id })).toEqual([403, 'IDENTITY_MISMATCH'])
    expect(await send({ created_by: other.viewer.id })).toEqual([403, 'IDENTITY_MISMATCH'])
    expect(await send({ pickup: other.pickup })).toEqual([404, 'NOT_FOUND'])
    expect(await count()).toBe(before)
  })

  test('tells a buyer how to become a seller', async () => {
    const buyer = await makeUser(app.ctx, { typeId: 1 })
    const response = await post(buyer, wireBody(buyer.id, await makeAddress(app.ctx, buyer.id)))
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      code: 'ROLE_FORBIDDEN',
      detail: 'Contact our admin to change your type to Seller/Agent...',
    })
  })

  test('an admin lists for a seller, with that seller’s address, and never for a person who does not sell', async () => {
    const admin = await makeUser(app.ctx, { typeId: 9 })
    const [one, other] = [await seller(), await seller()]
    const buyer = await makeUser(app.ctx, { typeId: 1 })
    const send = async (sellerId: number, pickup: number) =>
      (await summaryOf(await post(admin, wireBody(sellerId, pickup, { product: { created_by: admin.id } })))).slice(0, 2)
    expect(await send(buyer.id, await makeAddress(app.ctx, buyer.id))).toEqual([404, 'NOT_FOUND'])
    expect(await send(one.viewer.id, other.pickup)).toEqual([404, 'NOT_FOUND'])
    const response = await post(admin, wireBody(one.viewer.id, one.pickup, { product: { created_by: admin.id } }))
    const { productVariantId } = (await response.json()) as { productVariantId: number }
    const row = await rowOf(productVariantId)
    expect([Number(row.seller_id), Number(row.created_by_id)]).toEqual([one.viewer.id, admin.id])
  })

  test('ignores the flags of the old client: the result is a draft', async () => {
    const flags = {
      is_verified: true,
      isverified: 1,
      is_admin: true,
      is_staff: true,
      is_superuser: true,
      is_active: true,
      usertype: 9,
      status: 'passed',
    }
    const id = await list(await seller(), { product: { ...flags, feedtype: 5 }, variant: { ...flags, feedtype: 5 } })
    expect(await rowOf(id)).toMatchObject({ state: 'draft', is_sold: false, feed_type_id: 2, verification_comment: null })
    for (const column of ['state', 'is_sold', 'created_at', 'seller_id', 'version', 'is_sample', 'id', 'tag_mac', 'verification_comment']) {
      const { viewer, pickup } = await seller()
      expect((await summaryOf(await post(viewer, wireBody(viewer.id, pickup, { product: { [column]: 'x' } })))).slice(0, 2)).toEqual([
        422,
        'VALIDATION',
      ])
    }
  })

  test('an Idempotency-Key makes one listing; the same key with another body is refused', async () => {
    const { viewer, pickup } = await seller()
    const before = await count()
    const key = { 'Idempotency-Key': 'lorry-7' }
    const answers = [await post(viewer, wireBody(viewer.id, pickup), key), await post(viewer, wireBody(viewer.id, pickup), key)]
    const [one, other] = await Promise.all(answers.map((response) => response.json()))
    expect(one).toEqual(other)
    expect(await count()).toBe(before + 1)
    expect((await summaryOf(await post(viewer, wireBody(viewer.id, pickup, { variant: { stock: 2 } }), key))).slice(0, 2)).toEqual([
      409,
      'IDEMPOTENCY_MISMATCH',
    ])
    const another = await seller()
    expect((await post(another.viewer, wireBody(another.viewer.id, another.pickup), { 'Idempotency-Key': 'x'.repeat(256) })).status).toBe(
      422,
    )
  })

  test('allows three a minute', async () => {
    const someone = await seller()
    for (let n = 0; n < 3; n++) await list(someone)
    const response = await post(someone.viewer, wireBody(someone.viewer.id, someone.pickup))
    expect([response.status, Number(response.headers.get('retry-after')) > 0]).toEqual([429, true])
  })

  test('an ear tag appears in no answer and in no readable column, and still identifies the animal', async () => {
    const [one, other] = [await seller(), await seller()]
    const ids = [await list(one, { variant: { ear_tag: '123456789012' } }), await list(other, { variant: { ear_tag: 123456789012 } })]
    const rows = await Promise.all(ids.map(rowOf))
    expect(Buffer.from(rows[0]!.tag_mac as Uint8Array).equals(Buffer.from(rows[1]!.tag_mac as Uint8Array))).toBe(true)
    const dump = JSON.stringify(rows) + Buffer.from(rows[0]!.tag_sealed as Uint8Array).toString('latin1')
    expect(dump).not.toContain('123456789012')
    expect(JSON.stringify(await app.read(`/api/v1/product/id=${ids[0]}`, { as: one.viewer }))).not.toContain('123456789012')
  })
})

describe('POST /productimages', () => {
  test('the first picture sends a draft to verification', async () => {
    const someone = await seller()
    const id = await list(someone)
    const response = await upload(someone.viewer, images(id, [await picture(1), await picture(2)]))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      rows: 2,
      images: [{ image: expect.stringMatching(/^\/media\/[a-z0-9]{20}-1280\.jpg$/) as string }, {}],
    })
    expect(await rowOf(id)).toMatchObject({ state: 'pending', photos: 2 })
  })

  test('allows three in all: accepts all pictures of a call or none', async () => {
    const someone = await seller()
    const id = await list(someone)
    const four = await Promise.all([1, 2, 3, 4].map((n) => picture(n)))
    expect(await summaryOf(await upload(someone.viewer, images(id, four)))).toEqual([409, 'TOO_MANY_IMAGES'])
    expect((await rowOf(id)).photos).toBe(0)
    await upload(someone.viewer, images(id, four.slice(0, 2)))
    const refused = await upload(someone.viewer, images(id, four.slice(2)))
    expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_IMAGES', detail: '*Error: Max 3 files allowed!' })
    expect(await summaryOf(await upload(someone.viewer, images(id, [four[2]!, Buffer.from('GIF89a')])))).toEqual([409, 'TOO_MANY_IMAGES'])
    expect((await rowOf(id)).photos).toBe(2)
    const other = await list(someone)
    expect(
      (await summaryOf(await upload(someone.viewer, images(other, [four[0]!, Buffer.from('<svg onload=alert(1)>')])))).slice(0, 2),
    ).toEqual([415, 'UNSUPPORTED_TYPE'])
    expect(await rowOf(other)).toMatchObject({ photos: 0, state: 'draft' })
  })

  test('another’s listing and an unknown one get the same answer; a body that is no upload is refused as such', async () => {
    const [mine, other] = [await seller(), await seller()]
    const id = await list(mine)
    const file = await picture(5)
    expect(await summaryOf(await upload(other.viewer, images(id, [file])))).toEqual([404, 'NOT_FOUND'])
    expect(await summaryOf(await upload(other.viewer, images(999_999, [file])))).toEqual([404, 'NOT_FOUND'])
    expect((await summaryOf(await upload(mine.viewer, images('1 OR 1=1', [file])))).slice(0, 2)).toEqual([422, 'VALIDATION'])
    expect((await summaryOf(await upload(mine.viewer, images(id, [])))).slice(0, 2)).toEqual([422, 'VALIDATION'])
    expect(
      (
        await summaryOf(await app.call('/api/v1/productimages', { method: 'POST', as: mine.viewer, csrf: true, json: { product: id } }))
      ).slice(0, 2),
    ).toEqual([415, 'UNSUPPORTED_TYPE'])
    expect((await rowOf(id)).photos).toBe(0)
  })

  test('a new picture sends a passed listing back to verification; removing one does not, and the last one stays', async () => {
    const someone = await seller()
    const id = await list(someone)
    const { images: stored } = (await (await upload(someone.viewer, images(id, [await picture(6), await picture(7)]))).json()) as {
      images: { id: number }[]
    }
    await app.ctx.db.execute(sql`update listings set state = 'passed' where id = ${id}::bigint`)
    const remove = (as: Viewer, photo: number) => app.call(`/api/v1/productimage/id=${photo}`, { method: 'DELETE', as, csrf: true })
    const stranger = await seller()
    expect(await summaryOf(await remove(stranger.viewer, stored[0]!.id))).toEqual([404, 'NOT_FOUND'])
    expect((await remove(someone.viewer, stored[0]!.id)).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ state: 'passed', photos: 1 })
    expect((await summaryOf(await remove(someone.viewer, stored[1]!.id))).slice(0, 2)).toEqual([422, 'VALIDATION'])
    expect((await upload(someone.viewer, images(id, [await picture(8)]))).status).toBe(200)
    expect(await rowOf(id)).toMatchObject({ state: 'pending', photos: 2 })
    await app.ctx.db.execute(sql`update listings set state = 'withdrawn' where id = ${id}::bigint`)
    expect(await summaryOf(await upload(someone.viewer, images(id, [await picture(9)])))).toEqual([409, 'LISTING_STEP'])
  })
})

test('GET /recommendprice shows the margin to sellers only', async () => {
  expect(await app.read('/api/v1/recommendprice', { as: (await seller()).viewer })).toEqual({ recommendedOfferpercent: 0, profitmargin: 5 })
  expect(await app.refused('/api/v1/recommendprice')).toBe('401 AUTH_REQUIRED')
  expect(await app.refused('/api/v1/recommendprice', { as: await makeUser(app.ctx, { typeId: 1 }) })).toBe('403 ROLE_FORBIDDEN')
})

test('the draft over the API: saved, outdated, with a picture, restarted', async () => {
  const { viewer } = await seller()
  const put = (version: number, typed: object) =>
    app.read('/api/v1/listing-draft', { method: 'PUT', as: viewer, csrf: true, json: { version, typed } })
  expect(await app.read('/api/v1/listing-draft', { as: viewer })).toEqual({ version: 0, typed: {}, photos: [], clips: [] })
  expect(await put(2, { name: 'மாடு', is_verified: 'true' })).toEqual({ version: 2, saved: true, sent: false })
  expect(await put(1, { name: 'late' })).toEqual({ version: 2, saved: false, sent: false })
  const form = new FormData()
  form.set('image', new File([new Uint8Array(await picture(71))], 'cow.jpg'))
  await app.read('/api/v1/listing-draft/photo', { method: 'POST', as: viewer, csrf: true, form })
  expect(await app.read('/api/v1/listing-draft', { as: viewer })).toMatchObject({
    version: 2,
    typed: { name: 'மாடு' },
    photos: [{ image: expect.any(String) as string }],
  })
  await app.read('/api/v1/listing-draft', { method: 'DELETE', as: viewer, csrf: true })
  expect(await app.read('/api/v1/listing-draft', { as: viewer })).toEqual({ version: 0, typed: {}, photos: [], clips: [] })
})
