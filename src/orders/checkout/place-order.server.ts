import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { randomInt } from 'node:crypto'
import { can, mayNot, requireLoggedIn } from '#src/accounts/policy.ts'
import { devicesOf } from '#src/accounts/receivers.server.ts'
import { SELLER_TYPES } from '#src/accounts/rules.ts'
import { addresses, isHere, pincodes, users } from '#src/accounts/tables.ts'
import { discountOn, linesText, quote } from '#src/cart/rules.ts'
import { cartLines } from '#src/cart/tables.ts'
import { audit } from '#src/kit/db/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { once } from '#src/kit/db/idempotency.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { notFound, Problem, type LineProblem } from '#src/kit/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { lookups } from '#src/listings/lookups.server.ts'
import { availabilityOf, listingCode } from '#src/listings/rules.ts'
import { listings } from '#src/listings/tables.ts'
import { findDiscount } from './discounts.server.ts'
import { ListingLines } from './listing-lines.server.ts'
import { notifyOfOrder } from '#src/orders/order-messages.server.ts'
import { CANCELLED, orderNumber, PLACED, SAME_CONFIRMATION_MINUTES } from '#src/orders/rules.ts'
import { discountUses, orderGroups, orders, orderSteps, type PlaceSnapshot } from '#src/orders/tables.ts'

export interface Confirmation {
  addressId: number
  /** A referral code; any other text counts for nothing. */
  code: string
  /** An Idempotency-Key: the same confirmation, however often it comes, is placed once and has one answer. */
  key?: string
  /**
   * What the buyer was shown as "Total payable". It is never used as a price; where it differs from the computed total, nothing is ordered.
   */
  shownPayable?: Money
  /** The lines the buyer was shown (`linesText`): they may have changed them on another phone, at the same total. */
  shownLines?: string
}

export interface PlacedOrders {
  orders: { id: number; orderNo: string }[]
}

/**
 * Orders everything in the viewer's cart, all or nothing, each line as an order of its own. Prices, discount and stock are those of this
 * moment, read under locks. ROLE_FORBIDDEN; NOT_FOUND for an address that is not in the buyer's book; CART_EMPTY; STOCK_CHANGED and
 * NOT_DELIVERABLE with the lines they are about; PRICE_CHANGED; IDEMPOTENCY_MISMATCH.
 */
export async function placeOrder(ctx: Ctx, confirmation: Confirmation): Promise<PlacedOrders> {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, 'buy')) throw mayNot(viewer, 'buy')
  const { addressId, key } = confirmation
  const code = confirmation.code.trim().toUpperCase()
  const place = (ctx: Ctx) => placeCart(ctx, viewer.id, { ...confirmation, code })
  // Only to know in which lines to stand: what is ordered is read again under its locks.
  const cart = await ctx.db.select({ listingId: cartLines.listingId }).from(cartLines).where(eq(cartLines.buyerId, viewer.id))
  return listingLines.inTurn(
    cart.map(({ listingId }) => listingId),
    () =>
      key === undefined
        ? inTransaction(ctx, place)
        : once(ctx, { owner: `user:${viewer.id}`, key, request: ['confirm-order', addressId, code] }, place),
  )
}

const listingLines = new ListingLines()

async function placeCart(
  ctx: Ctx,
  buyerId: number,
  { addressId, code, key, shownPayable, shownLines }: Confirmation,
): Promise<PlacedOrders> {
  // The statements of one list go to the database together, which executes them in this order (kit/db/database-client.server.ts).
  const [buyer, cart] = await Promise.all([lockBuyer(ctx, buyerId), lockCart(ctx, buyerId)])
  if (cart.length === 0) return sameConfirmation(ctx, buyerId, { addressId, code, key })
  const [delivery, animals, { offer, referrerId, settings }, groupId] = await Promise.all([
    holdDelivery(ctx, buyerId, addressId),
    lockAnimals(ctx, cart),
    findDiscount(ctx, code),
    addGroup(ctx, { buyerId, addressId, code }),
  ])
  const lines = cart.map((line) => ({ ...line, animal: animals.get(line.listingId)! }))
  ensureInStock(ctx, buyerId, lines)
  ensureDeliverable(ctx, delivery.isDeliverable, lines)

  const priced = lines.map(({ count, animal }) => ({ count, unitPrice: animal.price, originalPrice: animal.originalPrice }))
  if (shownPayable !== undefined && shownPayable !== quote(priced, offer).payable) throw new Problem('PRICE_CHANGED')
  if (shownLines !== undefined && shownLines !== linesText(lines)) throw new Problem('PRICE_CHANGED')
  const discount = discountOn(priced[0], offer)

  const placed = lines.map((line, n) => ({
    ...orderOf(ctx, line),
    groupId,
    buyerId,
    // The oldest line carries the discount (decisions.md §4) and the code of the whole cart.
    ...(n === 0 && discount > 0n ? { discount, discountType: offer!.typeId } : { discount: 0n, discountType: null }),
    referrerId: n === 0 ? referrerId : null,
    commissionPercent: settings.profitMarginPercent,
    delivery: delivery.place,
  }))
  const people = new Map([buyer, ...lines.map(({ animal }) => animal.seller)].map((person) => [person.id, person]))
  await Promise.all([
    ctx.db.insert(orders).values(placed),
    discount > 0n && ctx.db.insert(discountUses).values({ orderId: lines[0]!.id, buyerId, typeId: offer!.typeId }),
    ctx.db
      .insert(orderSteps)
      .values(placed.map(({ id }) => ({ orderId: id, fromStatus: 0, toStatus: PLACED, byId: buyerId, as: 'buyer' as const, at: ctx.now }))),
    takeStock(ctx, lines),
    ctx.db.delete(cartLines).where(
      inArray(
        cartLines.id,
        lines.map(({ id }) => id),
      ),
    ),
    audit(ctx, 'order_placed', `order_group:${groupId}`, { orders: placed.length }),
    notifyOfOrder(ctx, placed, people),
  ])
  return { orders: lines.map(({ id }) => ({ id, orderNo: orderNumber(id) })) }
}

/** Serialises everything that one buyer does with cart and orders; a person who was deactivated meanwhile buys nothing. */
async function lockBuyer(ctx: Ctx, buyerId: number) {
  const [buyer] = await ctx.db
    .select({ id: users.id, phone: users.phone, locale: users.locale, typeId: users.typeId, devices: devicesOf() })
    .from(users)
    .where(and(eq(users.id, buyerId), isHere))
    .for('no key update')
  if (!buyer || !can({ ...ctx.viewer!, typeId: buyer.typeId }, 'buy')) throw mayNot(ctx.viewer, 'buy')
  return buyer
}

const lockCart = (ctx: Ctx, buyerId: number) =>
  ctx.db.select().from(cartLines).where(eq(cartLines.buyerId, buyerId)).orderBy(asc(cartLines.id)).for('update')

/**
 * The cart is empty: was the same content confirmed a moment ago? Then the answer got lost, or the button was pressed twice. A key names
 * its confirmation, so a new key is a new confirmation.
 */
async function sameConfirmation(
  ctx: Ctx,
  buyerId: number,
  { addressId, code, key }: Pick<Confirmation, 'addressId' | 'code' | 'key'>,
): Promise<PlacedOrders> {
  const since = new Date(ctx.now.getTime() - SAME_CONFIRMATION_MINUTES * 60_000)
  const [last] = await ctx.db
    .select()
    .from(orderGroups)
    .where(and(eq(orderGroups.buyerId, buyerId), gt(orderGroups.createdAt, since)))
    .orderBy(desc(orderGroups.id))
    .limit(1)
  if (key === undefined && last?.addressId === addressId && last.code === code)
    return {
      orders: await ctx.db
        .select({ id: orders.id, orderNo: orders.orderNo })
        .from(orders)
        .where(eq(orders.groupId, last.id))
        .orderBy(orders.id),
    }
  await holdDelivery(ctx, buyerId, addressId)
  throw new Problem('CART_EMPTY')
}

async function addGroup(ctx: Ctx, group: { buyerId: number; addressId: number; code: string }): Promise<number> {
  const [row] = await ctx.db
    .insert(orderGroups)
    .values({ ...group, createdAt: ctx.now })
    .returning({ id: orderGroups.id })
  return row!.id
}

const placeColumns = {
  name: addresses.name,
  phone: addresses.phone,
  address1: addresses.address1,
  address2: addresses.address2,
  pincode: addresses.pincode,
  taluk: pincodes.taluk,
  district: pincodes.district,
  state: pincodes.state,
}

/**
 * The delivery address, held until the end, so that it cannot change between this look and the snapshot. Hold it first, then read: a
 * statement that has waited for a row still sees all others as they were before.
 */
async function holdDelivery(ctx: Ctx, buyerId: number, addressId: number): Promise<{ place: PlaceSnapshot; isDeliverable: boolean }> {
  const own = and(eq(addresses.id, addressId), eq(addresses.userId, buyerId))
  const [, [row]] = await Promise.all([
    ctx.db.select({ id: addresses.id }).from(addresses).where(own).for('share'),
    ctx.db
      .select({ place: placeColumns, isDeliverable: pincodes.isDeliverable })
      .from(addresses)
      .innerJoin(pincodes, eq(pincodes.pincode, addresses.pincode))
      .where(and(own, isNull(addresses.removedAt))),
  ])
  if (!row) throw notFound()
  return row
}

/**
 * Everything that is ordered, locked in the order of its ids, so that two carts never wait for each other; then read. A listing with too
 * little left is not waited for: when an animal is gone, the crowd behind it hears so at once.
 */
async function lockAnimals(ctx: Ctx, cart: { listingId: number; count: number }[]) {
  const wanted = JSON.stringify(cart.map(({ listingId, count }) => ({ id: listingId, n: count })))
  const [locked, rows] = await Promise.all([
    rowsOf(
      ctx,
      sql`
      select l.id::int as id from listings l join jsonb_to_recordset(${wanted}::jsonb) as c(id bigint, n integer) on c.id = l.id
      where l.stock >= c.n order by l.id for no key update of l`,
      z.object({ id: z.number() }),
    ),
    ctx.db
      .select({
        id: listings.id,
        sellerId: listings.sellerId,
        name: listings.name,
        nameEn: listings.nameEn,
        description: listings.description,
        descriptionEn: listings.descriptionEn,
        categoryId: listings.categoryId,
        breedId: listings.breedId,
        ageId: listings.ageId,
        genderId: listings.genderId,
        weightKg: listings.weightKg,
        stock: listings.stock,
        originalPrice: listings.originalPrice,
        price: listings.price,
        state: listings.state,
        isSold: listings.isSold,
        touchedAt: listings.touchedAt,
        tagSealed: listings.tagSealed,
        photoKey: sql<string | null>`(select p.media_key from listing_photos p where p.listing_id = ${listings.id} and p.position = 0)`,
        seller: { id: users.id, phone: users.phone, locale: users.locale, devices: devicesOf() },
        isSellerActive: sql<boolean>`${users.isActive} and ${users.typeId} in (${sql.raw(SELLER_TYPES.join(', '))})`,
        pickup: placeColumns,
        isDeliverable: pincodes.isDeliverable,
      })
      .from(listings)
      .innerJoin(users, eq(users.id, listings.sellerId))
      .innerJoin(addresses, eq(addresses.id, listings.pickupAddressId))
      .innerJoin(pincodes, eq(pincodes.pincode, addresses.pincode))
      .where(
        inArray(
          listings.id,
          cart.map(({ listingId }) => listingId),
        ),
      ),
  ])
  const held = new Set(locked.map(({ id }) => id))
  return new Map(rows.map((row) => [row.id, { ...row, isHeld: held.has(row.id) }]))
}

type Animal = Awaited<ReturnType<typeof lockAnimals>> extends Map<number, infer A> ? A : never
interface Line {
  id: number
  listingId: number
  count: number
  animal: Animal
}

const problemOf = (ctx: Ctx, { id, listingId, count, animal }: Line, stock: number): LineProblem => ({
  id,
  product: listingId,
  // New wording that is not verified yet is shown to nobody.
  name:
    animal.state === 'passed'
      ? ((ctx.locale === 'en' ? animal.nameEn : null) ?? animal.name)
      : lookups.category(animal.categoryId)[ctx.locale],
  items_count: count,
  stock,
})

function ensureInStock(ctx: Ctx, buyerId: number, lines: Line[]): void {
  const left = ({ animal, count }: Line): number => {
    const isForSale = animal.state === 'passed' && animal.isSellerActive && animal.sellerId !== buyerId
    if (!isForSale || availabilityOf(animal, ctx.now) !== 'available') return 0
    // Stock came back after it was passed over: the next try gets it.
    return animal.isHeld ? animal.stock : Math.min(animal.stock, count - 1)
  }
  const short = lines.filter((line) => left(line) < line.count)
  if (short.length > 0) throw new Problem('STOCK_CHANGED', { lines: short.map((line) => problemOf(ctx, line, left(line))) })
}

/** Delivery has two ends: the pickup place counts as much as the destination. */
function ensureDeliverable(ctx: Ctx, isDeliverable: boolean, lines: Line[]): void {
  const away = isDeliverable ? lines.filter(({ animal }) => !animal.isDeliverable) : lines
  if (away.length > 0) throw new Problem('NOT_DELIVERABLE', { lines: away.map((line) => problemOf(ctx, line, line.animal.stock)) })
}

/** What a line brings to its order: prices, animal and pickup place as they are at this moment. */
const orderOf = (ctx: Ctx, { id, count, animal }: Line) => ({
  id,
  orderNo: orderNumber(id),
  sellerId: animal.sellerId,
  listingId: animal.id,
  count,
  originalPrice: animal.originalPrice,
  unitPrice: animal.price,
  status: PLACED,
  animal: snapshotOf(animal),
  pickup: animal.pickup,
  deliverOn: null,
  deliverWindow: null,
  tagSealed: animal.tagSealed,
  handoverSealed: ctx.vault.seal('handover', String(randomInt(10_000)).padStart(4, '0')),
  createdAt: ctx.now,
  changedAt: ctx.now,
})

const snapshotOf = ({
  name,
  nameEn,
  description,
  descriptionEn,
  id,
  categoryId,
  breedId,
  ageId,
  genderId,
  weightKg,
  photoKey,
}: Animal) => ({
  name,
  nameEn,
  description,
  descriptionEn,
  code: listingCode(lookups.category(categoryId).shortEn, id),
  categoryId,
  breedId,
  ageId,
  genderId,
  weightKg,
  photoKey,
})

const takeStockRow = z.unknown()

/**
 * Never below zero: the rows are locked and were checked, and still the statement checks again. The version goes up, because a seller who
 * saves a form that they have open would otherwise write back the stock from before.
 */
async function takeStock(ctx: Ctx, lines: Line[]): Promise<void> {
  const taken = JSON.stringify(lines.map(({ listingId, count }) => ({ id: listingId, n: count })))
  const rows = await rowsOf(
    ctx,
    sql`
    update listings l set stock = l.stock - t.n, version = l.version + 1
    from jsonb_to_recordset(${taken}::jsonb) as t(id bigint, n integer)
    where l.id = t.id and l.stock >= t.n returning l.id`,
    takeStockRow,
  )
  if (rows.length !== lines.length) throw new Error('Stock was looked at and locked, and yet there was less.')
}

/**
 * For an order that ended without a sale: gives the stock back to the listing, and the buyer their right to the discount. Once, with the
 * step that ends it.
 */
export async function giveBack(ctx: Ctx, order: { id: number; listingId: number; count: number; status: number }): Promise<void> {
  if (order.status >= CANCELLED) throw new Error('It was given back already.')
  await ctx.db
    .update(listings)
    // A seller may have counted again meanwhile: a listing holds ten thousand at most.
    .set({ stock: sql`least(10000, ${listings.stock} + ${order.count}::integer)`, version: sql`${listings.version} + 1` })
    .where(eq(listings.id, order.listingId))
  await ctx.db
    .update(discountUses)
    .set({ returnedAt: ctx.now })
    .where(and(eq(discountUses.orderId, order.id), isNull(discountUses.returnedAt)))
}
