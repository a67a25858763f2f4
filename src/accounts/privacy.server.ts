import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { auditEvents, failureLadders, outbox } from '#src/kit/tables.ts'
import { notFound } from '#src/kit/problem.ts'
import { requireOwnPassword } from './login.server.ts'
import type { Door } from './identity.server.ts'
import { sendOtp, type OtpSent } from './otp.server.ts'
import { forgetTriesOf, sessionHash } from './phone-change.server.ts'
import { newReferralCode } from './referral-codes.server.ts'
import { internalTypeOf, maskPan } from './rules.ts'
import { addresses, consents, contactReveals, otps, pendingRegistrations, sellerReviews, sessions, users } from './tables.ts'

/**
 * What this domain knows of a person, for himself. Messages by his phone only: nobody has proved that the e-mail of a profile is his,
 * and what went there may be another's.
 */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const { db, vault } = ctx
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw notFound()
  const { id, phone, name, typeId, titleId, degree, vetRegistration, vetApproved, email, panSealed, referralCode, referredById } = user
  const { requestedTypeId, isVerified, verifiedNote, isActive, locale, createdAt } = user
  return {
    account: {
      id,
      phone,
      name,
      typeId,
      titleId,
      degree,
      vetRegistration,
      vetApproved,
      email,
      referralCode,
      referredById,
      requestedTypeId,
      isVerified,
      verifiedNote,
      isActive,
      locale,
      createdAt,
      internalType: internalTypeOf(user),
      pan: panSealed && maskPan(vault.open('pan', panSealed)),
      hasPicture: user.pictureKey !== null,
    },
    addresses: await db.select().from(addresses).where(eq(addresses.userId, id)).orderBy(asc(addresses.id)),
    logins: await db
      .select({ device: sessions.device, createdAt: sessions.createdAt, seenAt: sessions.seenAt, expiresAt: sessions.expiresAt })
      .from(sessions)
      .where(eq(sessions.userId, id)),
    consents: await db.select().from(consents).where(eq(consents.userId, id)).orderBy(asc(consents.id)),
    reviewsWritten: await db.select().from(sellerReviews).where(eq(sellerReviews.reviewerId, id)).orderBy(asc(sellerReviews.id)),
    reviewsReceived: await db
      .select({
        stars: sellerReviews.stars,
        comment: sellerReviews.comment,
        createdAt: sellerReviews.createdAt,
        answer: sellerReviews.answer,
      })
      .from(sellerReviews)
      .where(eq(sellerReviews.sellerId, id))
      .orderBy(asc(sellerReviews.id)),
    sellersWhoseNumberWasShown: await db
      .select({ day: contactReveals.day, sellerId: contactReveals.sellerId })
      .from(contactReveals)
      .where(eq(contactReveals.viewerId, id)),
    messages: await db
      .select({ channel: outbox.channel, template: outbox.template, createdAt: outbox.createdAt, sentAt: outbox.sentAt })
      .from(outbox)
      .where(eq(outbox.recipient, phone))
      .orderBy(asc(outbox.id)),
    history: await db
      .select({ at: auditEvents.at, event: auditEvents.event, details: auditEvents.details })
      .from(auditEvents)
      .where(or(eq(auditEvents.object, `user:${id}`), eq(auditEvents.actorId, id)))
      .orderBy(asc(auditEvents.id)),
  }
}

/** A number that no telephone has: the row keeps its place in the table, and its old number is free. */
const numberOfNobody = (id: number) => `+999${String(id).padStart(12, '0')}`

/**
 * In the transaction of the erasure, after the domains that lean on this one: nobody can log in as this person any more, and what
 * is personal is emptied. The row stays, nameless, for what the law keeps. Answers the pictures to remove after the commit.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  const [user] = await db.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) throw notFound()
  const { id, phone, pictureKey } = user
  await db.delete(sessions).where(eq(sessions.userId, id))
  await db.delete(otps).where(eq(otps.phone, phone))
  await db.delete(pendingRegistrations).where(eq(pendingRegistrations.phone, phone))
  // Also what he was told at a number he had before.
  await db.delete(outbox).where(or(eq(outbox.recipient, phone), eq(outbox.userId, id)))
  await forgetTriesOf(ctx, phone)
  await db.delete(failureLadders).where(inArray(failureLadders.key, [`password:${id}`, `totp:${id}`]))
  await db.delete(contactReveals).where(or(eq(contactReveals.viewerId, id), eq(contactReveals.sellerId, id)))
  // What others said of him goes with him; what he said of others stays, by nobody.
  await db.delete(sellerReviews).where(eq(sellerReviews.sellerId, id))
  await db
    .update(addresses)
    .set({ name: '', phone: '', address1: '', address2: '', removedAt: sql`coalesce(${addresses.removedAt}, now())` as never })
    .where(eq(addresses.userId, id))
  await db
    .update(consents)
    .set({ withdrawnAt: ctx.now })
    .where(and(eq(consents.userId, id), isNull(consents.withdrawnAt)))
  await db
    .update(users)
    .set({
      phone: numberOfNobody(id),
      name: '',
      titleId: null,
      passwordHash: '-',
      degree: null,
      vetRegistration: null,
      vetApproved: false,
      email: null,
      panSealed: null,
      pictureKey: null,
      requestedTypeId: null,
      requestedTypeAt: null,
      isStaff: false,
      isAdmin: false,
      superAdmin: false,
      isVerified: false,
      verifiedNote: null,
      isActive: false,
      totpSealed: null,
      totpStep: null,
      referralCode: newReferralCode(),
      locale: 'ta',
      erasedAt: ctx.now,
    })
    .where(eq(users.id, id))
  return pictureKey ? [pictureKey] : []
}

/**
 * Sends the code without which nobody is erased, after the password. A live one is therefore also the proof that the password
 * was given in this session. PASSWORD_WRONG.
 */
export async function startErasure(ctx: Ctx, password: string, door: Door): Promise<OtpSent> {
  const { phone } = await requireOwnPassword(ctx, password)
  return sendOtp(ctx, { phone, purpose: 'erase', browserHash: sessionHash(ctx) }, door)
}
