import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { auditEvents } from '#src/kit/db/tables.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { showcaseItems } from '../tables.ts'
import { addShowcaseItem, changeShowcaseItem, removeShowcaseItem } from './commands.server.ts'
import { listMarketDays, listShowcase, readFront } from './queries.server.ts'
import { showcaseInput, type ShowcaseInput } from './schemas.ts'

let market: TestMarket
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  admin = await makeUser(market.ctx, { typeId: 9 })
})
beforeEach(() => market.ctx.db.delete(showcaseItems))

const typed = {
  kind: 'banner',
  titleTa: 'பொங்கல் சந்தை',
  titleEn: 'Pongal market',
  textTa: 'காளைகள் வந்தன',
  textEn: 'The bulls are here',
  path: '/buy/1?category=1',
  position: '1',
  isShown: true,
  isAgreed: false,
}
const banner = (changes: Partial<ShowcaseInput> = {}): ShowcaseInput => ({ ...showcaseInput.parse(typed), ...changes })
const english = () => market.as(null, { locale: 'en', now: new Date('2026-11-26T06:00Z') })
const versionsOf = async (kind: ShowcaseInput['kind'] = 'banner') =>
  (await listShowcase(market.as(admin), kind)).map(({ id, version }) => ({ id, version }))

describe("the office's form", () => {
  const wrongFields = (changes: object) => {
    const { success, error } = showcaseInput.safeParse({ ...typed, ...changes })
    return success ? null : error!.issues.map(({ path }) => path.join('.')).toSorted()
  }

  test('accepts a banner link to our own pages only', () => {
    for (const path of ['/', '/buy/0', '/product/12?tab=vet', '/en/breeds/kangayam']) expect(wrongFields({ path }), path).toBeNull()
    for (const path of ['', 'buy/0', '//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/buy 0'])
      expect(wrongFields({ path }), path).toEqual(['path'])
  })

  test("accepts a quote only with the person's consent and place", () => {
    const voice = { kind: 'voice', path: '', placeTa: 'சேலம்', placeEn: 'Salem', isAgreed: true }
    expect(wrongFields(voice)).toBeNull()
    expect(wrongFields({ ...voice, isAgreed: false })).toEqual(['isAgreed'])
    expect(wrongFields({ ...voice, placeTa: '', placeEn: '' })).toEqual(['placeEn', 'placeTa'])
  })

  test('accepts a market day either weekly or with dates', () => {
    const day = { kind: 'market_day', path: '', weekday: '', fromDay: '', toDay: '' }
    expect(wrongFields({ ...day, weekday: '4' })).toBeNull()
    expect(wrongFields({ ...day, fromDay: '2027-01-14', toDay: '2027-01-17' })).toBeNull()
    expect(wrongFields(day)).toEqual(['weekday'])
    expect(wrongFields({ ...day, weekday: '4', fromDay: '2027-01-14' })).toEqual(['weekday'])
    expect(wrongFields({ ...day, fromDay: '2027-01-14', toDay: '2027-01-13' })).toEqual(['toDay'])
    expect(wrongFields({ ...day, weekday: '7' })).not.toBeNull()
  })

  test('needs both languages and short titles; a line end in a title becomes a blank', () => {
    expect(wrongFields({ titleTa: '', textEn: ' ' })).toEqual(['textEn', 'titleTa'])
    expect(wrongFields({ titleEn: 'one\ntwo' })).toBeNull()
    expect(wrongFields({ titleEn: 'x'.repeat(61) })).toEqual(['titleEn'])
    expect(wrongFields({ position: '100' })).toEqual(['position'])
  })
})

test('a banner appears in its position and language while its days last and it is visible', async () => {
  await addShowcaseItem(market.as(admin), banner({ position: 2 }))
  await addShowcaseItem(market.as(admin), banner({ titleEn: 'First', position: 1 }))
  await addShowcaseItem(market.as(admin), banner({ titleEn: 'Hidden', isShown: false }))
  await addShowcaseItem(market.as(admin), banner({ titleEn: 'Over', toDay: '2026-11-25' }))
  await addShowcaseItem(market.as(admin), banner({ titleEn: 'Later', fromDay: '2026-11-27' }))
  expect((await readFront(english())).banners.map(({ title }) => title)).toEqual(['First', 'Pongal market'])
  expect((await readFront(market.as(null, { locale: 'ta', now: english().now }))).banners.map(({ text }) => text)).toEqual([
    'காளைகள் வந்தன',
    'காளைகள் வந்தன',
  ])
})

test('the calendar shows the next market first and no past one', async () => {
  const day = (titleEn: string, changes: Partial<ShowcaseInput>) =>
    addShowcaseItem(market.as(admin), banner({ kind: 'market_day', path: null, titleEn, ...changes }))
  await day('Wednesday', { weekday: 3 })
  await day('Thursday', { weekday: 4 })
  await day('Pongal', { fromDay: '2027-01-14', toDay: '2027-01-17' })
  await day('Deepavali', { fromDay: '2026-11-08', toDay: '2026-11-09' })
  const days = await listMarketDays(english())
  expect(days.map(({ title, next, isToday }) => [title, next, isToday])).toEqual([
    ['Thursday', '2026-11-26', true],
    ['Wednesday', '2026-12-02', false],
    ['Pongal', '2027-01-14', false],
  ])
})

test('when two admins change the same banner, the second gets VERSION; each change is audited', async () => {
  await addShowcaseItem(market.as(admin), banner())
  const [first] = await versionsOf()
  await changeShowcaseItem(market.as(admin), first!, banner({ titleEn: 'Changed' }))
  expect(await refusalOf(changeShowcaseItem(market.as(admin), first!, banner({ titleEn: 'Too late' })))).toBe('VERSION')
  expect(await refusalOf(removeShowcaseItem(market.as(admin), first!))).toBe('VERSION')
  expect((await readFront(english())).banners.map(({ title }) => title)).toEqual(['Changed'])
  await removeShowcaseItem(market.as(admin), (await versionsOf())[0]!)
  expect((await readFront(english())).banners).toEqual([])
  const events = await market.ctx.db.select().from(auditEvents).orderBy(auditEvents.id)
  expect(
    events
      .filter(({ event }) => event === 'showcase_changed')
      .map(({ details }) => (details as { act: string }).act)
      .slice(-3),
  ).toEqual(['added', 'changed', 'removed'])
})

test('only admins can change the home page and see hidden items', async () => {
  await addShowcaseItem(market.as(admin), banner())
  const [item] = await versionsOf()
  for (const viewer of [null, ...(await Promise.all([1, 2, 5].map((typeId) => makeUser(market.ctx, { typeId }))))]) {
    const as = market.as(viewer)
    const code = viewer ? 'ROLE_FORBIDDEN' : 'AUTH_REQUIRED'
    expect(await refusalOf(addShowcaseItem(as, banner()))).toBe(code)
    expect(await refusalOf(changeShowcaseItem(as, item!, banner()))).toBe(code)
    expect(await refusalOf(removeShowcaseItem(as, item!))).toBe(code)
    expect(await refusalOf(listShowcase(as, 'banner'))).toBe(code)
  }
})
