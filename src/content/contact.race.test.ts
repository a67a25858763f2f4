import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { ContactBoard, type KnownContact } from '#src/kit/messages/contact-board.server.ts'
import { PageCache, pageChangesOf } from '#src/kit/http/page-cache.server.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { settings } from '#src/kit/db/tables.ts'
import { signal } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

let market: TestMarket
let adminId: number
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  adminId = (await makeUser(market.ctx, { typeId: 9 })).id
})

const setPhone = (phone: string) =>
  market.ctx.db
    .insert(settings)
    .values({ key: 'contact', value: { ...defaultSettings.contact, phone }, setById: adminId, setAt: new Date() })

interface Board {
  hear(row: KnownContact | null): void
  current: { phone: string }
}

/**
 * A first request for changes is answered before a new number is set, but its answer arrives after that of a second request, which has the
 * new number. Returns the page that a visitor then gets, when the visitor before them has just rendered it.
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
  await cache.render('page', epoch, async () => ({
    status: 200,
    headers: {},
    isCacheable: true,
    shows: new Set(),
    requestId: 'test',
    body: Buffer.from(board.current.phone),
  }))
  const cached = cache.find('page', asked)
  return Buffer.from(await cached!.encoded(null)).toString()
}

test('a late answer does not put an old number onto a cached page', async () => {
  await setPhone('+914222000001')
  expect(await shownAfterOvertaking(new ContactBoard(market.ctx.db), '+914222000002')).toBe('+914222000002')
})

test('control: a board that trusts the latest answer shows the old number', async () => {
  await setPhone('+914222000003')
  const naive = {
    current: { phone: '' },
    hear(row: KnownContact | null) {
      if (row) this.current = row.value
    },
  }
  expect(await shownAfterOvertaking(naive, '+914222000004')).toBe('+914222000003')
})
