import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import sharp from 'sharp'
import type { Viewer } from '#src/kit/context.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { newsletterSubscribers } from '#src/content/tables.ts'
import { makeThread } from '#src/forum/makers.server.ts'
import { flags } from '#src/forum/tables.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { reports } from '#src/reports/tables.ts'
import { openTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { codeSentTo, startTestOutbox } from '#tools/test-kit/test-auth-client.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { sellerReviews } from '#src/reviews/tables.ts'
import { makeUser } from '../makers.server.ts'
import { consents, pendingRegistrations, users } from '../tables.ts'

const PASSWORD = 'a quiet evening'
const traces = {
  phone: '+919812300077',
  name: 'Thirumagal Erasable',
  email: 'thirumagal@erasable.example',
  note: 'Called Thirumagal-amma, address seen',
  street: '77 Vanishing Street',
  pan: 'QWERT7788Z',
  degree: 'BVSc Erasable',
  registration: 'TNVC-ERASE-77',
}
let app: TestApp
let person: Viewer & { phone: string }
let picture: string

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

/** All rows of all tables as text, with sealed values opened where possible. */
async function dump(): Promise<string> {
  const { rows: tables } = (await app.ctx.db.execute(sql`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
    and table_name <> 'pincodes'`)) as unknown as { rows: { name: string }[] }
  expect(tables.length).toBeGreaterThan(20)
  const parts: string[] = []
  for (const { name } of tables) {
    const { rows } = (await app.ctx.db.execute(sql`select t::text as line from ${sql.identifier(name)} t`)) as unknown as {
      rows: { line: string }[]
    }
    parts.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return parts.join('\n')
}
const found = (text: string) => Object.entries({ ...traces, digits: traces.phone.slice(3) }).filter(([, trace]) => text.includes(trace))

async function upload(as: Viewer): Promise<string> {
  const form = new FormData()
  const png = await sharp({ create: { width: 90, height: 90, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  form.set('image', new Blob([new Uint8Array(png)]))
  const request = new Request('http://x', { method: 'POST', body: form })
  const headers = { 'Content-Type': request.headers.get('content-type')! }
  const body = (await request.bytes()) as never
  const response = await app.call('/api/v1/userprofileimage', { method: 'POST', as, csrf: true, headers, body })
  return ((await response.json()) as { image: string }).image
}

async function makePerson(): Promise<void> {
  const { ctx } = app
  person = await makeUser(ctx, {
    typeId: 2,
    phone: traces.phone,
    name: traces.name,
    email: traces.email,
    degree: traces.degree,
    vetRegistration: traces.registration,
    verifiedNote: traces.note,
    panSealed: testVault.seal('pan', traces.pan),
    passwordHash: await hashPassword(testVault, PASSWORD),
  })
  picture = await upload(person)
  await ctx.db.insert(consents).values({ userId: person.id, purpose: 'account', version: '1', locale: 'en', givenAt: new Date() })
  const pickupAddressId = await makeAddress(ctx, person.id, { name: traces.name, phone: traces.phone, address1: traces.street })
  await makeAddress(ctx, person.id, { name: traces.name, phone: traces.phone, address2: traces.street, removedAt: new Date() })
  const listing = {
    sellerId: person.id,
    pickupAddressId,
    name: `Cow of ${traces.name}`,
    description: `Call ${traces.phone}, ${traces.street}`,
  }
  await makeListing(ctx, listing, [makePhoto()])
  await makeListing(ctx, { ...listing, state: 'draft', nameEn: traces.name, descriptionEn: traces.email })
  const other = await makeUser(ctx, { typeId: 2, name: 'Other' })
  await makeReview(ctx, { sellerId: other.id, reviewerId: person.id, stars: 4, comment: 'A good goat' })
  await makeReview(ctx, { sellerId: person.id, reviewerId: other.id, stars: 1, comment: `${traces.name} was late` })
  await makeVetCheck(ctx, {
    listingId: await makeListing(ctx),
    vetId: person.id,
    approved: true,
    comments: 'Healthy',
    checkedOn: '2026-11-01',
  })
  await ctx.db.insert(newsletterSubscribers).values({ email: traces.email, locale: 'ta', consentVersion: '1', consentedAt: new Date() })
  await ctx.db.insert(pendingRegistrations).values({
    browserHash: Buffer.from('somebody else'),
    phone: traces.phone,
    name: traces.name,
    typeId: 1,
    passwordHash: '-',
    locale: 'ta',
    consentVersion: '1',
    expiresAt: new Date(),
  })
  await queueMessage(ctx, { channel: 'sms', to: traces.phone, template: 'x', locale: 'en', body: `Dear ${traces.name}` })
  // Sent to the address in the profile, which nobody has verified.
  await queueMessage(ctx, { channel: 'email', to: traces.email, template: 'newsletter', locale: 'en', body: 'Dear reader', subject: 'x' })
  await app.call('/api/v1/login', { method: 'POST', csrf: true, json: { username: traces.phone, password: 'not this one' } })
}

describe('the export of a person’s own data', () => {
  test('is one file with everything and without secrets', async () => {
    await makePerson()
    app.statements()
    const response = await app.call('/api/v1/me/export', { method: 'POST', as: person, csrf: true })
    const statements = app.statements()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="sandhai-${person.id}.json"`)
    const text = await response.text()
    const { pan: _, ...shown } = traces
    for (const trace of Object.values(shown)) expect(text).toContain(trace)
    expect(text).toContain('XXXXX7788X')
    expect(text).not.toContain(traces.pan)
    expect(text).not.toMatch(/password|argon2|totp|sealed/i)
    const data = JSON.parse(text) as Record<string, unknown[]>
    expect(data.listings).toHaveLength(2)
    expect(data.addresses).toHaveLength(2)
    // A person who enters another person's e-mail in their profile must not see the other's data.
    expect(data.newsletter).toBeUndefined()
    expect((data.messages as { channel: string }[]).map(({ channel }) => channel)).not.toContain('email')
    expect(await app.refused('/api/v1/me/export', { method: 'POST', csrf: true })).toBe('401 AUTH_REQUIRED')
    await expectIndexed(statements)
  })
})

/** A sweep deletes rows of these tables every hour after a day (wrong codes: after half a year), so they stay small. */
const shortLived = new Set(['otps', 'pending_registrations', 'limit_counts', 'failure_ladders'])

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; 'Index Cond'?: string; Plans?: PlanNode[] }

/** The tables that a query plan reads completely, sequentially or along an index. */
const readWhole = (node: PlanNode): string[] => [
  ...(node['Node Type'].endsWith('Scan') && node['Node Type'] !== 'Bitmap Heap Scan' && node['Index Cond'] === undefined
    ? [node['Relation Name'] ?? node['Index Name'] ?? node['Node Type']]
    : []),
  ...(node.Plans ?? []).flatMap(readWhole),
]

/** Checks that each statement finds its rows by an index, whatever the size of the table. */
async function expectIndexed(statements: string[]): Promise<void> {
  const ofRows = statements.filter((statement) => /^\s*(select|update|delete)\b/i.test(statement) && /\b(from|update) "/i.test(statement))
  expect(ofRows.length).toBeGreaterThan(15)
  const slow: string[] = []
  await app.ctx.db.transaction(async (tx) => {
    // The first setting avoids sequential scans where an index exists; the second forces them where possible.
    await tx.execute(sql`set local enable_seqscan = off`)
    await tx.execute(sql`set local plan_cache_mode = force_generic_plan`)
    for (const statement of new Set(ofRows)) {
      const places = new Set(statement.match(/\$\d+/g)).size
      await tx.execute(sql.raw(`prepare asked as ${statement}`))
      const explain = `explain (format json) execute asked${places > 0 ? `(${Array(places).fill('null').join()})` : ''}`
      const { rows } = (await tx.execute(sql.raw(explain))) as unknown as { rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] }
      await tx.execute(sql`deallocate asked`)
      const whole = readWhole(rows[0]!['QUERY PLAN'][0]!.Plan).filter((table) => !shortLived.has(table))
      if (whole.length > 0) slow.push(`${whole.join()}: ${statement}`)
    }
  })
  expect(slow).toEqual([])
}

describe('an erased person', () => {
  const erase = (json: object) => app.call('/api/v1/me', { method: 'DELETE', as: person, csrf: true, json })
  const codeOf = async (response: Promise<Response>) => ((await (await response).json()) as { code?: string }).code

  test('is erased only with the password and the code sent to their own phone', async () => {
    expect(found(await dump()).map(([name]) => name)).toContain('name')
    expect((await app.call(picture)).status).toBe(200)
    expect(await codeOf(erase({ password: 'wrong' }))).toBe('PASSWORD_WRONG')
    const worker = startTestOutbox(app.ctx)
    expect(await (await erase({ password: PASSWORD })).json()).toMatchObject({ erased: false, otp_sent: { otp: '' } })
    const code = await codeSentTo(app.ctx, traces.phone)
    await worker.stop()
    expect(await codeOf(erase({ password: PASSWORD, otp: code === '111111' ? '222222' : '111111' }))).toBe('OTP_WRONG')
    expect(await codeOf(erase({ password: 'wrong', otp: code }))).toBe('PASSWORD_WRONG')
    expect((await app.ctx.db.select().from(users).where(eq(users.id, person.id)))[0]!.erasedAt).toBeNull()
    app.statements()
    const response = await erase({ password: PASSWORD, otp: code })
    const statements = app.statements()
    expect(await response.json()).toEqual({ erased: true })
    expect(response.headers.getSetCookie().join()).toMatch(/__Host-sid=;.*Max-Age=0/)
    await expectIndexed(statements)
  })

  test('leaves no trace in any table, picture or log', async () => {
    const lines = (await dump()).split('\n')
    // Rows that know only the e-mail address go by the newsletter's own link, or after 30 days (outbox), whoever typed the address.
    const byAddress = lines.filter((line) => /^(newsletter_subscribers|outbox) /.test(line) && line.includes(traces.email))
    expect(byAddress.map((line) => line.split(' ')[0]).toSorted()).toEqual(['newsletter_subscribers', 'outbox'])
    expect(found(byAddress.join('\n')).map(([name]) => name)).toEqual(['email'])
    expect(found(lines.filter((line) => !byAddress.includes(line)).join('\n'))).toEqual([])
    expect(found(JSON.stringify(app.logged))).toEqual([])
    expect((await app.call(picture)).status).toBe(404)
    for (const sealed of (await app.ctx.db.select({ pan: users.panSealed }).from(users)).flatMap(({ pan }) => (pan ? [pan] : [])))
      expect(testVault.open('pan', sealed)).not.toBe(traces.pan)
  })

  test('is logged out at once and cannot log in; the phone number is free again', async () => {
    expect(await app.refused(`/api/v1/userprofile/id=${person.id}`, { as: person })).toBe('401 AUTH_REQUIRED')
    const [row] = await app.ctx.db.select().from(users).where(eq(users.id, person.id))
    expect(row).toMatchObject({ phone: `+999${String(person.id).padStart(12, '0')}`, isActive: false, name: '', passwordHash: '-' })
    const again = await makeUser(app.ctx, { phone: traces.phone })
    expect(again.id).not.toBe(person.id)
    await app.ctx.db.delete(users).where(eq(users.id, again.id))
  })

  test("has no listings on sale, and no name in the admin's list", async () => {
    const left = await app.ctx.db.select().from(listings).where(eq(listings.sellerId, person.id))
    expect(left.map(({ state, name }) => [state, name])).toEqual([
      ['withdrawn', ''],
      ['withdrawn', ''],
    ])
    const admin = await makeUser(app.ctx, { typeId: 9 })
    expect(await app.refused(`/api/v1/userprofile/id=${person.id}`, { as: admin })).toBe('404 NOT_FOUND')
    const { rows } = (await app.ctx.db.execute(sql`select event from audit_events where object = ${`user:${person.id}`}`)) as unknown as {
      rows: { event: string }[]
    }
    expect(rows.map(({ event }) => event)).toEqual(['upload_stored', 'user_data_exported', 'user_erased'])
    const [consent] = await app.ctx.db.select().from(consents).where(eq(consents.userId, person.id))
    expect(consent!.withdrawnAt).not.toBeNull()
  })

  test('their posts about others stay without an author', async () => {
    const { rows } = (await app.ctx.db.execute(sql`select comment from seller_reviews where reviewer_id = ${person.id}`)) as unknown as {
      rows: { comment: string }[]
    }
    expect(rows).toEqual([{ comment: 'A good goat' }])
    const [check] = (
      (await app.ctx.db.execute(sql`select listing_id::int as id from vet_checks where vet_id = ${person.id}`)) as unknown as {
        rows: { id: number }[]
      }
    ).rows
    const [product] = await app.read<{ veterinary_check: { veterinary: string }[] }[]>(`/api/v1/product/id=${check!.id}`)
    expect(product!.veterinary_check[0]!.veterinary).toBe('Deleted user')
  })
})

describe('the last super admin', () => {
  test('cannot erase their own account', async () => {
    const boss = await makeUser(app.ctx, {
      typeId: 9,
      superAdmin: true,
      passwordHash: await hashPassword(testVault, PASSWORD),
      phone: '+919812300088',
    })
    const erase = (json: object) => app.call('/api/v1/me', { method: 'DELETE', as: boss, csrf: true, json })
    const worker = startTestOutbox(app.ctx)
    expect((await erase({ password: PASSWORD })).status).toBe(200)
    await worker.stop()
    const response = await erase({ password: PASSWORD, otp: await codeSentTo(app.ctx, '+919812300088') })
    expect(await response.json()).toMatchObject({ status: 409, code: 'LAST_SUPER_ADMIN' })
    expect((await app.ctx.db.select().from(users).where(eq(users.id, boss.id)))[0]).toMatchObject({
      superAdmin: true,
      isActive: true,
      erasedAt: null,
    })
  })
})

describe('what an erased person has written about others', () => {
  let leaving = 0
  const things = ['reviews', 'reports', 'newsletter'] as const

  test.each([
    ['stays without an author by default', {}, [1, 1, 1, 1]],
    ['is deleted when they choose so', Object.fromEntries(things.map((thing) => [thing, 'remove'])), [0, 0, 0, 0]],
    ['is kept or deleted per kind', { reviews: 'remove' }, [0, 1, 1, 1]],
  ] as const)('%s', async (_, left, counts) => {
    const { ctx } = app
    const passwordHash = await hashPassword(ctx.vault, PASSWORD)
    const email = `left${leaving++}@example.com`
    const one = await makeUser(ctx, { phone: `+91${9_876_500_000 + leaving * 20_011}`, email, passwordHash })
    const seller = await makeUser(ctx, { typeId: 2 })
    await makeReview(ctx, { sellerId: seller.id, reviewerId: one.id, stars: 2, comment: 'Came late' })
    await ctx.db.insert(reports).values({ sellerId: seller.id, reporterId: one.id, reason: 'fraud', comment: 'Wants money first' })
    const threadId = await makeThread(ctx, { authorId: seller.id })
    await ctx.db.insert(flags).values({ reporterId: one.id, threadId, reason: 'fraud' })
    const [withdrawn, subscribed] = [`gone-${email}`, email]
    for (const [address, unsubscribedAt] of [
      [subscribed, null],
      [withdrawn, new Date()],
    ] as const)
      await ctx.db
        .insert(newsletterSubscribers)
        .values({ email: address, locale: 'ta', consentVersion: '1', consentedAt: new Date(), unsubscribedAt })
    const erase = (json: object) => app.call('/api/v1/me', { method: 'DELETE', as: one, csrf: true, json: { password: PASSWORD, ...json } })
    const worker = startTestOutbox(ctx)
    await erase({})
    const otp = await codeSentTo(ctx, one.phone)
    await worker.stop()
    expect((await erase({ otp, ...left })).status).toBe(200)
    expect([
      await ctx.db.$count(sellerReviews, eq(sellerReviews.reviewerId, one.id)),
      await ctx.db.$count(reports, eq(reports.reporterId, one.id)),
      await ctx.db.$count(flags, eq(flags.reporterId, one.id)),
      await ctx.db.$count(newsletterSubscribers, eq(newsletterSubscribers.email, subscribed)),
    ]).toEqual(counts)
    // Recorded, so that no mail goes there.
    expect(await ctx.db.$count(newsletterSubscribers, eq(newsletterSubscribers.email, withdrawn))).toBe(1)
  })
})
