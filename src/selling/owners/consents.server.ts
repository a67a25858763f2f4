import { firstRow } from '#src/kit/db/rows.server.ts'
import { and, count, eq, gt, inArray, lt, notExists, sql } from 'drizzle-orm'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import type { Money } from '#src/kit/time-money/money.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { heldBack, lifeStateOf, stateAfter } from '#src/listings/life/life.ts'
import { listingPhotos, listings } from '#src/listings/tables.ts'
import { lockOwnListing, verdictHolds, type ListingRow } from '../own-listings-lock.server.ts'
import { ownerCodes, ownerConsents, ownerRefusals, owners } from '../tables.ts'
import { askBySms, notifyAgent, type AgentTemplate, type Reason } from './owner-messages.server.ts'
import { BY_ONE_AGENT, findOwner, holdOwner, wantsNothingFrom, type Owner } from './owners.server.ts'
import { feeColumns, feeIn, handOf, isRaised, type Fee, type OwnerTerms } from './terms.ts'

/** After this long without an answer the listing is closed and the owner not asked again. */
export const ANSWER_DAYS = 14

/**
 * Call it in the transaction that makes a listing for an owner: asks them for consent. VALIDATION of `ownerPhone` for an owner who refused
 * this agent for good, and for the agent's own number; of `ownerFee` when nothing is left for the owner.
 */
export async function askOwner(
  ctx: Ctx,
  listing: Pick<ListingRow, 'id' | 'sellerId' | 'name' | 'price'>,
  terms: OwnerTerms,
): Promise<void> {
  const { sellerId: agentId, price } = listing
  const [agent] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, agentId))
  if (agent?.phone === terms.phone) throw invalidField('ownerPhone', 'field_owner_self')
  const owner = await holdOwner(ctx, terms.phone)
  if (await wantsNothingFrom(ctx, owner.id, agentId)) throw invalidField('ownerPhone', 'field_owner_refuses')
  await ensurePart(ctx, price, terms.fee, 'ownerFee')
  await ctx.db
    .insert(ownerConsents)
    .values({ listingId: listing.id, ownerId: owner.id, agentId, ...feeColumns(terms.fee), price, state: 'asked', askedAt: ctx.now })
  await audit(ctx, 'owner_asked', `listing:${listing.id}`, { agent: agentId })
  await askBySms(ctx, owner, listing)
}

/**
 * Call it in the transaction that changes a listing to this price or relists it. Returns the new `ownerAgreed` of the row and an `ask` to
 * call after the row is written. Null for a listing without an owner, and when their consent still holds. VALIDATION of the changed field
 * when nothing is left for the owner.
 */
export async function askAgainFor(
  ctx: Ctx,
  listing: ListingRow,
  changed: { prices?: Pick<ListingRow, 'originalPrice' | 'offerPrice'>; fee?: Fee; isSameAgain?: boolean },
): Promise<{ ownerAgreed: false; ask: () => Promise<void> } | null> {
  if (listing.ownerAgreed === null) return null
  const [consent] = await ctx.db.select().from(ownerConsents).where(eq(ownerConsents.listingId, listing.id)).for('no key update')
  if (!consent) throw new Problem('LISTING_STEP')
  const { prices, fee = feeIn(consent), isSameAgain = false } = changed
  const price = prices ? (prices.offerPrice ?? prices.originalPrice) : consent.price
  if (changed.fee) await ensurePart(ctx, price, fee, 'ownerFee')
  else if (price !== consent.price) await ensurePart(ctx, price, fee, prices?.offerPrice ? 'offerPrice' : 'originalPrice')
  const isAsMuch = price === consent.price && !isRaised(feeIn(consent), fee, price)
  if (consent.state === 'agreed' && isAsMuch) {
    await ctx.db.update(ownerConsents).set(feeColumns(fee)).where(eq(ownerConsents.listingId, listing.id))
    return null
  }
  const isOver = consent.state !== 'agreed' && consent.state !== 'asked'
  if (!isSameAgain && (isOver || (consent.state === 'asked' && isAsMuch))) return null
  const ask = async () => {
    const row = firstRow(await ctx.db.select().from(owners).where(eq(owners.id, consent.ownerId)).for('no key update'))
    if (await wantsNothingFrom(ctx, consent.ownerId, consent.agentId)) throw new Problem('LISTING_STEP', { reason: 'OWNER_REFUSES' })
    await ctx.db
      .update(ownerConsents)
      .set({ ...feeColumns(fee), price, state: 'asked', reason: null, askedAt: ctx.now, answeredAt: null, round: consent.round + 1 })
      .where(eq(ownerConsents.listingId, listing.id))
    await audit(ctx, 'owner_asked', `listing:${listing.id}`, { agent: consent.agentId })
    await askBySms(ctx, row, { ...listing, price })
  }
  return { ownerAgreed: false, ask }
}

/** VALIDATION of `field` when the fee and our commission leave the owner nothing of this price. */
async function ensurePart(ctx: Ctx, price: Money, fee: Fee, field: string): Promise<void> {
  const { profitMarginPercent } = await readSettings(ctx)
  if (handOf(price, fee, profitMarginPercent).inHand <= 0n) throw invalidField(field, 'field_owner_nothing')
}

/** The agent changes their fee, or asks again. A lower fee keeps the owner's consent. NOT_FOUND, LISTING_STEP, VALIDATION. */
export async function changeFee(ctx: Ctx, listingId: number, fee: Fee): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const listing = await lockOwnListing(ctx, listingId)
    const life = lifeStateOf(listing)
    if (listing.ownerAgreed === null || life === 'sold' || life === 'withdrawn' || life === 'failed') throw new Problem('LISTING_STEP')
    const newConsent = await askAgainFor(ctx, listing, { fee, isSameAgain: true })
    if (!newConsent) return
    await ctx.db
      .update(listings)
      .set({ ownerAgreed: false, state: heldBack(listing.state, newConsent), version: listing.version + 1 })
      .where(eq(listings.id, listingId))
    await newConsent.ask()
  })
}

export interface Answer {
  listingId: number
  /** The question that the owner saw; an answer to an older one is refused. */
  round: number
  answer: 'agree' | 'refuse' | 'pull'
  reason?: Reason | undefined
  /** The owner wants no further questions from this agent. */
  isForGood?: boolean
}

/**
 * Records the owner's answer; the code by which they were found authorises it. Consent sends the listing to verification, or back to the
 * market when the latest verdict still holds; refusing and pulling take it off. NOT_FOUND, VERSION, LISTING_STEP.
 */
export async function answerAsOwner(
  ctx: Ctx,
  owner: Owner,
  { listingId, round, answer, reason, isForGood = false }: Answer,
): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const [listing] = await ctx.db.select().from(listings).where(eq(listings.id, listingId)).for('no key update')
    const [consent] = await ctx.db
      .select()
      .from(ownerConsents)
      .where(and(eq(ownerConsents.listingId, listingId), eq(ownerConsents.ownerId, owner.id)))
      .for('no key update')
    if (!listing || !consent) throw notFound()
    if (consent.round !== round) throw new Problem('VERSION')
    if (answer === 'pull' ? consent.state !== 'agreed' : consent.state !== 'asked') throw new Problem('LISTING_STEP')
    if (isForGood)
      await ctx.db.insert(ownerRefusals).values({ ownerId: owner.id, agentId: consent.agentId, createdAt: ctx.now }).onConflictDoNothing()
    const state = answer === 'agree' ? 'agreed' : answer === 'pull' ? 'pulled' : 'refused'
    await ctx.db
      .update(ownerConsents)
      .set({ state, reason: answer === 'agree' ? null : (reason ?? null), answeredAt: ctx.now })
      .where(eq(ownerConsents.listingId, listingId))
    await ctx.db.update(owners).set({ locale: ctx.locale }).where(eq(owners.id, owner.id))
    if (answer === 'agree') {
      const agreed = await agreedColumns(ctx, listing)
      await ctx.db
        .update(listings)
        .set({ ownerAgreed: true, ...agreed })
        .where(eq(listings.id, listing.id))
    } else await takeOff(ctx, listing)
    await audit(ctx, answered[answer].event, `listing:${listingId}`, { agent: consent.agentId })
    await notifyAgent(ctx, consent.agentId, listing, answered[answer].template, reason)
  })
}

const answered = {
  agree: { event: 'owner_agreed', template: 'owner-agreed' },
  refuse: { event: 'owner_refused', template: 'owner-refused' },
  pull: { event: 'owner_pulled', template: 'owner-pulled' },
} as const satisfies Record<Answer['answer'], { event: string; template: AgentTemplate }>

/** Sends the listing to verification, or to the market when the latest verdict still holds. A withdrawn or failed listing stays so. */
export async function agreedColumns(ctx: Ctx, listing: ListingRow) {
  const pictures = await ctx.db.$count(listingPhotos, eq(listingPhotos.listingId, listing.id))
  const isWaiting = listing.state === 'draft' && pictures > 0
  const state = isWaiting ? stateAfter('agree', listing.state, await verdictHolds(ctx, listing)) : listing.state
  return { state, touchedAt: ctx.now, version: listing.version + 1, ...(state === 'pending' && { submittedAt: ctx.now }) }
}

async function takeOff(ctx: Ctx, listing: ListingRow): Promise<void> {
  if (lifeStateOf(listing) === 'sold') throw new Problem('LISTING_STEP')
  await ctx.db
    .update(listings)
    .set({ ownerAgreed: false, state: 'withdrawn', version: listing.version + 1 })
    .where(eq(listings.id, listing.id))
}

/** Batch size per transaction, small enough that locks are short. */
const AT_ONCE = 50

/**
 * Closes listings whose owners have not answered for two weeks, and notifies the agents. Several processes may run at once. Returns how
 * many it closed.
 */
export async function closeUnanswered(ctx: Ctx): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const due = and(eq(ownerConsents.state, 'asked'), lt(ownerConsents.askedAt, sql`now() - make_interval(days => ${ANSWER_DAYS})`))
    const rows = await ctx.db
      .select({ listing: listings })
      .from(listings)
      .innerJoin(ownerConsents, eq(ownerConsents.listingId, listings.id))
      .where(due)
      .orderBy(listings.id)
      .limit(AT_ONCE)
      .for('no key update', { of: listings, skipLocked: true })
    for (const { listing } of rows) {
      const [closed] = await ctx.db
        .update(ownerConsents)
        .set({ state: 'silent', answeredAt: ctx.now })
        .where(and(eq(ownerConsents.listingId, listing.id), due))
        .returning({ agentId: ownerConsents.agentId })
      if (!closed) continue
      if (lifeStateOf(listing) !== 'sold') await takeOff(ctx, listing)
      await notifyAgent(ctx, closed.agentId, listing, 'owner-silent')
    }
    return rows.length
  })
}

/**
 * Asks the owners whom no SMS has reached, because a limit was full when their animal was listed (owners.server.ts);
 * their two weeks begin now. Several processes may run at once. Returns how many it asked.
 */
export async function askUnasked(ctx: Ctx): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    // The page of an SMS shows everything, so one of the same day is enough.
    const reached = ctx.db
      .select({ one: sql`1` })
      .from(ownerCodes)
      .where(and(eq(ownerCodes.ownerId, owners.id), gt(ownerCodes.createdAt, sql`${ownerConsents.askedAt} - interval '1 day'`)))
    // An agent who has used up their SMS does not hold up the owners of others.
    const ofAgent = ctx.db
      .select({ n: count() })
      .from(ownerCodes)
      .where(and(eq(ownerCodes.agentId, ownerConsents.agentId), gt(ownerCodes.createdAt, sql`now() - interval '1 day'`)))
    const rows = await ctx.db
      .select({ owner: owners, listing: listings })
      .from(ownerConsents)
      .innerJoin(owners, eq(owners.id, ownerConsents.ownerId))
      .innerJoin(listings, eq(listings.id, ownerConsents.listingId))
      .where(and(eq(ownerConsents.state, 'asked'), notExists(reached), sql`(${ofAgent}) < ${BY_ONE_AGENT}::int`))
      .orderBy(ownerConsents.askedAt, listings.id)
      .limit(AT_ONCE)
      .for('no key update', { of: owners, skipLocked: true })
    const asked = new Set<number>()
    for (const { owner, listing } of rows) {
      if (asked.has(owner.id) || !(await askBySms(ctx, owner, listing))) continue
      asked.add(owner.id)
      const waiting = and(eq(ownerConsents.ownerId, owner.id), eq(ownerConsents.state, 'asked'))
      await ctx.db.update(ownerConsents).set({ askedAt: ctx.now }).where(waiting)
    }
    return asked.size
  })
}

/** Listings that the owner can still answer or pull. */
export const isOpen = inArray(ownerConsents.state, ['asked', 'agreed'])

/** Sends a new SMS to the owner with this number. The answer never reveals whether anything was listed for it. */
export async function sendCode(ctx: Ctx, phone: string): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const known = await findOwner(ctx, phone)
    if (!known || (await ctx.db.$count(ownerConsents, and(eq(ownerConsents.ownerId, known.id), isOpen))) === 0) return
    const owner = await holdOwner(ctx, phone)
    await askBySms(ctx, { ...owner, locale: ctx.locale }, null)
  })
}
