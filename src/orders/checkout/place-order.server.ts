import { randomInt } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { can, mayNot, requireLoggedIn } from '#src/accounts/policy.ts'
import { devicesOf } from '#src/accounts/notifications/receivers.server.ts'
import { SELLER_TYPES } from '#src/accounts/rules.ts'
import { isHere, users } from '#src/accounts/tables.ts'
import { addresses, pincodes } from '#src/addresses/tables.ts'
import { discountOn, linesText, quote } from '#src/cart/rules.ts'
import { cartLines } from '#src/cart/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inEagerTransaction } from '#src/kit/db/database.server.ts'
import { namedAct } from '#src/kit/records/idempotency.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { notFound, Problem, type LineProblem } from '#src/kit/base/problem.ts'
import { anyRow, idRow, rowsOf } from '#src/kit/db/rows.server.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { availabilityOf, listingCode } from '#src/listings/life/rules.ts'
import { listings } from '#src/listings/tables.ts'
import { notifyOfOrder } from '../order-messages.server.ts'
import { IN_CART, isCalledOff, PLACED } from '../process.server.ts'
import { orderNumber, SAME_CONFIRMATION_MINUTES } from '../rules.ts'
import { discountUses, orderGroups, orders, orderSteps, type PlaceSnapshot } from '../tables.ts'
import { findDiscount } from './discounts.server.ts'
import { ListingMutex } from './listing-mutex.server.ts'

export interface Confirmation {
  addressId: number
  /** A referral code. Any other text has no effect. */
  code: string
  /** Idempotency-Key: repeats of the confirmation place it once and get the same answer. */
  key?: string
  /** The "Total payable" that the buyer saw. Never used as a price: when it differs from the computed total, nothing is ordered. */
  shownPayable?: Money
  /** The lines that the buyer saw (`linesText`). The cart may have changed on another phone at the same total. */
  shownLines?: string
}

export interface PlacedOrders {
  orders: { id: number; orderNo: string }[]
}

/**
 * Orders everything in the viewer's cart or nothing; each line becomes one order. Prices, discount and stock are read under locks.
 * ROLE_FORBIDDEN; NOT_FOUND when the address is not the buyer's; CART_EMPTY; STOCK_CHANGED and NOT_DELIVERABLE with the lines concerned;
 * PRICE_CHANGED; IDEMPOTENCY_MISMATCH.
 */
export async function placeOrder(ctx: Ctx, confirmation: Confirmation): Promise<PlacedOrders> {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, 'buy')) throw mayNot(viewer, 'buy')
  const code = confirmation.code.trim().toUpperCase()
  // Only for choosing the queues: the transaction reads the cart again under its locks.
  const cart = await ctx.db.select({ listingId: cartLines.listingId }).from(cartLines).where(eq(cartLines.buyerId, viewer.id))
  return listingMutex.inTurn(
    cart.map(({ listingId }) => listingId),
    () => inEagerTransaction(ctx, (ctx) => placeCart(ctx, viewer.id, { ...confirmation, code })),
  )
}

const listingMutex = new ListingMutex()

async function placeCart(ctx: Ctx, buyerId: number, confirmation: Confirmation): Promise<PlacedOrders> {
  const { addressId, code, key } = confirmation
  const named =
    key === undefined ? null : namedAct<PlacedOrders>({ owner: `user:${buyerId}`, key, request: ['confirm-order', addressId, code] })
  // The statements of one list go to the database together, which executes them in this order (kit/db/database-client.server.ts). The first
  // list only reads and locks (inEagerTransaction).
  const [buyer, cart, earlier] = await Promise.all([lockBuyer(ctx, buyerId), lockCart(ctx, buyerId), named?.find(ctx)])
  if (earlier) return earlier
  if (cart.length === 0) return sameConfirmation(ctx, buyerId, { addressId, code, key })
  const [, delivery, animals, { offer, referrerId, settings }, groupId] = await Promise.all([
    named?.begin(ctx),
    holdDelivery(ctx, buyerId, addressId),
    lockAnimals(ctx, cart),
    findDiscount(ctx, code),
    addGroup(ctx, { buyerId, addressId, code }),
  ])
  const lines = cart.map((line) => ({ ...line, animal: animals.get(line.listingId)! }))
  ensureInStock(ctx, buyerId, lines)
  ensureDeliverable(ctx, delivery.isDeliverable, lines)

  const priced = lines.map(({ count, animal }) => ({ count, unitPrice: animal.price, originalPrice: animal.originalPrice }))
  ensureShownPrice(confirmation, { payable: quote(priced, offer).payable, lines: linesText(lines) })
  const discount = discountOn(priced[0], offer)

  const placed = lines.map((line, n) => ({
    ...orderOf(ctx, line),
    groupId,
    buyerId,
    // The oldest line carries the discount (decisions.md §4) and the cart's code.
    ...(n === 0 && discount > 0n ? { discount, discountType: offer!.typeId } : { discount: 0n, discountType: null }),
    referrerId: n === 0 ? referrerId : null,
    commissionPercent: settings.profitMarginPercent,
    delivery: delivery.place,
  }))
  const answer = { orders: lines.map(({ id }) => ({ id, orderNo: orderNumber(id) })) }
  const people = new Map([buyer, ...lines.map(({ animal }) => animal.seller)].map((person) => [person.id, person]))
  await Promise.all([
    ctx.db.insert(orders).values(placed),
    discount > 0n && ctx.db.insert(discountUses).values({ orderId: lines[0]!.id, buyerId, typeId: offer!.typeId }),
    ctx.db
      .insert(orderSteps)
      .values(
        placed.map(({ id }) => ({ orderId: id, fromStatus: IN_CART, toStatus: PLACED, byId: buyerId, as: 'buyer' as const, at: ctx.now })),
      ),
    takeStock(ctx, lines),
    ctx.db.delete(cartLines).where(
      inArray(
        cartLines.id,
        lines.map(({ id }) => id),
      ),
    ),
    audit(ctx, 'order_placed', `order_group:${groupId}`, { orders: placed.length }),
    notifyOfOrder(ctx, placed, people),
    named?.end(ctx, answer),
  ])
  return answer
}

function ensureShownPrice({ shownPayable, shownLines }: Confirmation, now: { payable: Money; lines: string }): void {
  if ((shownPayable ?? now.payable) !== now.payable || (shownLines ?? now.lines) !== now.lines) throw new Problem('PRICE_CHANGED')
}

/** Serialises all changes of one buyer's cart and orders. A buyer who was deactivated meanwhile is refused. */
async function lockBuyer(ctx: Ctx, buyerId: number) {
  const [buyer] = await ctx.db
    .select({ id: users.id, phone: users.phone, locale: users.locale, typeId: users.typeId, devices: devicesOf() })
    .from(users)
    .where(and(eq(users.id, buyerId), isHere))
    .for('no key update')
  if (!buyer || !can({ ...requireLoggedIn(ctx), typeId: buyer.typeId }, 'buy')) throw mayNot(ctx.viewer, 'buy')
  return buyer
}

/** The same lock for a caller that asks for the result of an order (kit/records/idempotency.server.ts). */
export const lockOfBuyer = (buyerId: number) => sql`select id from users where id = ${buyerId}::bigint for no key update`

const lockCart = (ctx: Ctx, buyerId: number) =>
  ctx.db.select().from(cartLines).where(eq(cartLines.buyerId, buyerId)).orderBy(asc(cartLines.id)).for('update')

/**
 * The cart is empty: finds the same content confirmed within the last minutes, because the response got lost or the button was pressed
 * twice. Without a key only: a new key is always a new confirmation.
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
  ...columnsOf(addresses, 'name', 'phone', 'address1', 'address2', 'pincode'),
  taluk: pincodes.taluk,
  district: pincodes.district,
  state: pincodes.state,
}

/**
 * Locks and returns the delivery address, so that it cannot change before the snapshot is written. Locks first and reads afterwards: a
 * statement that waited for a row lock still sees all other rows as before the wait.
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
 * Locks all ordered listings in the order of their ids, so that two carts never deadlock, then reads them. Skips listings with too little
 * stock instead of waiting: once an animal is gone, all other buyers get the answer at once.
 */
async function lockAnimals(ctx: Ctx, cart: { listingId: number; count: number }[]) {
  const wantedLines = JSON.stringify(cart.map(({ listingId, count }) => ({ id: listingId, n: count })))
  const [locked, rows] = await Promise.all([
    rowsOf(
      ctx,
      sql`
      select l.id::int as id from listings l join jsonb_to_recordset(${wantedLines}::jsonb) as c(id bigint, n integer) on c.id = l.id
      where l.stock >= c.n order by l.id for no key update of l`,
      idRow,
    ),
    ctx.db
      .select({
        ...columnsOf(listings, 'id', 'sellerId', 'name', 'ownerName', 'nameEn', 'description', 'descriptionEn'),
        ...columnsOf(listings, 'categoryId', 'breedId', 'ageId', 'genderId', 'weightKg', 'stock', 'originalPrice'),
        ...columnsOf(listings, 'price', 'state', 'isSold', 'touchedAt', 'tagSealed'),
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
  const lockedIds = new Set(locked.map(({ id }) => id))
  return new Map(rows.map((row) => [row.id, { ...row, isHeld: lockedIds.has(row.id) }]))
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
  // A reworded name stays hidden until an admin has verified it.
  name:
    animal.state === 'passed'
      ? ((ctx.locale === 'en' ? animal.nameEn : null) ?? animal.name)
      : lookups.category(animal.categoryId)[ctx.locale],
  items_count: count,
  stock,
})

function ensureInStock(ctx: Ctx, buyerId: number, lines: Line[]): void {
  const availableFor = ({ animal, count }: Line): number => {
    const isForSale = animal.state === 'passed' && animal.isSellerActive && animal.sellerId !== buyerId
    if (!isForSale || availabilityOf(animal, ctx.now) !== 'available') return 0
    // Stock came back after the lock skipped this row; the next try gets it.
    return animal.isHeld ? animal.stock : Math.min(animal.stock, count - 1)
  }
  const shortLines = lines.filter((line) => availableFor(line) < line.count)
  if (shortLines.length > 0)
    throw new Problem('STOCK_CHANGED', { lines: shortLines.map((line) => problemOf(ctx, line, availableFor(line))) })
}

/** Checks both ends of the delivery: pickup place and destination. */
function ensureDeliverable(ctx: Ctx, isDeliverable: boolean, lines: Line[]): void {
  const undeliverable = isDeliverable ? lines.filter(({ animal }) => !animal.isDeliverable) : lines
  if (undeliverable.length > 0)
    throw new Problem('NOT_DELIVERABLE', { lines: undeliverable.map((line) => problemOf(ctx, line, line.animal.stock)) })
}

/** The order's copy of the line: prices, animal and pickup place as they are now. */
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
  ownerName,
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
  ...(ownerName !== null && { ownerName }),
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

/**
 * The rows are locked and checked; the `where` still prevents a negative stock. The version goes up, so that a seller who saves an older
 * form cannot restore the old stock.
 */
async function takeStock(ctx: Ctx, lines: Line[]): Promise<void> {
  const takenLines = JSON.stringify(lines.map(({ listingId, count }) => ({ id: listingId, n: count })))
  const rows = await rowsOf(
    ctx,
    sql`
    update listings l set stock = l.stock - t.n, version = l.version + 1
    from jsonb_to_recordset(${takenLines}::jsonb) as t(id bigint, n integer)
    where l.id = t.id and l.stock >= t.n returning l.id`,
    anyRow,
  )
  if (rows.length !== lines.length) throw new Error('The update changed fewer listings than the lock had checked.')
}

/**
 * For an order that ended without a sale: returns the stock to the listing and the discount to the buyer. Call it once, in the transaction
 * of the step that ends the order. Resolves to the number of animals that the listing got back.
 */
export async function giveBack(ctx: Ctx, order: { id: number; listingId: number; count: number; status: number }): Promise<number> {
  if (isCalledOff(order.status)) throw new Error('The stock of this order was returned already.')
  const isIts = eq(listings.id, order.listingId)
  const [listing] = await ctx.db.select({ stock: listings.stock }).from(listings).where(isIts).for('no key update')
  // The seller may have raised the stock meanwhile; a listing holds at most 10,000.
  const returned = Math.min(order.count, 10_000 - (listing?.stock ?? 0))
  await ctx.db
    .update(listings)
    .set({ stock: sql`${listings.stock} + ${returned}::integer`, version: sql`${listings.version} + 1` })
    .where(isIts)
  await ctx.db
    .update(discountUses)
    .set({ returnedAt: ctx.now })
    .where(and(eq(discountUses.orderId, order.id), isNull(discountUses.returnedAt)))
  return returned
}
