import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Viewer } from '../kit/context.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { makeListing } from '../listings/makers.server.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { vetChecks } from './tables.ts'
import { takeAnimal } from './holds.server.ts'

let app: TestApp
let vet: Viewer
let other: Viewer
let newVet: Viewer
let admin: Viewer
let sellerId: number
let pickupAddressId: number

shareTestApp((opened) => (app = opened))
beforeAll(async () => {
  vet = await makeUser(app.ctx, { typeId: 5, vetApproved: true, name: 'Meena', degree: 'BVSc' })
  other = await makeUser(app.ctx, { typeId: 5, vetApproved: true })
  newVet = await makeUser(app.ctx, { typeId: 5 })
  admin = await makeUser(app.ctx, { typeId: 9, isStaff: true })
  sellerId = (await makeUser(app.ctx, { typeId: 2 })).id
  pickupAddressId = await makeAddress(app.ctx, sellerId, { phone: '+919812345678' })
})

const animal = (facts: Parameters<typeof makeListing>[1] = {}) =>
  makeListing(app.ctx, { sellerId, pickupAddressId, createdAt: daysBefore(app.ctx.now, 5), touchedAt: app.ctx.now, ...facts })
const today = () => indianDay(app.ctx.now)
const body = (product: number, changes: object = {}) => ({
  product,
  veterinary: vet.id,
  checked_on: today(),
  is_vet_approved: true,
  vet_comments: 'Sound.',
  ...changes,
})
const check = (as: Viewer | null, json: object) => app.call('/api/v1/livestock-veterinary-check', { method: 'POST', as, csrf: true, json })
const refused = async (as: Viewer | null, json: object) => {
  const response = await check(as, json)
  const { code, fields } = (await response.json()) as { code: string; fields?: { field: string; message: string }[] }
  return { is: `${response.status} ${code}`, fields }
}
const list = (as: Viewer, complete: boolean, rest = '&top=0') =>
  app.read<{ id: number; pickup: { address: Record<string, unknown> }; veterinary_check: object[]; verification_comment: null }[]>(
    `/api/v1/vet-productlist/checkcomplete=${complete}${rest}`,
    { as },
  )

describe('POST livestock-veterinary-check', () => {
  test('records the finding and moves the animal to the other list', async () => {
    const id = await animal()
    expect((await list(vet, false)).map((product) => product.id)).toContain(id)
    const response = await check(vet, body(id))
    expect([response.status, await response.json()]).toEqual([200, { rows: 1 }])
    expect((await list(vet, false)).map((product) => product.id)).not.toContain(id)
    const [shown] = await list(vet, true)
    expect(shown).toMatchObject({
      id,
      veterinary_check: [
        { is_vet_approved: true, vet_comments: 'Sound.', checked_on: today(), veterinary: 'Meena', veterinary_degree: 'BVSc' },
      ],
    })
  })

  test("uses the session's vet: another vet's id is refused, no id is fine, and obsolete flags are ignored", async () => {
    const id = await animal()
    expect(await refused(vet, body(id, { veterinary: other.id }))).toMatchObject({ is: '403 IDENTITY_MISMATCH' })
    expect(await app.ctx.db.$count(vetChecks)).toBe(1)
    const { veterinary: _, ...without } = body(id)
    expect((await check(vet, { ...without, is_verified: true, usertype: 9, status: 1 })).status).toBe(200)
  })

  test.each([
    ['checked_on', undefined, 'Checked-On field value is required.'],
    ['checked_on', '', 'Checked-On field value is required.'],
    ['checked_on', '2026-02-30', 'Please enter a valid date.'],
    ['checked_on', '2999-01-01', 'The day of the check cannot be after today.'],
    ['checked_on', '2001-01-01', 'The animal was not listed on that day yet.'],
    ['is_vet_approved', undefined, 'Approval status value is required.'],
    ['is_vet_approved', 'true', 'Approval status value is required.'],
    ['vet_comments', undefined, 'Comments field value is required.'],
    ['vet_comments', '  ', 'Comments field value is required.'],
    ['vet_comments', 'x'.repeat(1001), 'At most 1000 letters, please.'],
  ])('refuses %s %j with the specification’s message', async (field, value, message) => {
    const id = await animal()
    const response = await refusedRaw(vet, { ...body(id), [field]: value })
    expect(response).toEqual({ is: '422 VALIDATION', fields: [{ field, message }] })
  })

  /** Sends a body that the API document forbids, without the test client's own validation. */
  async function refusedRaw(as: Viewer, json: object) {
    const response = await app.call('/api/v1/livestock-veterinary-check', {
      method: 'POST',
      as,
      csrf: true,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
    const { code, fields } = (await response.json()) as { code: string; fields?: unknown }
    return { is: `${response.status} ${code}`, fields }
  }

  test('refuses unknown keys', async () => {
    expect((await refusedRaw(vet, body(await animal(), { seller_phone: 1 }))).is).toBe('422 VALIDATION')
  })

  test('refuses vets without approval, other users, and unsuitable animals', async () => {
    const id = await animal()
    expect((await refused(newVet, body(id, { veterinary: newVet.id }))).is).toBe('403 VET_NOT_APPROVED')
    expect((await refused(admin, body(id, { veterinary: admin.id }))).is).toBe('403 ROLE_FORBIDDEN')
    expect((await refused(null, body(id))).is).toBe('401 AUTH_REQUIRED')
    expect((await refused(vet, body(999_999))).is).toBe('404 NOT_FOUND')
    expect((await refused(vet, body(await animal({ state: 'pending' })))).is).toBe('404 NOT_FOUND')
    expect((await refused(vet, body(await animal({ createdById: vet.id })))).is).toBe('409 OWN_LISTING')
    expect((await refused(vet, body(await animal({ isSold: true })))).is).toBe('409 LISTING_STEP')
    await takeAnimal({ ...app.ctx, viewer: other }, id)
    expect((await refused(vet, body(id))).is).toBe('409 ANIMAL_HELD')
  })
})

describe('GET vet-productlist', () => {
  test('shows the street only to the vet who has taken the animal, and no phone or comment to anybody', async () => {
    const id = await animal({ verificationComment: 'Called the seller.' })
    const shownTo = async (as: Viewer) => (await list(as, false)).find((product) => product.id === id)!
    expect((await shownTo(vet)).pickup.address).toEqual({ city: 'Tiruppur', state: 'Tamil Nadu', country: 'India', pincode: '638701' })
    await takeAnimal({ ...app.ctx, viewer: vet }, id)
    expect((await shownTo(vet)).pickup.address).toMatchObject({ address_1: '1 Sample Farm', phone: '+919812345678' })
    expect(await shownTo(other)).toBeUndefined()
    // Admins see the places of animals that wait.
    expect((await shownTo(admin)).pickup.address).toMatchObject({ address_1: '1 Sample Farm' })
    const withoutPowers = await makeUser(app.ctx, { typeId: 9 })
    expect((await shownTo(withoutPowers)).pickup.address).toMatchObject({ address_1: '1 Sample Farm', phone: expect.stringContaining('x') })
    for (const viewer of [vet, admin]) {
      const text = JSON.stringify(await shownTo(viewer))
      expect(text).not.toContain('Called the seller.')
    }
    const whole = await app.read<{ verification_comment: string | null; pickup: { address: object } }[]>(`/api/v1/product/id=${id}`, {
      as: vet,
    })
    expect(whole[0]).toMatchObject({ verification_comment: null, pickup: { address: { address_1: '1 Sample Farm' } } })
    await check(vet, body(id))
    for (const viewer of [vet, admin]) {
      const done = (await list(viewer, true)).find((product) => product.id === id)!
      expect(done.pickup.address).not.toHaveProperty('address_1')
    }
  })

  test('an admin’s read of pickup places is audited once per list; a vet’s is not', async () => {
    const id = await animal()
    const auditedReads = () => app.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'sensitive_read')).orderBy(auditEvents.id)
    const before = (await auditedReads()).length
    await list(vet, false)
    await list(admin, true)
    await app.read(`/api/v1/product/id=${id}`, { as: vet })
    expect((await auditedReads()).length).toBe(before)
    const shown = (await list(admin, false)).filter(({ pickup }) => 'address_1' in pickup.address)
    await app.read(`/api/v1/product/id=${id}`, { as: admin })
    const noted = (await auditedReads()).slice(before)
    expect(noted).toMatchObject([
      { actorId: admin.id, object: 'listings:all', details: { what: 'pickup', count: shown.length } },
      { actorId: admin.id, object: `user:${sellerId}`, details: { what: 'pickup', listing: id } },
    ])
    expect([noted.length, shown.length > 0]).toEqual([2, true])
  })

  test('returns page after page', async () => {
    for (let n = 0; n < 3; n++) await animal()
    const seen: number[] = []
    let cursor = ''
    for (let page = 0; page < 30; page++) {
      const response = await app.call(`/api/v1/vet-productlist/checkcomplete=false&top=2${cursor}`, { as: other })
      seen.push(...((await response.json()) as { id: number }[]).map((product) => product.id))
      const next = response.headers.get('x-next-cursor')
      if (!next) break
      cursor = `?cursor=${next}`
    }
    expect(seen).toEqual((await list(other, false)).map((product) => product.id))
    expect(new Set(seen).size).toBe(seen.length)
    // A cursor of one list is invalid in the other.
    expect(await app.refused(`/api/v1/vet-productlist/checkcomplete=true&top=2${cursor}`, { as: other })).toBe('422 VALIDATION')
  })

  test.each([
    'checkcomplete=1&top=0',
    'checkcomplete=TRUE&top=0',
    'checkcomplete=true&top=61',
    'checkcomplete=true&top=-1',
    'checkcomplete=true',
  ])('refuses %s', async (path) => {
    expect(await app.refused(`/api/v1/vet-productlist/${path}`, { as: vet })).toBe('422 VALIDATION')
  })
})
