import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq, inArray, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { sellerReviews } from '#src/reviews/tables.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { openMediaStore, type MediaStore } from '#src/kit/media/media-store.server.ts'
import { reviewSeller } from '#src/reviews/reviews.server.ts'
import { vetChecks } from '#src/health/tables.ts'
import { verifyListing } from '#src/verification/verify-listing.server.ts'
import { placeOrder } from '#src/orders/checkout/place-order.server.ts'
import { addPhotos } from '#src/selling/photos/photos.server.ts'
import { quickEdit } from '#src/selling/own/quick-edit.server.ts'
import { markSold } from '#src/selling/own/sale.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { addToCart, removeLine, setCount } from '#src/cart/commands.server.ts'
import { cartLines } from '#src/cart/tables.ts'
import { recordVetCheck } from '#src/health/record-check.server.ts'
import { invoices } from '#src/invoices/tables.ts'
import { makeListing, makePhoto } from '#src/listings/makers.server.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { discountUses, orders, orderSteps } from '#src/orders/tables.ts'
import { takeStep } from '#src/orders/steps/take-step.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { often } from '#tools/test-kit/often.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { picture } from '#tools/test-kit/test-sale.ts'

/**
 * safety.md §1.2: checks the whole market against a model of plain values. Runs random sequences of fourteen commands; after each command,
 * its result and the database must equal the model. A failure prints its seed and its shortest sequence.
 */
interface Animal {
  id: number
  state: 'draft' | 'pending' | 'passed' | 'failed'
  stock: number
  isSold: boolean
  /** The result of the last verdict. */
  wasPassed: boolean
  checks: number
}
interface Order {
  id: number
  animal: Animal
  count: number
  status: number
  hasDiscount: boolean
}
interface Buyer {
  /** Has bought before. */
  viewer: Viewer
  addressId: number
  /** Oldest first. */
  cart: { animal: Animal; count: number }[]
  orders: Order[]
  stars: 1 | 2 | 3 | 4 | 5 | null
}
interface Model {
  seller: Viewer
  buyers: Buyer[]
  animals: Animal[]
}

let market: TestMarket
let media: MediaStore
let folder: string
let admin: Viewer
let vet: Viewer
let jpeg: Buffer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandhai-model-'))
  media = await openMediaStore(join(folder, 'media'))
  admin = await makeUser(market.ctx, { typeId: 9 })
  vet = await makeUser(market.ctx, { typeId: 5, vetApproved: true })
  jpeg = await picture(1)
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

const isSold = (animal: Animal) => animal.isSold || animal.stock === 0
const isLive = (animal: Animal) => animal.state === 'passed' && !isSold(animal)
const graph: Record<number, number[]> = { 1: [2, 102, 100], 2: [3, 4, 102, 100], 3: [4, 102, 100], 4: [5, 102, 100], 5: [6, 101, 100] }
const pick = <T>(items: T[], n: number): T | undefined => items[n % Math.max(1, items.length)]

const giveBack = (order: Order) => {
  order.animal.stock += order.count
}
const hasRight = ({ orders }: Buyer) => {
  const first = orders.filter(({ hasDiscount }) => hasDiscount)
  if (first.some(({ status }) => status < 100)) return false
  return first.length > 0 || orders.every(({ status }) => status >= 100)
}

/** Each command returns the market's result and the model's. */
type Act = (model: Model, ...numbers: number[]) => Promise<[said: string, should: string] | void>
const acts: Record<string, Act> = {
  register: async (model) => {
    if (model.buyers.length >= 4) return
    const viewer = await makeUser(market.ctx, { typeId: 1 })
    // Every second buyer has bought before the sequence begins.
    model.buyers.push({ viewer, addressId: await makeAddress(market.ctx, viewer.id), cart: [], orders: [], stars: null })
  },
  list: async (model, stock) => {
    const facts = { sellerId: model.seller.id, stock: 1 + (stock % 6), state: 'draft' as const }
    const id = await makeListing(market.ctx, facts, [])
    model.animals.push({ id, state: 'draft', stock: facts.stock, isSold: false, wasPassed: false, checks: 0 })
  },
  upload: async ({ seller, animals }, n) => {
    const animal = pick(
      animals.filter(({ state }) => state === 'draft'),
      n,
    )
    if (!animal) return
    animal.state = 'pending'
    return [await refusalOf(addPhotos(market.as(seller), media, animal.id, [jpeg])), 'taken']
  },
  verify: async ({ animals }, n, verdict) => {
    const animal = pick(animals, n)
    if (!animal) return
    const passed = verdict % 4 > 0
    const life = animal.state !== 'draft' && isSold(animal) ? 'sold' : animal.state
    const may = passed ? ['pending', 'failed'].includes(life) : ['pending', 'passed', 'sold'].includes(life)
    if (may) Object.assign(animal, { state: passed ? 'passed' : 'failed', wasPassed: passed })
    return [await refusalOf(verifyListing(market.as(admin), animal.id, { passed, comment: 'Looked at.' })), may ? 'taken' : 'LISTING_STEP']
  },
  'edit stock': async ({ seller, animals }, n, count) => {
    const animal = pick(animals, n)
    if (!animal) return
    const stock = 1 + (count % 6)
    const said = await refusalOf(
      quickEdit(market.as(seller), animal.id, { stock, weightKg: 420, originalPrice: 850_000_000n, offerPrice: null }),
    )
    const wasSold = animal.state !== 'draft' && isSold(animal)
    if (wasSold) animal.state = animal.wasPassed ? 'passed' : 'pending'
    else if (animal.state === 'failed') animal.state = 'pending'
    if (wasSold) animal.isSold = false
    animal.stock = stock
    return [said, 'taken']
  },
  'mark sold': async ({ seller, animals }, n, often) => {
    const animal = pick(animals, n)
    // Seldom, because a market of sold animals has little to do.
    if (!animal || often % 4 > 0) return
    const may = animal.state !== 'draft'
    if (may) animal.isSold = true
    return [await refusalOf(markSold(market.as(seller), animal.id, true)), may ? 'taken' : 'LISTING_STEP']
  },
  'vet check': async ({ animals }, n) => {
    const animal = pick(animals, n)
    if (!animal) return
    const finding = { approved: true, comments: 'Sound.', checkedOn: indianDay(market.ctx.now) }
    const said = await refusalOf(recordVetCheck(market.as(vet), animal.id, finding))
    if (isLive(animal)) animal.checks += 1
    return [said === 'taken' ? 'taken' : 'refused', isLive(animal) ? 'taken' : 'refused']
  },
  add: async ({ buyers, animals }, b, n, size) => {
    // Mostly animals that are available; otherwise nothing would be ordered.
    const [buyer, animal] = [pick(buyers, b), pick(n % 4 > 0 ? animals.filter(isLive) : animals, n)]
    if (!buyer || !animal) return
    const count = 1 + (size % 2)
    const said = await refusalOf(addToCart(market.as(buyer.viewer), { listingId: animal.id, count }))
    if (animal.state !== 'passed') return [said, 'NOT_FOUND']
    if (isSold(animal) || animal.stock < count) return [said, 'OUT_OF_STOCK']
    const line = buyer.cart.find((each) => each.animal === animal)
    if (line) line.count = count
    else buyer.cart.push({ animal, count })
    return [said, 'taken']
  },
  change: async ({ buyers }, b, n, size) => {
    const buyer = pick(buyers, b)
    const line = buyer && pick(buyer.cart, n)
    if (!line) return
    const count = 1 + (size % 4)
    const said = await refusalOf(setCount(market.as(buyer.viewer), await lineId(buyer, line.animal), count))
    if (!isLive(line.animal) || line.animal.stock < count) return [said, 'OUT_OF_STOCK']
    line.count = count
    return [said, 'taken']
  },
  remove: async ({ buyers }, b, n) => {
    const buyer = pick(buyers, b)
    const line = buyer && pick(buyer.cart, n)
    if (!line) return
    const said = await refusalOf(removeLine(market.as(buyer.viewer), await lineId(buyer, line.animal)))
    buyer.cart = buyer.cart.filter((each) => each !== line)
    return [said, 'taken']
  },
  confirm: async ({ buyers }, b) => {
    const buyer = pick(buyers, b)
    if (!buyer) return
    const ids = new Map<Animal, number>()
    for (const { animal } of buyer.cart) ids.set(animal, await lineId(buyer, animal))
    const said = await refusalOf(placeOrder(market.as(buyer.viewer), { addressId: buyer.addressId, code: '' }))
    // A repeated confirmation soon after is the earlier one.
    if (buyer.cart.length === 0) return [said, buyer.orders.length > 0 ? 'taken' : 'CART_EMPTY']
    if (buyer.cart.some(({ animal, count }) => !isLive(animal) || animal.stock < count)) return [said, 'STOCK_CHANGED']
    const right = hasRight(buyer)
    for (const [n, { animal, count }] of buyer.cart.entries()) {
      animal.stock -= count
      buyer.orders.push({ id: ids.get(animal)!, animal, count, status: 1, hasDiscount: right && n === 0 })
    }
    buyer.cart = []
    return [said, 'taken']
  },
  cancel: async ({ buyers }, b, n) => {
    const buyer = pick(buyers, b)
    const order = buyer && pick(buyer.orders, n)
    if (!order) return
    const said = await refusalOf(takeStep(market.as(buyer.viewer), order.id, { to: 100 }))
    if (order.status === 6 || order.status >= 100) return [said, 'ORDER_TERMINAL']
    order.status = 100
    giveBack(order)
    return [said, 'taken']
  },
  'set status': async ({ buyers }, b, n, way) => {
    const buyer = pick(buyers, b)
    const order = buyer && pick(n % 4 > 0 ? buyer.orders.filter(({ status }) => graph[status]) : buyer.orders, n)
    if (!order) return
    const to = (way % 3 > 0 && pick(graph[order.status] ?? [], way)) || pick([2, 3, 4, 5, 6, 101, 102], way)!
    if (to === 100) return
    const said = await refusalOf(takeStep(market.as(admin), order.id, { to }))
    if (order.status === 6 || order.status >= 100) return [said, 'ORDER_TERMINAL']
    if (!graph[order.status]!.includes(to)) return [said, 'ORDER_STEP']
    order.status = to
    if (to >= 100) giveBack(order)
    return [said, 'taken']
  },
  rate: async ({ buyers, seller }, b, stars) => {
    const buyer = pick(buyers, b)
    if (!buyer) return
    const given = ((stars % 5) + 1) as 1 | 2 | 3 | 4 | 5
    buyer.stars = given
    const said = await refusalOf(reviewSeller(market.as(buyer.viewer), seller.id, { stars: given, comment: '' }, '203.0.113.9'))
    return [said, 'taken']
  },
}

async function lineId({ viewer }: Buyer, { id }: Animal): Promise<number> {
  const rows = await market.ctx.db.select().from(cartLines).where(eq(cartLines.buyerId, viewer.id))
  return rows.find(({ listingId }) => listingId === id)!.id
}

/** Checks that the database equals the model, and the invariants. */
async function compare({ animals, buyers, seller }: Model): Promise<void> {
  const { db } = market.ctx
  const rows = await db.select().from(listings).where(eq(listings.sellerId, seller.id)).orderBy(asc(listings.id))
  expect(rows.map(({ id, state, stock, isSold }) => ({ id, state, stock, isSold }))).toEqual(
    animals.map(({ id, state, stock, isSold }) => ({ id, state, stock, isSold })),
  )
  const ids = buyers.map(({ viewer }) => viewer.id)
  const held = await db.select().from(cartLines).where(inArray(cartLines.buyerId, ids)).orderBy(asc(cartLines.id))
  const placed = await db.select().from(orders).where(inArray(orders.buyerId, ids)).orderBy(asc(orders.id))
  for (const { viewer, cart, orders } of buyers) {
    expect(held.filter(({ buyerId }) => buyerId === viewer.id).map(({ listingId, count }) => [listingId, count])).toEqual(
      cart.map(({ animal, count }) => [animal.id, count]),
    )
    expect(
      placed
        .filter(({ buyerId }) => buyerId === viewer.id)
        .map(({ id, listingId, count, status, discountType }) => [id, listingId, count, status, discountType !== null]),
    ).toEqual(
      orders
        .toSorted((a, b) => a.id - b.id)
        .map(({ id, animal, count, status, hasDiscount }) => [id, animal.id, count, status, hasDiscount]),
    )
  }
  const { rows: sums } = (await db.execute(sql`select
    (select count(*)::int from ${listings} l where l.seller_id = ${seller.id} and l.state in ('pending', 'passed')
      and not exists (select 1 from ${listingPhotos} p where p.listing_id = l.id)) as without_photo,
    (select count(*)::int from ${vetChecks} c join ${listings} l on l.id = c.listing_id where l.seller_id = ${seller.id}) as checks,
    (select count(*)::int from ${discountUses} u join ${orders} o on o.id = u.order_id where o.seller_id = ${seller.id} and u.returned_at is null) as rights,
    (select count(*)::int from ${invoices} i join ${orders} o on o.id = i.order_id where o.seller_id = ${seller.id}) as papers,
    (select count(*)::int from ${orderSteps} s join ${orders} o on o.id = s.order_id
      where o.seller_id = ${seller.id} and s.id = (select max(x.id) from ${orderSteps} x where x.order_id = o.id) and s.to_status <> o.status) as lost_steps,
    (select coalesce(sum(stars), 0)::int from ${sellerReviews} r where r.seller_id = ${seller.id}) as stars`)) as unknown as {
    rows: Record<string, number>[]
  }
  const all = buyers.flatMap(({ orders }) => orders)
  expect(sums[0]).toEqual({
    without_photo: 0,
    checks: animals.reduce((sum, { checks }) => sum + checks, 0),
    rights: all.filter(({ hasDiscount, status }) => hasDiscount && status < 100).length,
    papers: 2 * all.filter(({ status }) => status === 6).length,
    lost_steps: 0,
    stars: buyers.reduce((sum, { stars }) => sum + (stars ?? 0), 0),
  })
}

const RUNS = often(process.env.TEST_DATABASE === 'embedded' ? 15 : 40, 1000)
const COMMANDS = often(40, 80)

test(`${RUNS} random sequences of commands: the market equals the model`, async () => {
  const done: Record<string, number> = {}
  const command = (name: string) =>
    fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }).map((numbers): fc.AsyncCommand<Model, Model> => ({
      check: () => true,
      run: async (model) => {
        const [said, should] = (await acts[name]!(model, ...numbers)) ?? ['', '']
        expect([name, said]).toEqual([name, should])
        if (said === 'taken') done[name] = (done[name] ?? 0) + 1
        await compare(model)
      },
      toString: () => `${name}(${numbers.join(', ')})`,
    }))
  await fc.assert(
    fc.asyncProperty(
      fc.commands([...Object.keys(acts), 'add', 'confirm', 'set status'].map(command), { maxCommands: COMMANDS, size: 'max' }),
      async (commands) => {
        await fc.asyncModelRun(async () => {
          const model: Model = { seller: await makeUser(market.ctx, { typeId: 2 }), buyers: [], animals: [] }
          await acts.register!(model)
          // Animals to buy from the beginning.
          const pickup = { sellerId: model.seller.id, stock: 4 }
          for (let n = 0; n < 2; n++) {
            const id = await makeListing(market.ctx, { ...pickup, state: 'pending' }, [makePhoto()])
            await verifyListing(market.as(admin), id, { passed: true, comment: 'Looked at.' })
            model.animals.push({ id, state: 'passed', stock: 4, isSold: false, wasPassed: true, checks: 0 })
          }
          return { model, real: model }
        }, commands)
      },
    ),
    // Ordinary runs use a fixed seed; deep runs use a new one and print it.
    { numRuns: RUNS, seed: often(20_261_121, Date.now() % 2 ** 31) },
  )
  // Every command must have succeeded in some sequence; otherwise the test proves nothing.
  for (const name of Object.keys(acts))
    if (name !== 'register' && name !== 'list') expect([name, done[name] ?? 0]).toEqual([name, expect.toSatisfy((n: number) => n > 0)])
})
