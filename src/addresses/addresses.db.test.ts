import { and, eq, isNull, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { unreachable } from '#src/kit/db/database.server.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { usedAddresses } from '#src/orders/used-addresses.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { MAX_ADDRESSES, MAX_ADDRESS_LINE } from './address-limits.ts'
import { registerAddressUse } from './address-use.server.ts'
import { addAddress, changeAddress, getAddress, listAddresses, removeAddress } from './addresses.server.ts'
import type { PincodePlace } from './places.server.ts'
import { makeAddress } from './makers.server.ts'
import { addresses, pincodes } from './tables.ts'

type Person = Awaited<ReturnType<typeof makeUser>>

let app: TestApp
const people = {} as Record<'buyer' | 'seller' | 'stranger' | 'admin', Person>
shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  people.buyer = await makeUser(app.ctx, { typeId: 1 })
  people.seller = await makeUser(app.ctx, { typeId: 2 })
  people.stranger = await makeUser(app.ctx, { typeId: 3 })
  people.admin = await makeUser(app.ctx, { typeId: 9 })
})

const bookOf = (person: Person) => `/api/v1/user-address/user=${person.id}`
const body = (changes: Record<string, unknown> = {}) => ({
  name: 'செல்வி',
  phone: '98765 43210',
  type: 1,
  address_1: '12, கோவில் தெரு',
  address_2: 'பெருந்துறை',
  pincode: '638052',
  ...changes,
})
const input = { name: 'Selvi', phone: '+919876543210', typeId: 1, address1: '12 Temple Street', address2: 'Perundurai', pincode: '638052' }
const add = (as: Person | null, json: unknown, to = as!) => app.call(bookOf(to), { method: 'POST', as, csrf: true, json, language: 'en' })
const added = async (as: Person, json: unknown = body(), to = as) => {
  const response = await add(as, json, to)
  expect(response.status).toBe(200)
  return ((await response.json()) as { id: number }).id
}
const refused = async (response: Response | Promise<Response>) => {
  const answer = await response
  const { code, fields = [] } = (await answer.json()) as { code: string; fields?: { field: string; message: string }[] }
  return { is: `${answer.status} ${code}`, says: Object.fromEntries(fields.toReversed().map(({ field, message }) => [field, message])) }
}
const code = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    (error: { code?: string }) => error.code ?? String(error),
  )
const rowsOf = (person: Person) => app.ctx.db.$count(addresses, and(eq(addresses.userId, person.id), isNull(addresses.removedAt)))

describe('adding an address to the book', () => {
  test.each([{ isActive: false }, { erasedAt: new Date(), isActive: false }])('is refused for a person who is %j', async (change) => {
    const one = await makeUser(app.ctx, { typeId: 2 })
    await app.ctx.db.update(users).set(change).where(eq(users.id, one.id))
    // A request that began before the account was deactivated or erased.
    expect(await code(addAddress(app.as(one), one.id, input))).toBe('NOT_FOUND')
    expect(await code(addAddress(app.as(people.admin), one.id, input))).toBe('NOT_FOUND')
    expect(await rowsOf(one)).toBe(0)
  })

  test('stores the input, and takes the place from our own PIN code table', async () => {
    const id = await added(people.buyer, body({ phone: '௯௮௭௬௫ ௪௩௨௧௦', pincode: '௬௩௮ ௦௫௨', type: '2' }))
    const [row] = await app.ctx.db.select().from(addresses).where(eq(addresses.id, id))
    expect(row).toMatchObject({
      userId: people.buyer.id,
      name: 'செல்வி',
      phone: '+919876543210',
      typeId: 2,
      address1: '12, கோவில் தெரு',
      address2: 'பெருந்துறை',
      pincode: '638052',
      removedAt: null,
    })
    const [place] = await app.ctx.db.select().from(pincodes).where(eq(pincodes.pincode, '638052'))
    const [saved] = await app.read<{ id: number; address: Record<string, unknown> }[]>(bookOf(people.buyer), { as: people.buyer })
    expect(saved).toEqual({
      id,
      address: {
        name: 'செல்வி',
        phone: '+919876543210',
        type: 2,
        address_1: '12, கோவில் தெரு',
        address_2: 'பெருந்துறை',
        taluk: place!.taluk,
        city: place!.district,
        state: 'Tamil Nadu',
        country: 'India',
        pincode: '638052',
        isdeliverable: true,
      },
    })
    const one = await app.read(`/api/v1/user-delivery-address/id=${id}`, { as: people.buyer })
    expect(one).toEqual(saved)
  })

  test('ignores the city, state, deliverability and flags that the client sends', async () => {
    const id = await added(
      people.stranger,
      body({
        pincode: 605001,
        city: 'Chennai',
        state: 'Tamil Nadu',
        country: 'France',
        isdeliverable: true,
        user: String(people.stranger.id),
        is_admin: true,
        is_superuser: true,
        usertype: 9,
      }),
    )
    const { address } = await app.read<{ address: Record<string, unknown> }>(`/api/v1/user-delivery-address/id=${id}`, {
      as: people.stranger,
    })
    expect(address).toMatchObject({ city: 'Puducherry', state: 'Puducherry', country: 'India', isdeliverable: false })
    await app.ctx.db.update(pincodes).set({ isDeliverable: true }).where(eq(pincodes.pincode, '605001'))
    expect((await getAddress(app.as(people.stranger), id)).isDeliverable).toBe(true)
    await app.ctx.db.update(pincodes).set({ isDeliverable: false }).where(eq(pincodes.pincode, '605001'))
    expect((await getAddress(app.as(people.stranger), id)).isDeliverable).toBe(false)
  })

  test('needs no state, city or country with a known PIN code', async () => {
    expect(await added(people.stranger, body({ city: '', state: '', country: '' }))).toBeGreaterThan(0)
  })

  test('accepts no id, removal date or other field that the form does not have', async () => {
    const before = await rowsOf(people.buyer)
    for (const extra of [{ id: 1 }, { removedAt: '2020-01-01' }, { user_id: 1 }, { userId: people.seller.id }])
      expect((await refused(add(people.buyer, body(extra)))).is).toBe('422 VALIDATION')
    expect(await rowsOf(people.buyer)).toBe(before)
  })

  const B = 'Name cannot be blank'
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no name', { name: '  ' }, { name: B }],
    ['a missing name', { name: undefined }, { name: B }],
    ['no phone', { phone: ' ' }, { phone: 'Phone cannot be blank' }],
    ['a missing phone', { phone: undefined }, { phone: 'Phone cannot be blank' }],
    ['too short a phone', { phone: '98765' }, { phone: 'Phone number is not in correct format' }],
    ['eleven digits', { phone: '+12345678901' }, { phone: 'Phone number is not in correct format' }],
    ['a phone number outside the Indian ranges', { phone: '+911234567890' }, { phone: 'Phone number is not in correct format' }],
    ['no first line', { address_1: '' }, { address_1: 'Address cannot be blank' }],
    ['no second line', { address_2: '\u200d \u200b' }, { address_2: 'Address cannot be blank' }],
    [
      'missing lines',
      { address_1: undefined, address_2: 7 },
      { address_1: 'Address cannot be blank', address_2: 'Address cannot be blank' },
    ],
    ['no type', { type: '' }, { type: 'Address type cannot be blank' }],
    ['a missing type', { type: undefined }, { type: 'Address type cannot be blank' }],
    ['an unknown type', { type: 77 }, { type: 'Address type cannot be blank' }],
    ['no PIN code', { pincode: '' }, { pincode: 'Pincode cannot be blank' }],
    ['a missing PIN code', { pincode: null }, { pincode: 'Pincode cannot be blank' }],
    ['five digits', { pincode: '63805' }, { pincode: 'Pincode not valid' }],
    ['seven digits', { pincode: '6380520' }, { pincode: 'Pincode not valid' }],
    ['letters', { pincode: 'ABCDEF' }, { pincode: 'Pincode not valid' }],
    ['a PIN code that does not exist', { pincode: '999999' }, { pincode: 'This Pincode is not valid. Please try different code.' }],
    [
      'a PIN code that does not exist and a blank place',
      { pincode: '999999', state: '', city: ' ', country: '' },
      {
        pincode: 'This Pincode is not valid. Please try different code.',
        state: 'State cannot be blank',
        city: 'City cannot be blank',
        country: 'Country cannot be blank',
      },
    ],
    ['a NUL', { address_1: 'a\u0000b' }, { address_1: 'This text has characters that cannot be shown.' }],
    ['half an emoji', { address_2: 'a\ud83d' }, { address_2: 'This text has characters that cannot be shown.' }],
    ['a name without letters', { name: '\u202E...' }, { name: 'This name has characters that cannot be shown.' }],
    ['too long a line', { address_1: 'அ'.repeat(MAX_ADDRESS_LINE + 1) }, { address_1: 'Use at most 120 characters.' }],
    ['ten thousand marks', { address_1: `a${'\u0301'.repeat(10_000)}` }, { address_1: 'Use at most 120 characters.' }],
    [
      'nothing at all',
      { name: '', phone: '', type: '', address_1: '', address_2: '', pincode: '' },
      {
        name: B,
        phone: 'Phone cannot be blank',
        type: 'Address type cannot be blank',
        address_1: 'Address cannot be blank',
        address_2: 'Address cannot be blank',
        pincode: 'Pincode cannot be blank',
      },
    ],
  ])('with %s reports the error in words', async (_, changes, says) => {
    // A new person for each case, because the rate limit is below the number of cases.
    const person = await makeUser(app.ctx)
    expect(await refused(add(person, body(changes)))).toEqual({ is: '422 VALIDATION', says })
    expect(await rowsOf(person)).toBe(0)
  })

  test('reports errors in Tamil to Tamil readers', async () => {
    const response = app.call(bookOf(people.buyer), {
      method: 'POST',
      as: people.buyer,
      csrf: true,
      json: body({ pincode: '' }),
      language: 'ta',
    })
    expect((await refused(response)).says).toEqual({ pincode: 'பின்கோடு எழுதுங்கள்' })
  })

  test('keeps Tamil, joined letters and emoji, and removes characters that change the text direction', async () => {
    const id = await added(
      people.buyer,
      body({ name: 'க்\u200dஷ 👨‍👩‍👧 Selvi', address_1: '\u202A12\u200e, தெரு 🐄\u202C', address_2: 'e\u0301', phone: '+91 (98765) 43210' }),
    )
    expect(await getAddress(app.as(people.buyer), id)).toMatchObject({
      name: 'க்\u200dஷ 👨‍👩‍👧 Selvi',
      address1: '12, தெரு 🐄',
      address2: '\u00e9',
      phone: '+919876543210',
    })
  })

  test('writes an audit entry without address data', async () => {
    const id = await added(people.buyer)
    const events = await app.ctx.db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.object, `address:${id}`))
      .orderBy(auditEvents.id)
    expect(events).toMatchObject([{ event: 'sensitive_create', actorId: people.buyer.id, details: { owner: people.buyer.id } }])
  })
})

describe('ownership of an address book', () => {
  test('another person’s book is NOT_FOUND for reading and writing, like an unknown person’s', async () => {
    const theirs = await makeAddress(app.ctx, people.buyer.id)
    const before = await rowsOf(people.buyer)
    const answers = await Promise.all(
      [
        `/api/v1/user-delivery-address/id=${theirs}`,
        '/api/v1/user-delivery-address/id=99999999',
        bookOf(people.buyer),
        '/api/v1/user-address/user=99999999',
      ].map(async (path) => {
        const response = await app.call(path, { as: people.stranger })
        const { requestId, ...rest } = (await response.json()) as Record<string, unknown>
        return { requestId: typeof requestId, ...rest, status: response.status }
      }),
    )
    expect(answers[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect((await refused(add(people.stranger, body(), people.buyer))).is).toBe('404 NOT_FOUND')
    expect((await refused(add(people.stranger, body({ user: people.stranger.id }), people.buyer))).is).toBe('404 NOT_FOUND')
    expect(await rowsOf(people.buyer)).toBe(before)
  })

  test('a body that names another person is refused, and nothing is written', async () => {
    const before = [await rowsOf(people.buyer), await rowsOf(people.stranger)]
    expect((await refused(add(people.stranger, body({ user: people.buyer.id })))).is).toBe('403 IDENTITY_MISMATCH')
    expect([await rowsOf(people.buyer), await rowsOf(people.stranger)]).toEqual(before)
  })

  test('strangers and anonymous visitors can neither change nor remove addresses', async () => {
    const theirs = await makeAddress(app.ctx, people.buyer.id)
    for (const viewer of [people.stranger, people.admin, null]) {
      expect(await code(changeAddress(app.as(viewer), theirs, input))).toBe('NOT_FOUND')
      expect(await code(removeAddress(app.as(viewer), theirs))).toBe('NOT_FOUND')
      expect(await code(listAddresses(app.as(viewer === people.admin ? null : viewer), people.buyer.id))).toBe('NOT_FOUND')
    }
    expect(await getAddress(app.as(people.buyer), theirs)).toMatchObject({ name: 'Farm' })
  })

  test('writing needs a login and a CSRF token', async () => {
    expect(await app.refused(bookOf(people.buyer))).toBe('401 AUTH_REQUIRED')
    expect(await app.refused('/api/v1/user-delivery-address/id=1')).toBe('401 AUTH_REQUIRED')
    expect(await app.refused(bookOf(people.buyer), { method: 'POST', csrf: true, json: body() })).toBe('401 AUTH_REQUIRED')
    expect(await app.refused(bookOf(people.buyer), { method: 'POST', as: people.buyer, json: body() })).toBe('403 CSRF_REJECTED')
  })

  test('an admin reads any book and adds for a seller; both are audited', async () => {
    const id = await added(people.admin, body({ user: people.seller.id }), people.seller)
    expect(await getAddress(app.as(people.seller), id)).toMatchObject({ id })
    expect(await app.read(bookOf(people.seller), { as: people.admin })).toMatchObject([{ id }])
    expect(await app.read(`/api/v1/user-delivery-address/id=${id}`, { as: people.admin })).toMatchObject({ id })
    expect((await refused(add(people.admin, body(), people.buyer))).is).toBe('404 NOT_FOUND')
    expect(await app.refused('/api/v1/user-address/user=99999999', { as: people.admin })).toBe('404 NOT_FOUND')
    expect((await refused(add(people.admin, body({ user: people.admin.id }), people.seller))).is).toBe('403 IDENTITY_MISMATCH')
    const events = await app.ctx.db.select().from(auditEvents).where(eq(auditEvents.actorId, people.admin.id)).orderBy(auditEvents.id)
    expect(events.map(({ event, object }) => `${event} ${object}`)).toEqual([
      `sensitive_create address:${id}`,
      `sensitive_read user:${people.seller.id}`,
      `sensitive_read address:${id}`,
    ])
  })
})

describe('an address in the book', () => {
  test('disappears when removed, and its row stays', async () => {
    const owner = await makeUser(app.ctx)
    const kept = await makeAddress(app.ctx, owner.id)
    const gone = await makeAddress(app.ctx, owner.id)
    await removeAddress(app.as(owner), gone)
    expect((await listAddresses(app.as(owner), owner.id)).map(({ id }) => id)).toEqual([kept])
    expect(await app.refused(`/api/v1/user-delivery-address/id=${gone}`, { as: owner })).toBe('404 NOT_FOUND')
    expect(await code(removeAddress(app.as(owner), gone))).toBe('NOT_FOUND')
    expect(await code(changeAddress(app.as(owner), gone, input))).toBe('NOT_FOUND')
    expect(await code(getAddress(app.as(people.admin), gone))).toBe('NOT_FOUND')
    expect(await app.ctx.db.$count(addresses, eq(addresses.id, gone))).toBe(1)
  })

  test('is changed as a whole, and moves its listings only when the place changes', async () => {
    const owner = await makeUser(app.ctx)
    const id = await makeAddress(app.ctx, owner.id)
    const moves: PincodePlace[] = []
    registerAddressUse({ ...usedAddresses, move: async (_, __, place) => void moves.push(place) })
    await changeAddress(app.as(owner), id, input)
    await changeAddress(app.as(owner), id, { ...input, name: 'Kavitha' })
    registerAddressUse(usedAddresses)
    expect(moves).toMatchObject([{ pincode: '638052', state: 'Tamil Nadu' }])
    expect(await getAddress(app.as(owner), id)).toMatchObject({ ...input, name: 'Kavitha' })
    expect(await code(changeAddress(app.as(owner), id, { ...input, pincode: '999999' }))).toBe('VALIDATION')
  })

  test('counts towards the limit of twenty: the next is refused until one is removed', async () => {
    const owner = await makeUser(app.ctx)
    for (let n = 0; n < MAX_ADDRESSES; n++) await makeAddress(app.ctx, owner.id)
    expect((await refused(add(owner, body()))).is).toBe('409 TOO_MANY_ADDRESSES')
    expect(await rowsOf(owner)).toBe(MAX_ADDRESSES)
    const [first] = await listAddresses(app.as(owner), owner.id)
    await removeAddress(app.as(owner), first!.id)
    await added(owner)
    expect(await rowsOf(owner)).toBe(MAX_ADDRESSES)
  })

  test('an empty book is an empty list, and an unavailable database is an error', async () => {
    const owner = await makeUser(app.ctx)
    expect(await app.read(bookOf(owner), { as: owner })).toEqual([])
    await expect(listAddresses({ ...app.as(owner), db: unreachable }, owner.id)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(addAddress({ ...app.as(owner), db: unreachable }, owner.id, input)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('the place of a PIN code', () => {
  test('is in the viewer’s language, with the delivery flag', async () => {
    const path = '/api/v1/pincode-place/pincode=641001'
    const { taluk, ...rest } = await app.read<Record<string, unknown>>(path)
    expect(rest).toEqual({ pincode: '641001', district: 'Coimbatore', state: 'Tamil Nadu', isdeliverable: true })
    expect(taluk).toMatch(/Coimbatore/)
    expect(await app.read(path, { language: 'ta' })).toMatchObject({ district: 'கோயம்புத்தூர்', state: 'தமிழ்நாடு' })
    expect(await app.read('/api/v1/pincode-place/pincode=605001')).toMatchObject({ isdeliverable: false })
  })

  test('is NOT_FOUND when the code does not exist; text that is no PIN code is invalid', async () => {
    expect(await app.refused('/api/v1/pincode-place/pincode=999999')).toBe('404 NOT_FOUND')
    for (const wrong of ['64100', '064100', '6410011', 'abcdef', '௬௪௧௦௦௧', ''])
      expect(await app.refused(`/api/v1/pincode-place/pincode=${encodeURIComponent(wrong)}`)).toBe('422 VALIDATION')
  })
})

test('every id in the address calls must be plain digits', async () => {
  const as = people.buyer
  for (const id of ['0', '-1', '1e3', '٣', '1234567890123456', 'abc', '1;drop'])
    for (const path of [
      `/api/v1/user-address/user=${encodeURIComponent(id)}`,
      `/api/v1/user-delivery-address/id=${encodeURIComponent(id)}`,
    ])
      expect(await app.refused(path, { as }), path).toBe('422 VALIDATION')
  expect(await app.ctx.db.execute(sql`select 1`)).toBeDefined()
})
