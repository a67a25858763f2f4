import { and, asc, eq, inArray, isNull, or } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { auditEvents, failureLadders, outbox } from '#src/kit/db/tables.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { findCodeUser, requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import type { AuthClient } from '#src/accounts/identity/identity.server.ts'
import { noteErasedPhone } from '#src/accounts/identity/erased-phones.server.ts'
import { sendOtp, type OtpSent } from '#src/accounts/identity/otp.server.ts'
import { sessionHash } from '#src/accounts/profile/phone-change.server.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { newReferralCode } from '../referral-codes.server.ts'
import { internalTypeOf, maskPan } from '../rules.ts'
import { endSessionsOf } from '../sessions.server.ts'
import { consents, knownDevices, otps, pendingRegistrations, pushDevices, recoveryCodes, sessions, users } from '../tables.ts'

/**
 * Data export of this domain. Finds messages by phone only: the e-mail of a profile is not verified, so mail to it may belong to another
 * person.
 */
export async function exportPerson(ctx: Ctx, userId: number): Promise<object> {
  const { db } = ctx
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw notFound()
  const { id, phone } = user
  return {
    account: exportAccount(ctx, user),
    logins: await db
      .select({ device: sessions.device, createdAt: sessions.createdAt, seenAt: sessions.seenAt, expiresAt: sessions.expiresAt })
      .from(sessions)
      .where(eq(sessions.userId, id)),
    devicesThatShowMessages: await db
      .select(columnsOf(pushDevices, 'device', 'endpoint', 'createdAt', 'shownAt'))
      .from(pushDevices)
      .where(eq(pushDevices.userId, id)),
    knownBrowsers: await db
      .select({ createdAt: knownDevices.createdAt, seenAt: knownDevices.seenAt })
      .from(knownDevices)
      .where(eq(knownDevices.userId, id)),
    consents: await db.select().from(consents).where(eq(consents.userId, id)).orderBy(asc(consents.id)),
    messages: await db
      .select(columnsOf(outbox, 'channel', 'template', 'createdAt', 'sentAt', 'shownAt'))
      .from(outbox)
      .where(or(eq(outbox.recipient, phone), and(eq(outbox.userId, id), eq(outbox.channel, 'push'))))
      .orderBy(asc(outbox.id)),
    history: await db
      .select({ at: auditEvents.at, event: auditEvents.event, details: auditEvents.details })
      .from(auditEvents)
      .where(or(eq(auditEvents.object, `user:${id}`), eq(auditEvents.actorId, id)))
      .orderBy(asc(auditEvents.id)),
  }
}

function exportAccount({ vault }: Ctx, user: typeof users.$inferSelect): object {
  const { id, phone, name, typeId, titleId, degree, vetRegistration, vetApproved, email, panSealed, referralCode, referredById } = user
  const { requestedTypeId, isVerified, verifiedNote, isActive, locale, createdAt } = user
  const asRegistered = { id, phone, name, typeId, titleId, degree, vetRegistration, vetApproved, email, referralCode, referredById }
  const asDecided = { requestedTypeId, isVerified, verifiedNote, isActive, locale, createdAt }
  return {
    ...asRegistered,
    ...asDecided,
    internalType: internalTypeOf(user),
    pan: panSealed && maskPan(vault.open('pan', panSealed)),
    hasPicture: user.pictureKey !== null,
  }
}

/** An impossible phone number: the row stays, and its old number is free. */
const numberOfNobody = (id: number) => `+999${String(id).padStart(12, '0')}`

/**
 * Call it in the erasure's transaction, after the domains that depend on this one. Ends all logins and empties the personal fields; the
 * nameless row stays for records that the law requires. Returns the keys of pictures to delete after the commit.
 */
export async function forgetPerson(ctx: Ctx, userId: number): Promise<string[]> {
  const { db } = ctx
  const [user] = await db.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user) throw notFound()
  const { id, phone, pictureKey } = user
  await noteErasedPhone(ctx, id, { wasReferred: user.referredById !== null })
  // Deleting the sessions also deletes their push devices.
  await endSessionsOf(ctx, id)
  await db.delete(otps).where(eq(otps.phone, phone))
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, id))
  await db.delete(pendingRegistrations).where(eq(pendingRegistrations.phone, phone))
  // Includes messages to a former number.
  await db.delete(outbox).where(or(eq(outbox.recipient, phone), eq(outbox.userId, id)))
  await db.delete(failureLadders).where(inArray(failureLadders.key, [`password:${id}`, `totp:${id}`]))
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
 * Checks the password, then sends the code that an erasure needs. A live code therefore proves that the password was given in this session.
 * For people without a password the code alone is the proof. PASSWORD_WRONG.
 */
export async function startErasure(ctx: Ctx, password: string | undefined, client: AuthClient): Promise<OtpSent> {
  const { phone } = (await findCodeUser(ctx)) ?? (await requireOwnPassword(ctx, password))
  return sendOtp(ctx, { phone, purpose: 'erase', browserHash: sessionHash(ctx) }, client)
}
