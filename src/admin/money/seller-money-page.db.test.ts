import { beforeAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import { postForm, shareBuiltSite, textOf, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { PASSWORD } from '#tools/test-kit/test-people.ts'

/** The account of one seller at the money desk, as two admins use it. */
let market: TestMarket
let site: BuiltSite
let path: string
/** Orders of the seller: one whose payment is recorded, and one without. */
let paid: number
let unrecorded: number
let meena: string
let kumar: string
shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  const recorded = await makeOrder(market.ctx, { status: 6 })
  const { seller, admin } = recorded
  paid = recorded.id
  unrecorded = (await makeOrder(market.ctx, { status: 5, seller, admin })).id
  await takeStep(market.as(admin), unrecorded, { to: 6 })
  path = `/en/admin/money/${seller.id}`
  const passwordHash = await hashPassword(market.ctx.vault, PASSWORD)
  const session = async (name: string) => makeSession(market.ctx, (await makeUser(market.ctx, { typeId: 9, name, passwordHash })).id)
  await market.ctx.db.update(users).set({ passwordHash })
  meena = await session('Meena')
  kumar = await session('Kumar')
})

const inputOf = (html: string, name: string) =>
  [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag).find((tag) => tag.includes(` name="${name}"`))!
const valueOf = (html: string, name: string) => / value="([^"]*)"/.exec(inputOf(html, name))![1]!
const send = (session: string, fields: Record<string, string>) => postForm(site, path, fields, { '__Host-sid': session })

test('a sale whose payment nobody has recorded is not ticked, and the sum is that of the ticked ones', async () => {
  const { html } = await site.open(path, { session: meena })
  expect(inputOf(html, `sale-${paid}`)).toContain('checked')
  expect(inputOf(html, `sale-${unrecorded}`)).not.toContain('checked')
  expect(textOf(html)).toContain('To be paid to the seller: ₹80,750')
})

test('a settlement and its reversal on an older page are refused with who did it and when, and what was typed stays', async () => {
  const { html } = await site.open(path, { session: kumar })
  const settle = {
    act: 'settle',
    [`sale-${paid}`]: 'on',
    [`amount-${paid}`]: valueOf(html, `amount-${paid}`),
    [`seen-${paid}`]: valueOf(html, `seen-${paid}`),
    method: 'bank',
    reference: 'UTR 4711',
    day: indianDay(market.ctx.now),
    note: 'Monday',
    password: '',
  }
  expect(await send(meena, settle)).toMatchObject({ status: 302, to: `${path}?done=settled` })
  const late = await send(kumar, { ...settle, reference: 'UTR 4712', note: 'Tuesday' })
  expect(late.status).toBe(409)
  expect(textOf(late.html)).toMatch(/Meena, \d+-\w+-\d{4}, \d\d:\d\d/)
  expect(late.html).toContain('UTR 4712')
  expect(late.html).toContain('Tuesday')

  const settled = (await site.open(path, { session: kumar })).html
  const back = { act: 'back', id: valueOf(settled, 'id'), seen: valueOf(settled, 'seen'), note: 'Paid twice', password: PASSWORD }
  expect(await send(meena, { ...back, password: '' })).toMatchObject({ status: 422 })
  expect(await send(meena, back)).toMatchObject({ status: 302, to: `${path}?done=back` })
  const again = await send(kumar, { ...back, note: 'Never arrived' })
  expect(again.status).toBe(409)
  expect(textOf(again.html)).toMatch(/Meena, \d+-\w+-\d{4}, \d\d:\d\d/)
  expect(again.html).toContain('Never arrived')
})
