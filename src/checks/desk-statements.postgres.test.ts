import { beforeAll, describe, expect, test } from 'vitest'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeEnquiry } from '#src/enquiries/makers.server.ts'
import { makeThread } from '#src/forum/makers.server.ts'
import { takeAnimal } from '#src/health/holds.server.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { pageTable, type PageEntry } from '#src/page-table.ts'
import { report } from '#src/reports/reports.server.ts'
import { payoutLines, payouts } from '#src/selling/tables.ts'
import { shareBuiltSite, type BuiltSite } from '#tools/test-kit/built-site.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'

/** Statements per page, whatever the number of rows. */
const AT_MOST = 8
/** Rows of each kind: enough for a page with one statement per row to exceed the limit. */
const OF_EACH = 10

/** Files and redirects are no pages. */
const isPage = ({ path }: PageEntry) => !/\.\w+$|\/find$/.test(path)
/** Pages in the office's frame for an admin, and in the vets' frame for a vet (page-table.ts). */
const ofOffice = pageTable.filter((entry) => isPage(entry) && (entry.who === 'operate' || /^(orders|vet-verify)(\/|$)/.test(entry.path)))
const ofVets = pageTable.filter((entry) => isPage(entry) && /^vet-verify(\/|$)/.test(entry.path))

let market: TestMarket
let site: BuiltSite
let admin: string
let vet: string
/** The id for each parameter of an address, by the parameter's name. The test fails for a new parameter until it is added here. */
const named: Record<string, number> = {}

shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
  const office = await makeUser(market.ctx, { typeId: 9, superAdmin: true })
  const doctor = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  const seller = await makeUser(market.ctx, { typeId: 2 })
  admin = await makeSession(market.ctx, office.id)
  vet = await makeSession(market.ctx, doctor.id)
  await fill(market, { seller, office })
  const held = await makeListing(market.ctx, { sellerId: seller.id }, [makePhoto()])
  await takeAnimal(market.as(doctor), held)
  const { id } = await makeOrder(market.ctx, { status: 6, seller, admin: office })
  const [payout] = await market.ctx.db.insert(payouts).values({ byId: office.id, at: market.ctx.now }).returning()
  const line = { amount: 8_075_000_000n, account: 'xxxx7890', sales: [], state: 'failed' as const }
  await market.ctx.db.insert(payoutLines).values({ ...line, payoutId: payout!.id, sellerId: seller.id })
  Object.assign(named, { userId: seller.id, sellerId: seller.id, listingId: held, orderId: id, payoutId: payout!.id })
})

type Person = Awaited<ReturnType<typeof makeUser>>

async function fill({ ctx, as }: TestMarket, { seller, office }: { seller: Person; office: Person }) {
  await makeBearer(ctx)
  for (let n = 0; n < OF_EACH; n++) {
    await makeListing(ctx, { sellerId: seller.id, state: 'pending' }, [makePhoto()])
    const listed = await makeListing(ctx, { sellerId: seller.id }, [makePhoto()])
    await makeOrder(ctx, { status: n % 2 === 0 ? 1 : 6, seller, admin: office })
    const person = await makeUser(ctx, { requestedTypeId: 4, requestedTypeAt: ctx.now })
    await report(as(person), { listingId: listed }, { reason: 'fraud', comment: '' })
    await makeEnquiry(ctx, { isVerified: null })
    await makeThread(ctx, { authorId: person.id, state: 'review', content: `Is this fodder good? ${n}` })
  }
}

const addressOf = ({ path }: PageEntry) =>
  `/en/${path.replace(/:(\w+)/g, (_, name: string) => {
    if (!(name in named)) throw new Error(`A desk page has a new parameter :${name}: add its value to \`named\` above.`)
    return String(named[name])
  })}`

/** The site's background jobs may send a statement meanwhile, so take the minimum of several counts. */
async function statementsOf(entry: PageEntry, session: string): Promise<number> {
  const counts: number[] = []
  for (let n = 0; n < 3; n++) {
    const { status, statements } = await site.open(addressOf(entry), { session })
    expect(status).toBe(200)
    counts.push(statements)
  }
  return Math.min(...counts)
}

describe(`no page of a desk sends more than ${AT_MOST} statements`, () => {
  test.each(ofOffice)('to an admin: $path', async (entry) => {
    expect(await statementsOf(entry, admin)).toBeLessThanOrEqual(AT_MOST)
  })

  test.each(ofVets)('to a vet: $path', async (entry) => {
    expect(await statementsOf(entry, vet)).toBeLessThanOrEqual(AT_MOST)
  })
})
