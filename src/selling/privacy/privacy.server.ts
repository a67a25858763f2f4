import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import { columnsOf } from '#src/kit/db/columns.ts'
import { users } from '#src/accounts/tables.ts'
import type { Ctx } from '#src/kit/context.ts'
import { listingClips, listings } from '#src/listings/tables.ts'
import { openedTyped } from '#src/selling/unsent/drafts.server.ts'
import { findOwner, type Owner } from '#src/selling/owners/owners.server.ts'
import { openPayee, payeeText } from '#src/selling/earnings/payees.server.ts'
import {
  clipUploads,
  draftPhotos,
  listingDrafts,
  ownerCodes,
  ownerConsents,
  ownerRefusals,
  owners,
  payees,
  payoutLines,
  waitingPhotos,
} from '../tables.ts'

export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const rows = await ctx.db
    .select({ listingId: listingDrafts.listingId, typed: listingDrafts.typed, savedAt: listingDrafts.savedAt })
    .from(listingDrafts)
    .where(eq(listingDrafts.ownerId, userId))
    .orderBy(asc(listingDrafts.id))
  const drafts = rows.map((draft) => ({ ...draft, typed: openedTyped(ctx, draft.typed) }))
  return {
    listingDraft: drafts.find(({ listingId }) => listingId === null) ?? null,
    /** Unsaved edits of listings. */
    listingChanges: drafts.filter(({ listingId }) => listingId !== null),
    /** Pictures of offline listings that have not arrived completely. */
    waitingPhotos: await ctx.db
      .select({ position: waitingPhotos.position, createdAt: waitingPhotos.createdAt })
      .from(waitingPhotos)
      .where(eq(waitingPhotos.ownerId, userId))
      .orderBy(asc(waitingPhotos.id)),
    /** Clips of forms that were not sent yet. */
    waitingClips: await ctx.db
      .select({ kind: listingClips.kind, bytes: listingClips.bytes, millis: listingClips.millis, createdAt: listingClips.createdAt })
      .from(listingClips)
      .where(ownWaiting(userId))
      .orderBy(asc(listingClips.id)),
    unfinishedUploads: await ctx.db
      .select({ length: clipUploads.length, received: clipUploads.received, createdAt: clipUploads.createdAt })
      .from(clipUploads)
      .where(eq(clipUploads.ownerId, userId))
      .orderBy(asc(clipUploads.createdAt), asc(clipUploads.id)),
    /** Consents of owners for whom the person listed as an agent. */
    listedFor: await ctx.db.select(answered).from(ownerConsents).innerJoin(listings, ofListing).where(eq(ownerConsents.agentId, userId)),
    earningsSentTo: await exportPayee(ctx, userId),
    payouts: await ctx.db
      .select(columnsOf(payoutLines, 'id', 'amount', 'account', 'state', 'reference', 'decidedAt'))
      .from(payoutLines)
      .where(eq(payoutLines.sellerId, userId))
      .orderBy(asc(payoutLines.id)),
    ...(await exportOwner(ctx, userId)),
  }
}

async function exportPayee(ctx: Ctx, userId: number): Promise<object | null> {
  const [known] = await ctx.db.select().from(payees).where(eq(payees.userId, userId))
  if (!known) return null
  const payee = openPayee(ctx, known.sealed)
  return { account: payeeText(payee), holder: payee.holder, changedAt: known.changedAt }
}

const answered = {
  ...columnsOf(ownerConsents, 'listingId', 'state', 'reason', 'askedAt', 'answeredAt'),
  ownerName: listings.ownerName,
}
const ofListing = eq(listings.id, ownerConsents.listingId)

async function ownerWith(ctx: Ctx, userId: number): Promise<Owner | null> {
  const [person] = await ctx.db.select({ phone: users.phone }).from(users).where(eq(users.id, userId))
  return person ? findOwner(ctx, person.phone) : null
}

/** Listings for the person's number, and the agents they refused for good. */
async function exportOwner(ctx: Ctx, userId: number): Promise<object> {
  const owner = await ownerWith(ctx, userId)
  if (!owner) return {}
  return {
    listedForMe: await ctx.db
      .select(answered)
      .from(ownerConsents)
      .innerJoin(listings, ofListing)
      .where(eq(ownerConsents.ownerId, owner.id)),
    agentsRefused: await ctx.db
      .select({ agentId: ownerRefusals.agentId, createdAt: ownerRefusals.createdAt })
      .from(ownerRefusals)
      .where(eq(ownerRefusals.ownerId, owner.id)),
  }
}

/**
 * Withdraws the listings that agents made for the person's number and removes their name; deletes the person's own questions to owners, if
 * they are an agent.
 */
async function forgetOwner(ctx: Ctx, userId: number): Promise<void> {
  await ctx.db.delete(ownerConsents).where(eq(ownerConsents.agentId, userId))
  await ctx.db.delete(ownerRefusals).where(eq(ownerRefusals.agentId, userId))
  await ctx.db.update(ownerCodes).set({ agentId: null }).where(eq(ownerCodes.agentId, userId))
  const owner = await ownerWith(ctx, userId)
  if (!owner) return
  const listedFor = ctx.db.select({ id: ownerConsents.listingId }).from(ownerConsents).where(eq(ownerConsents.ownerId, owner.id))
  const named = and(inArray(listings.id, listedFor), isNotNull(listings.ownerName))
  await ctx.db.update(listings).set({ state: 'withdrawn', ownerName: null, ownerAgreed: null }).where(named)
  await ctx.db.delete(owners).where(eq(owners.id, owner.id))
}

const ownWaiting = (userId: number) => and(eq(listingClips.ownerId, userId), isNotNull(listingClips.form))

/** Call it in the erasure's transaction. Returns the pictures to remove after the commit. */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const photos = await ctx.db
    .select({ key: draftPhotos.mediaKey })
    .from(draftPhotos)
    .innerJoin(listingDrafts, eq(listingDrafts.id, draftPhotos.draftId))
    .where(eq(listingDrafts.ownerId, userId))
  // An admin's unsaved edit of one of their listings contains their words, too.
  const ownListings = ctx.db.select({ id: listings.id }).from(listings).where(eq(listings.sellerId, userId))
  await ctx.db.delete(listingDrafts).where(inArray(listingDrafts.listingId, ownListings))
  await ctx.db.delete(listingDrafts).where(eq(listingDrafts.ownerId, userId))
  const waiting = await ctx.db.delete(waitingPhotos).where(eq(waitingPhotos.ownerId, userId)).returning({ key: waitingPhotos.mediaKey })
  const clips = await ctx.db
    .delete(listingClips)
    .where(ownWaiting(userId))
    .returning({ key: listingClips.mediaKey, still: listingClips.stillKey })
  await forgetOwner(ctx, userId)
  await ctx.db.delete(payees).where(eq(payees.userId, userId))
  await ctx.db.delete(clipUploads).where(eq(clipUploads.ownerId, userId))
  return [...[...photos, ...waiting].map(({ key }) => key), ...clips.flatMap(({ key, still }) => (still ? [key, still] : [key]))]
}
