import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { defaultSettings, type SettingKey } from '#src/kit/settings.ts'
import { auditEvents, settingCallBacks } from '#src/kit/db/tables.ts'
import { DAY, indianDay } from '#src/kit/time-money/dates.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { orders } from '#src/orders/tables.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { action } from './settings-page.tsx'
import { settingSchemas } from './settings-schemas.ts'
import { exampleOf } from './settings-example.ts'
import { callSettingBack, listPlanned, listSettingHistory, planSetting } from './settings.server.ts'

const PASSWORD = 'a quiet evening'
let market: TestApp
let admin: Viewer
shareTestApp((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Kumar', passwordHash: await hashPassword(market.ctx.vault, PASSWORD) })
})

const anotherAdmin = async () => makeUser(market.ctx, { typeId: 9, passwordHash: await hashPassword(market.ctx.vault, PASSWORD) })

/** Sends the form as the page does. Returns the refusal's code, or null for a redirect back to the page. */
async function save(key: SettingKey, fields: Record<string, string>, { viewer = admin, seen }: { viewer?: Viewer; seen?: unknown } = {}) {
  const shown = JSON.stringify(seen ?? (await readSettings(market.ctx))[key])
  try {
    return await sendForm(market.ctx, action as never, {
      viewer,
      params: {},
      fields: { key, seen: shown, day: indianDay(market.ctx.now), reason: 'Agreed', password: PASSWORD, ...fields },
    })
  } catch (error) {
    if (error instanceof Response && error.status === 302) return null
    throw error
  }
}

describe('the settings of the market', () => {
  test('the defaults hold until an admin changes them', async () => {
    expect(await readSettings(market.ctx)).toEqual(defaultSettings)
    expect(await listSettingHistory(market.ctx)).toEqual([])
  })

  test('each change of a setting is recorded with its author', async () => {
    expect(await save('profitMarginPercent', { percent: '7' })).toBeNull()
    expect(await save('referralDiscount', { percent: '3', rupees: '0', maxRupees: '900' })).toBeNull()
    // Saving the same values is no change.
    expect(await save('profitMarginPercent', { percent: ' 7 ' })).toBeNull()
    expect(await readSettings(market.ctx)).toEqual({
      ...defaultSettings,
      profitMarginPercent: 7,
      referralDiscount: { percent: 3, rupees: 0, maxRupees: 900 },
    })
    expect(await save('profitMarginPercent', { percent: '5' })).toBeNull()
    expect((await listSettingHistory(market.ctx)).map(({ key, from, to, by }) => ({ key, from, to, by }))).toEqual([
      { key: 'profitMarginPercent', from: 7, to: 5, by: 'Kumar' },
      { key: 'referralDiscount', from: defaultSettings.referralDiscount, to: { percent: 3, rupees: 0, maxRupees: 900 }, by: 'Kumar' },
      { key: 'profitMarginPercent', from: 5, to: 7, by: 'Kumar' },
    ])
    const trail = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'setting_changed'))
    expect(trail.map(({ actorId, object, details }) => ({ actorId, object, details }))).toContainEqual({
      actorId: admin.id,
      object: 'setting:profitMarginPercent',
      details: { from: '5', to: '7' },
    })
  })

  test.each<[SettingKey, Record<string, string>]>([
    ['profitMarginPercent', { percent: '' }],
    ['profitMarginPercent', { percent: '51' }],
    ['profitMarginPercent', { percent: '-1' }],
    ['profitMarginPercent', { percent: '5.5' }],
    ['recommendedOfferPercent', { percent: '௫௧' }],
    ['firstOrderDiscount', { percent: '2', rupees: '100', maxRupees: '500' }],
    ['firstOrderDiscount', { percent: '2', rupees: '0', maxRupees: '0' }],
    ['firstOrderDiscount', { percent: '2', rupees: '0' }],
    ['referralDiscount', { percent: '0', rupees: '600', maxRupees: '500' }],
    ['referralDiscount', { percent: '0', rupees: '100001', maxRupees: '100001' }],
    ['referralDiscount', { percent: '1e1', rupees: '0', maxRupees: '5' }],
  ])('a setting refuses senseless values: %s %j', async (key, fields) => {
    const before = await readSettings(market.ctx)
    expect(await save(key, fields)).toBe('VALIDATION')
    expect(await readSettings(market.ctx)).toEqual(before)
  })

  test('a discount can be switched off', async () => {
    expect(await save('firstOrderDiscount', { percent: '0', rupees: '0', maxRupees: '0' })).toBeNull()
    expect(await save('firstOrderDiscount', { percent: '2', rupees: '0', maxRupees: '500' })).toBeNull()
  })

  test("a form with outdated values does not overwrite another admin's change", async () => {
    expect(await save('recommendedOfferPercent', { percent: '4' }, { seen: 3 })).toBe('VERSION')
    expect((await readSettings(market.ctx)).recommendedOfferPercent).toBe(0)
  })

  test('contact data is saved and normalised as a whole, and refuses links to other sites', async () => {
    const { contact } = defaultSettings
    const typed = { ...contact, phone: ' +91 4222-555 777 ', mail: ' Help@Sandhai.in ', facebook: 'https://www.facebook.com/sandhai' }
    expect(await save('contact', typed, { viewer: await anotherAdmin() })).toBeNull()
    expect((await readSettings(market.ctx)).contact).toEqual({ ...typed, phone: '+914222555777', mail: 'help@sandhai.in' })
    const before = await readSettings(market.ctx)
    for (const [field, wrong] of [
      ['phone', '04222 555777'],
      ['phone', ''],
      ['whatsapp', '+91'],
      ['mail', 'help'],
      ['grievanceMail', 'a@b'],
      ['addressTa', ' '],
      ['addressTa', '\u3164\u3164\u3164'],
      ['addressEn', 'x'.repeat(201)],
      ['grievanceEn', '\u202E\n'],
      ['facebook', 'http://facebook.com/sandhai'],
      ['facebook', 'https://facebook.com.evil.example/'],
      ['instagram', 'https://facebook.com/sandhai'],
      ['youtube', 'javascript:alert(1)'],
    ])
      expect(settingSchemas.contact.safeParse({ ...contact, [field!]: wrong! }).error?.issues[0]?.path, `${field} ${wrong}`).toEqual([
        field,
      ])
    // Use another admin than the rest of this file, because one admin may send only thirty forms a minute.
    const viewer = await anotherAdmin()
    expect(await save('contact', { ...contact, password: 'not this one' }, { viewer })).toBe('PASSWORD_WRONG')
    expect(await save('contact', { ...contact, password: '' }, { viewer })).toBe('VALIDATION')
    expect(await save('contact', { ...before.contact, phone: '' }, { viewer })).toBe('VALIDATION')
    expect(await save('contact', { ...contact }, { viewer, seen: contact })).toBe('VERSION')
    expect(await readSettings(market.ctx)).toEqual(before)
    expect((await listSettingHistory(market.ctx))[0]).toMatchObject({ key: 'contact', from: contact, to: before.contact })
    expect(await save('contact', { ...contact }, { viewer })).toBeNull()
  })

  test('a vet’s day is a whole number of holds and of checks', async () => {
    for (const wrong of [{ holds: '0' }, { checks: '' }, { checks: '1000' }, { holds: '2.5' }])
      expect(await save('vetDay', { holds: '20', checks: '60', ...wrong })).toBe('VALIDATION')
    expect((await readSettings(market.ctx)).vetDay).toEqual({ holds: 20, checks: 60 })
    const viewer = await anotherAdmin()
    expect(await save('vetDay', { holds: '4', checks: '9' }, { viewer })).toBeNull()
    expect(await market.read('/api/v1/admin/settings', { as: viewer })).toMatchObject({ vetDay: { holds: 4, checks: 9 } })
    expect(await save('vetDay', { holds: '20', checks: '60' }, { viewer })).toBeNull()
  })

  test('only admins change settings', async () => {
    for (const typeId of [1, 2, 3, 4, 5])
      expect(await save('profitMarginPercent', { percent: '0' }, { viewer: await makeUser(market.ctx, { typeId }) })).toBe('ROLE_FORBIDDEN')
    expect((await readSettings(market.ctx)).profitMarginPercent).toBe(5)
  })
})

describe('the effect of a setting', () => {
  test('a new percentage changes the recommended price, also of animals with an offer of 5 %', async () => {
    expect(await save('recommendedOfferPercent', { percent: '5' })).toBeNull()
    const seller = await makeUser(market.ctx, { typeId: 2 })
    expect(await market.read('/api/v1/recommendprice', { as: seller })).toEqual({ recommendedOfferpercent: 5, profitmargin: 5 })
    expect(await save('recommendedOfferPercent', { percent: '0' })).toBeNull()
  })

  test('a new percentage applies to orders placed afterwards, not to earlier ones', async () => {
    const before = await makeOrder(market.ctx)
    expect(await save('profitMarginPercent', { percent: '8' })).toBeNull()
    const after = await makeOrder(market.ctx)
    const percentOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!.commissionPercent
    expect([await percentOf(before.id), await percentOf(after.id)]).toEqual([5, 8])
    expect(await save('profitMarginPercent', { percent: '5' })).toBeNull()
  })
})

describe('a planned change of a money setting', () => {
  const in_ = (days: number) => new Date(market.ctx.now.getTime() + days * DAY)
  const at = (days: number, viewer: Viewer = admin) => ({ ...market.as(viewer), now: in_(days) })
  const plan = (ctx: ReturnType<typeof at>, percent: number, days: number, changes: object = {}) =>
    planSetting(ctx, 'profitMarginPercent', percent, {
      seen: '5',
      day: indianDay(in_(days)),
      reason: 'Agreed with the sellers',
      password: PASSWORD,
      ...changes,
    })
  const percentAt = async (days: number) => (await readSettings(at(days))).profitMarginPercent

  test('it takes effect at the start of that Indian day, for every process by its clock, and not for earlier orders', async () => {
    await plan(at(0), 8, 3)
    expect(await listPlanned(at(0))).toMatchObject([
      { key: 'profitMarginPercent', value: 8, reason: 'Agreed with the sellers', by: 'Kumar' },
    ])
    const { effectiveAt } = (await listPlanned(at(0)))[0]!
    expect(effectiveAt.toISOString().slice(11)).toBe('18:30:00.000Z')
    const justBefore = { ...market.ctx, now: new Date(effectiveAt.getTime() - 1) }
    expect((await readSettings(justBefore)).profitMarginPercent).toBe(5)
    expect((await readSettings({ ...market.ctx, now: effectiveAt })).profitMarginPercent).toBe(8)
    const orderAt = async (now: Date) => (await makeOrder({ ...market.ctx, now })).id
    const [before, after] = [await orderAt(justBefore.now), await orderAt(effectiveAt)]
    const percentOf = async (id: number) => (await market.ctx.db.select().from(orders).where(eq(orders.id, id)))[0]!.commissionPercent
    expect([await percentOf(before), await percentOf(after)]).toEqual([5, 8])
    // A second change is refused until the first has taken effect or was cancelled.
    expect(await refusalOf(plan(at(0), 9, 5))).toBe('VERSION')
    expect(await listPlanned(at(4))).toEqual([])
  })

  test('an admin cancels it before it takes effect, once, and not afterwards', async () => {
    const [planned] = await listPlanned(at(0))
    expect(await refusalOf(callSettingBack(at(4), planned!.id))).toBe('VERSION')
    expect(await refusalOf(callSettingBack(at(0), 999_999))).toBe('NOT_FOUND')
    for (const _ of [1, 2]) await callSettingBack(at(0), planned!.id)
    expect(await market.ctx.db.select().from(settingCallBacks)).toHaveLength(1)
    expect([await percentAt(0), await percentAt(4)]).toEqual([5, 5])
    expect(await listPlanned(at(0))).toEqual([])
    expect((await listSettingHistory(at(0)))[0]).toMatchObject({ from: 5, to: 8, isCalledBack: true, reason: 'Agreed with the sellers' })
    // The first plan was cancelled before it took effect, so the next one starts from the value that still holds.
    await plan(at(0), 7, 2)
    expect((await listSettingHistory(at(0)))[0]).toMatchObject({ from: 5, to: 7, isCalledBack: false })
    await callSettingBack(at(0), (await listPlanned(at(0)))[0]!.id)
  })

  test('it needs a day that is not over, a reason, an admin and their password', async () => {
    expect(await refusalOf(plan(at(0), 8, -1))).toBe('VALIDATION')
    expect(await refusalOf(plan(at(0), 8, 400))).toBe('VALIDATION')
    expect(await refusalOf(plan(at(0), 8, 1, { password: 'not this one' }))).toBe('PASSWORD_WRONG')
    expect(await refusalOf(plan(at(0), 8, 1, { seen: '6' }))).toBe('VERSION')
    const seller = await makeUser(market.ctx, { typeId: 2 })
    expect(await refusalOf(plan(at(0, seller), 8, 1))).toBe('ROLE_FORBIDDEN')
    expect(await refusalOf(callSettingBack(at(0, seller), 1))).toBe('ROLE_FORBIDDEN')
    const viewer = await anotherAdmin()
    expect(await save('profitMarginPercent', { percent: '8', reason: ' ' }, { viewer })).toBe('VALIDATION')
    expect(await save('profitMarginPercent', { percent: '8', password: '' }, { viewer })).toBe('VALIDATION')
    expect(await listPlanned(at(0))).toEqual([])
  })

  test('it is stored once when several admins plan at the same time', async () => {
    const admins = [await anotherAdmin(), await anotherAdmin(), await anotherAdmin()]
    const answers = await Promise.all(admins.map((viewer, n) => refusalOf(plan(at(0, viewer), 6 + n, 2))))
    expect(answers.toSorted()).toEqual(['VERSION', 'VERSION', 'taken'])
    const planned = await listPlanned(at(0))
    expect(planned).toHaveLength(1)
    const ends = await Promise.all(admins.map((viewer) => refusalOf(callSettingBack(at(0, viewer), planned[0]!.id))))
    expect(ends.toSorted()).toEqual(['VERSION', 'VERSION', 'taken'])
    expect(await listPlanned(at(0))).toEqual([])
  })

  test('the example is computed like an order', async () => {
    const settings = { ...defaultSettings, profitMarginPercent: 8 }
    expect(exampleOf(defaultSettings, 'profitMarginPercent')).toEqual([
      ['payable', rupees(40_000)],
      ['commission', rupees(2000)],
      ['due', rupees(38_000)],
      ['recommended', rupees(42_000)],
    ])
    expect(exampleOf(settings, 'profitMarginPercent').slice(1, 3)).toEqual([
      ['commission', rupees(3200)],
      ['due', rupees(36_800)],
    ])
    // 2 %, at most ₹500; Sandhai bears it.
    expect(exampleOf(defaultSettings, 'firstOrderDiscount')).toEqual([
      ['discount', rupees(500)],
      ['payable', rupees(39_500)],
      ['commission', rupees(2000)],
      ['due', rupees(38_000)],
    ])
  })
})
