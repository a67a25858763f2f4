import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { ContactBoard, type KnownContact } from '#src/kit/contact-board.server.ts'
import { PageCache, pageChangesOf } from '#src/kit/page-cache.server.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { settings } from '#src/kit/tables.ts'
import { signal } from '#src/kit/testing/signal.ts'
import { openTestMarket, type TestMarket } from '#src/testing/test-market.ts'

let market: TestMarket
let adminId: number
beforeAll(async () => {
  market = await openTestMarket()
  adminId = (await makeUser(market.ctx, { typeId: 9 })).id
})
afterAll(() => market?.close())

const setPhone = (phone: string) =>
  market.ctx.db
    .insert(settings)
    .values({ key: 'contact', value: { ...defaultSettings.contact, phone }, setById: adminId, setAt: new Date() })

interface Board {
  hear(row: KnownContact | null): void
  current: { phone: string }
}

/**
 * A look for changes is answered before a new number is set, and this answer comes to us only after that of a second look, which has
 * the new one. Answers what somebody gets who asked after the new number was set, if the one before him has just drawn the page.
 */
async function shownAfterOvertaking(board: Board, phone: string): Promise<string> {
  const ask = pageChangesOf(market.ctx.db)
  const answered = signal()
  const arrives = signal()
  let isSlow = false
  const cache = new PageCache(async (since) => {
    const isThisSlow = isSlow
    isSlow = false
    const changes = await ask(since)
    if (isThisSlow) {
      answered.give()
      await arrives.given
    }
    board.hear(changes.contact)
    return changes
  })
  await cache.look()
  isSlow = true
  const slow = cache.look()
  await answered.given
  await setPhone(phone)
  const asked = (await cache.look())!
  arrives.give()
  const epoch = (await slow)!
  await cache.draw('page', epoch, async () => ({
    status: 200,
    headers: {},
    isKept: true,
    requestId: 'test',
    body: Buffer.from(board.current.phone),
  }))
  const kept = cache.find('page', asked)
  return Buffer.from(await kept!.encoded(null)).toString()
}

test('an answer that was overtaken brings no old number onto a page that is kept', async () => {
  await setPhone('+914222000001')
  expect(await shownAfterOvertaking(new ContactBoard(market.ctx.db), '+914222000002')).toBe('+914222000002')
})

test('control: a board that believes the last answer it got shows the old number', async () => {
  await setPhone('+914222000003')
  const naive = {
    current: { phone: '' },
    hear(row: KnownContact | null) {
      if (row) this.current = row.value
    },
  }
  expect(await shownAfterOvertaking(naive, '+914222000004')).toBe('+914222000003')
})
