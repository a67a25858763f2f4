import { firstRow } from '#src/kit/db/rows.server.ts'
import { and, asc, desc, eq, getTableColumns, gte, ilike, inArray, lt, lte, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { plainDigits, searchText } from '#src/kit/text/plain-text.ts'
import { readPhone } from '#src/kit/text/readers.ts'
import { can, phoneFor, placeFor, requireLoggedIn, requireCan } from '#src/accounts/policy.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { users } from '#src/accounts/tables.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { anywhere } from '#src/kit/text/text.ts'
import { settlementsOf, standing } from '../invoices/queries.server.ts'
import type { Settlement } from '../invoices/rules.ts'
import { invoices } from '../invoices/tables.ts'
import { partOf } from './policy.ts'
import { DELIVERED, isTerminal, ON_THE_WAY, READY, REFUSED, type OrderPart, type OrderStatus } from './process.server.ts'
import { payableOf } from './rules.ts'
import { flagged, isStalled, viewCondition, type OrderView } from './order-conditions.ts'
import { bearers, orderPhotos, orders, orderSteps } from './tables.ts'

export const ORDERS_PER_PAGE = 24

type OrderRow = typeof orders.$inferSelect

export interface Party {
  id: number
  /** Empty for an erased person. */
  name: string
  phone: string
  isActive: boolean
}

export interface OrderFilters {
  /** Null: all buyers' orders; for admins. */
  buyerId: number | null
  status: OrderStatus | null
  /** An order number, or buyer or seller by name or full phone number. */
  text: string
  /**
   * The day that `from` and `to` filter by: the day of the order or of the delivery. Both are Indian calendar days,
   * inclusive.
   */
  on: 'placed' | 'delivery'
  from: string | null
  to: string | null
  /** Only orders that need attention: stalled, of a deactivated seller, or delivered without a recorded payment. */
  isFlagged: boolean
  /** A saved view of the desk; the other filters narrow it. */
  view: OrderView
  afterId: number | null
}

export const noFilters: Omit<OrderFilters, 'buyerId'> = {
  status: null,
  text: '',
  on: 'placed',
  from: null,
  to: null,
  isFlagged: false,
  view: 'all',
  afterId: null,
}

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')
const bearerAccounts = alias(users, 'bearer_accounts')

/** Returns the viewer's role in the order. NOT_FOUND for everyone without a role, so that they learn nothing about it. */
export async function ensurePart(ctx: Ctx, id: number): Promise<OrderPart> {
  const viewer = requireLoggedIn(ctx)
  const [order] = await ctx.db
    .select({ buyerId: orders.buyerId, sellerId: orders.sellerId, bearerId: orders.bearerId })
    .from(orders)
    .where(eq(orders.id, id))
  const part = order && partOf(viewer, order)
  if (!part) throw notFound()
  return part
}

/** For admins: whether an order has this id. */
export async function hasOrder(ctx: Ctx, id: number): Promise<boolean> {
  requireCan(ctx, 'operate')
  return (await ctx.db.$count(orders, eq(orders.id, id))) > 0
}

/** One order. NOT_FOUND to strangers and to its seller, who reads it in `listOrderedLines`, unless the seller is the bearer. */
export async function getOrder(ctx: Ctx, id: number): Promise<Order> {
  const viewer = requireLoggedIn(ctx)
  const [found] = await readOrders(ctx, eq(orders.id, id), 1)
  if (!found || (found.part === 'seller' && found.bearerId !== viewer.id)) throw notFound()
  if (found.part === 'admin') await audit(ctx, 'sensitive_read', `order:${id}`, { what: 'order' })
  return found
}

/** The newest first. Buyers read their own; admins read all, which is audited. NOT_FOUND for another person's. */
export async function listOrders(ctx: Ctx, filters: OrderFilters, top = ORDERS_PER_PAGE) {
  await ensureReader(ctx, filters.buyerId)
  const where = and(...orderConditions(ctx, filters))
  const rest = filters.afterId === null ? undefined : lt(orders.id, filters.afterId)
  const found = await readOrders(ctx, and(where, rest), top + 1)
  const shown = found.slice(0, top)
  const isAll = filters.afterId === null && found.length <= top
  return {
    orders: shown,
    count: isAll ? found.length : await countUpTo(ctx, where),
    nextAfterId: found.length > top ? shown.at(-1)!.id : null,
  }
}

async function ensureReader(ctx: Ctx, buyerId: number | null): Promise<void> {
  const viewer = requireLoggedIn(ctx)
  if (!can(viewer, 'see-own', { userId: buyerId })) throw notFound()
  if (buyerId === viewer.id) return
  if (buyerId !== null && (await ctx.db.$count(users, eq(users.id, buyerId))) === 0) throw notFound()
  await audit(ctx, 'sensitive_read', buyerId === null ? 'orders:all' : `user:${buyerId}`, { what: 'orders' })
}

const EXPORT_BATCH = 200

/** All orders that match the filters, in batches, for a file. Writes one audit entry. */
export async function* exportOrders(ctx: Ctx, filters: OrderFilters): AsyncGenerator<Order[]> {
  requireCan(ctx, 'operate')
  await audit(ctx, 'sensitive_read', 'orders:all', { what: 'export' })
  const where = and(...orderConditions(ctx, filters))
  for (let afterId: number | null = null; ;) {
    const batch: Order[] = await readOrders(ctx, and(where, afterId === null ? undefined : lt(orders.id, afterId)), EXPORT_BATCH)
    if (batch.length > 0) yield batch
    if (batch.length < EXPORT_BATCH) return
    afterId = batch.at(-1)!.id
  }
}

/** Open orders that the viewer has to deliver. */
export async function listToBring(ctx: Ctx): Promise<Order[]> {
  if (!ctx.viewer) return []
  return readOrders(ctx, and(eq(orders.bearerId, ctx.viewer.id), inArray(orders.status, [READY, ON_THE_WAY])), ORDERS_PER_PAGE)
}

export async function countUpTo(ctx: Ctx, where: SQL | undefined): Promise<number> {
  const counted = ctx.db
    .select({ one: sql`1`.as('one') })
    .from(orders)
    .where(where)
    .limit(COUNT_UP_TO)
    .as('some')
  return firstRow(await ctx.db.select({ count: sql<number>`count(*)::int` }).from(counted)).count
}

export function orderConditions(
  ctx: Ctx,
  { buyerId, status, text, on, from, to, isFlagged, view }: Omit<OrderFilters, 'afterId'>,
): (SQL | undefined)[] {
  const day = on === 'placed' ? sql`(orders.created_at at time zone 'Asia/Kolkata')::date` : sql`orders.deliver_on`
  return [
    viewCondition(view, ctx.now),
    buyerId === null ? undefined : eq(orders.buyerId, buyerId),
    status === null ? undefined : eq(orders.status, status),
    textCondition(text),
    from === null ? undefined : gte(day, sql`${from}::date`),
    to === null ? undefined : lte(day, sql`${to}::date`),
    isFlagged ? flagged(ctx.now) : undefined,
  ]
}

function textCondition(typed: string): SQL | undefined {
  const text = searchText(typed, 80)
  if (text === '') return undefined
  const number = /^(?:sn-?)?0*([1-9]\d{0,8})$/i.exec(plainDigits(text))?.[1]
  if (number !== undefined) return eq(orders.id, Number(number))
  // Match whole phone numbers only: a search by parts would reveal everybody's digits.
  const phone = readPhone(text)
  const isPerson = phone === null ? ilike(users.name, anywhere(text)) : eq(users.phone, phone)
  const people = sql`(select ${users.id} from ${users} where ${isPerson} and ${users.erasedAt} is null)`
  return or(sql`${orders.buyerId} in ${people}`, sql`${orders.sellerId} in ${people}`)
}

const partyColumns = ['id', 'name', 'phone', 'isActive'] as const
const { snapshot: _snapshot, ...paperColumns } = getTableColumns(invoices)

async function readOrders(ctx: Ctx, where: SQL | undefined, limit: number) {
  const rows = await ctx.db
    .select({
      order: orders,
      buyer: columnsOf(buyers, ...partyColumns),
      seller: columnsOf(sellers, ...partyColumns),
      bearer: columnsOf(bearerAccounts, ...partyColumns),
      listed: columnsOf(bearers, 'id', 'name', 'phone', 'pictureKey'),
    })
    .from(orders)
    .innerJoin(buyers, eq(buyers.id, orders.buyerId))
    .innerJoin(sellers, eq(sellers.id, orders.sellerId))
    .leftJoin(bearerAccounts, eq(bearerAccounts.id, orders.bearerId))
    .leftJoin(bearers, eq(bearers.id, orders.listedBearerId))
    .where(where)
    .orderBy(desc(orders.id))
    .limit(limit)
  if (rows.length === 0) return []
  const ids = rows.map(({ order }) => order.id)
  const steps = Map.groupBy(await listSteps(ctx, ids), ({ orderId }) => orderId)
  const having = (status: number) => rows.filter(({ order }) => order.status === status).map(({ order }) => order.id)
  const delivered = having(DELIVERED)
  const papers = delivered.length === 0 ? [] : await ctx.db.select(paperColumns).from(invoices).where(inArray(invoices.orderId, delivered))
  const settled = can(ctx.viewer, 'operate')
    ? await settlementsOf(
        ctx,
        papers.flatMap(({ id, settledAt }) => (settledAt ? [id] : [])),
      )
    : new Map<number, Settlement>()
  const photos = await photosOfRefusals(ctx, having(REFUSED))
  return rows.flatMap((row) => {
    const { order } = row
    const part = partOf(ctx.viewer, order)
    if (!part) return []
    const [receipt, commission] = (['receipt', 'commission'] as const).map((kind) =>
      papers.find((paper) => paper.orderId === order.id && paper.kind === kind),
    )
    return [
      {
        ...seenBy(ctx, part, row),
        status: order.status as OrderStatus,
        payable: payableOf(order),
        part,
        hasTag: order.tagSealed !== null,
        receipt: receipt ? { number: receipt.number, issuedAt: receipt.issuedAt } : null,
        /** Settlement of the seller's document, for admins: its time and the entry that counts. */
        commission:
          part === 'admin' && commission ? standing({ settledAt: commission.settledAt }, settled.get(commission.id) ?? null) : null,
        /** Key of the picture of an animal that was refused at the door. */
        photoKey: photos.get(order.id) ?? null,
        isStalled: isStalled(order, ctx.now),
        steps: stepsShown(part, steps.get(order.id) ?? []),
      },
    ]
  })
}

interface PartyRow {
  order: OrderRow
  buyer: Party
  seller: Party
  bearer: Party | null
  listed: Pick<typeof bearers.$inferSelect, 'id' | 'name' | 'phone' | 'pictureKey'> | null
}

/** An order as its buyer, its bearer or an admin may see it, without the sealed columns. */
export type Order = Awaited<ReturnType<typeof readOrders>>[number]

/** The order and its people as this role may see them; places, phone numbers and people are for the desk only. */
function seenBy(ctx: Ctx, part: OrderPart, { order, buyer, seller, bearer, listed }: PartyRow) {
  const isAdmin = part === 'admin'
  // Orders of today show numbers and streets whole, like the run sheet (decisions.md §7.12). The desk phones the bearer of an open order on
  // any day, and its form hands their number back.
  const isToday = order.deliverOn === indianDay(ctx.now)
  const seen = (phone: string, isWhole = isToday) => (isWhole ? phone : phoneFor(ctx.viewer, phone))
  const isOpen = !isTerminal(order.status)
  const { pickup, tagSealed: _tag, handoverSealed: _code, groupId: _group, referrerId: _by, commissionPercent: _percent, ...facts } = order
  return {
    ...facts,
    delivery: isAdmin && !isToday ? placeFor(ctx.viewer, facts.delivery) : facts.delivery,
    // B §6: every type 9 sees where an animal is fetched.
    pickup: isAdmin ? { ...pickup, phone: seen(pickup.phone) } : null,
    buyer: isAdmin ? { ...buyer, phone: seen(buyer.phone) } : null,
    seller: isAdmin ? { ...seller, phone: seen(seller.phone) } : null,
    bearer: isAdmin && bearer ? { ...bearer, phone: seen(bearer.phone, isToday || isOpen) } : null,
    /** The bearer from the list. The parties see name and photo until the handover; admins also see the number. */
    listedBearer: listed && (isAdmin || isOpen) ? { ...listed, phone: isAdmin ? seen(listed.phone, isToday || isOpen) : null } : null,
    /** Only the seller's name, which the animal's page shows in public. */
    sellerName: seller.name,
    bearerName: listed?.name || (bearer?.name ?? null),
  }
}

/** The first photo of each refused animal, by order id. */
async function photosOfRefusals(ctx: Ctx, orderIds: number[]): Promise<Map<number, string>> {
  if (orderIds.length === 0) return new Map()
  const photos = await ctx.db
    .select({ orderId: orderPhotos.orderId, key: orderPhotos.mediaKey })
    .from(orderPhotos)
    .where(inArray(orderPhotos.orderId, orderIds))
    // The Map keeps the last entry of an order, which is its first photo.
    .orderBy(desc(orderPhotos.position))
  return new Map(photos.map(({ orderId, key }) => [orderId, key]))
}

const listSteps = (ctx: Ctx, orderIds: number[]) =>
  ctx.db
    .select({
      id: orderSteps.id,
      orderId: orderSteps.orderId,
      from: orderSteps.fromStatus,
      to: orderSteps.toStatus,
      as: orderSteps.as,
      byId: orderSteps.byId,
      byName: users.name,
      note: orderSteps.note,
      at: orderSteps.at,
    })
    .from(orderSteps)
    .innerJoin(users, eq(users.id, orderSteps.byId))
    .where(inArray(orderSteps.orderId, orderIds))
    .orderBy(asc(orderSteps.id))

/** The steps with actor and time. Names and admins' notes are for admins only. */
const stepsShown = (part: OrderPart, steps: Awaited<ReturnType<typeof listSteps>>) =>
  steps.map(({ orderId: _orderId, ...step }) => (part === 'admin' ? step : { ...step, byName: '', note: '' }))
export type OrderStep = Order['steps'][number]
