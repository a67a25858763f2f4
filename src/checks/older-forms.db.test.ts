import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { decideActive } from '#src/accounts/people/users.server.ts'
import { changeDelivery, listPincodes, readDistrict } from '#src/admin/places/delivery.server.ts'
import { closeEnquiry, judgeEnquiry } from '#src/enquiries/commands.server.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { enquiries } from '#src/enquiries/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import { getForDecision } from '#src/forum/moderation.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { changeBearer, forgetBearer } from '#src/orders/bearers/bearers.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '#src/orders/tables.ts'
import { findReported, report } from '#src/reports/reports.server.ts'
import { postForm, shareBuiltSite, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { PASSWORD } from '#tools/test-kit/test-people.ts'

// Forms that a page of an older release rendered do not say what the admin saw. They are refused without a name: the last decision may be a year old,
// and may have stood on that page.

const SALEM = 'tamil-nadu_salem'
const PLAIN = 'This was changed meanwhile. Please open the page again and look.'

let market: TestMarket
let site: BuiltSite
let meena: Ctx
let kumar: { '__Host-sid': string }
shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  const passwordHash = await hashPassword(market.ctx.vault, PASSWORD)
  meena = market.as(await makeUser(market.ctx, { typeId: 9, name: 'Meena', passwordHash }))
  kumar = { '__Host-sid': await makeSession(market.ctx, (await makeUser(market.ctx, { typeId: 9, name: 'Kumar', passwordHash })).id) }
})

async function send(path: string, fields: Record<string, string>): Promise<string> {
  return textOf((await postForm(site, path, fields, kumar)).html)
}
function expectPlain(text: string) {
  expect(text).toContain(PLAIN)
  expect(text).not.toContain('Meanwhile somebody has decided')
}

test('delivery to a PIN code', async () => {
  const [one, two] = await listPincodes(meena, await readDistrict(meena, SALEM))
  const chosen = { isAll: false, taluks: [], pincodes: [one!.pincode] }
  await changeDelivery(meena, SALEM, { chosen, isDeliverable: false, reason: 'road' })
  expectPlain(await send(`/en/admin/places?district=${SALEM}`, { district: SALEM, pincode: two!.pincode, reason: 'road', act: 'stop' }))
})

test('a bearer', async () => {
  const { id, phone } = await makeBearer(market.ctx)
  await changeBearer(meena, null as never, id, { name: 'Velan', phone, photo: null, isActive: true })
  expectPlain(await send('/en/admin/bearers', { act: 'change', id: String(id), name: 'Velu', phone }))
  expectPlain(await send('/en/admin/bearers', { act: 'forget', id: String(id), password: PASSWORD }))
})

test('an enquiry, which its poster may still close', async () => {
  const { id: posterId } = await makeUser(market.ctx)
  const id = await makeEnquiry(market.ctx, { posterId, isVerified: null, verifiedById: null, verifiedAt: null })
  await judgeEnquiry(meena, id, { passed: true, comment: 'Called them' })
  expectPlain(await send(`/en/admin/enquiries?enquiry=${id}`, { act: 'refuse', comment: 'Sells, does not look' }))
  expectPlain(await send(`/en/view-enquiry/${id}`, { act: 'close' }))
  const poster = market.as({ ...(await makeUser(market.ctx)), id: posterId })
  await closeEnquiry(poster, id, '')
  expect((await market.ctx.db.select().from(enquiries).where(eq(enquiries.id, id)))[0]!.closedAt).not.toBeNull()
})

test('a report, a post and an account', async () => {
  const { ctx } = market
  const { id: sellerId } = await makeUser(ctx, { typeId: 2, requestedTypeId: 4 })
  const listingId = await makeListing(ctx, { sellerId })
  await report(market.as(await makeUser(ctx)), { listingId }, { reason: 'wrong', comment: '' })
  const ofListing = { subject: `product-${listingId}`, note: 'Another animal.' }
  expectPlain(await send('/en/admin/reports', { act: 'leave', ...ofListing }))
  expectPlain(await send('/en/admin/reports', { act: 'take-down', ...ofListing }))
  expect(await findReported(meena, { listingId })).toMatchObject({ people: 1, listing: { state: 'passed' } })

  const threadId = await makeThread(ctx, { authorId: sellerId })
  const post = { kind: 'reply' as const, id: await makeReply(ctx, { threadId, authorId: sellerId }) }
  expectPlain(await send('/en/admin/forum', { act: 'hide', post: `reply-${post.id}`, reason: 'Rude.' }))
  expect((await getForDecision(meena, post)).state).toBe('shown')

  for (const act of ['approve', 'refuse']) expectPlain(await send(`/en/admin/users/${sellerId}`, { act }))
  const [user] = await ctx.db.select().from(users).where(eq(users.id, sellerId))
  expect(user).toMatchObject({ typeId: 2, requestedTypeId: 4 })
})

test('a step of an order', async () => {
  const { id } = await makeOrder(market.ctx, { status: 2 })
  const fields = { id: String(id), note: 'Sold elsewhere' }
  for (const [act, to] of [
    ['step', '4'],
    ['end', '102'],
    ['cancel', '100'],
  ] as const)
    expectPlain(await send('/en/orders', { ...fields, act, to }))
  expectPlain(await send('/en/orders', { act: 'bulk-ready', ids: String(id) }))
  expect((await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!.status).toBe(2)
})

test('an act on several people', async () => {
  const { id } = await makeUser(market.ctx)
  await decideActive(meena, id, { isActive: false })
  await decideActive(meena, id, { isActive: true })
  expectPlain(await send(`/en/admin/users/bulk?act=deactivate&ids=${id}`, { reason: 'spam', password: PASSWORD }))
})

test('what was typed about a bearer whom another admin has forgotten stays, below who did it', async () => {
  const { id, phone, changedAt } = await makeBearer(market.ctx)
  await forgetBearer(meena, null as never, id, PASSWORD)
  const fields = { act: 'change', id: String(id), name: 'Velan of Salem', phone, seen: String(changedAt.getTime()) }
  const text = await send('/en/admin/bearers', fields)
  expect(text).toMatch(/Meanwhile somebody has decided: “Bearer removed for good” \(Meena, /)
  expect(text).toContain(`You wrote: Velan of Salem · ${phone}`)
})
