import { and, eq, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { MediaStore } from '#src/kit/media/media-store.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { dropPictures, takePicture } from '#src/kit/uploads/take-picture.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { m } from '#src/paraglide/messages.js'
import { can } from '../policy.ts'
import { ADMIN_TYPE, type InternalType, internalTypeOf, maskPan, REQUESTED_TYPES, SELLER_TYPES, VET_TYPE } from '../rules.ts'
import { findReceiver, smsTo } from '#src/accounts/notifications/receivers.server.ts'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { rotateSession } from '../sessions.server.ts'
import { users } from '../tables.ts'
import type { ProfileChanges } from './profile-schemas.ts'

/** A profile as its owner and admins see it. */
export interface Profile {
  id: number
  name: string
  titleId: number | null
  phone: string
  email: string | null
  typeId: number
  /** Requested and not decided yet. */
  requestedTypeId: number | null
  internalType: InternalType
  isActive: boolean
  isVerified: boolean
  /** The reason in an admin's words. */
  verifiedNote: string | null
  vetApproved: boolean
  vetRegistration: string | null
  degree: string | null
  /** XXXXX1234X; null without a PAN. */
  maskedPan: string | null
  pictureKey: string | null
  referralCode: string
  locale: Locale
  createdAt: Date
}

type UserRow = typeof users.$inferSelect

/** The viewer's own profile, or any profile for an admin, which is audited. NOT_FOUND for other people's, erased and unknown ones. */
export async function getProfile(ctx: Ctx, id: number): Promise<Profile> {
  const isOwn = ctx.viewer?.id === id
  if (!can(ctx.viewer, 'see-own', { userId: id })) throw notFound()
  const [row] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)))
  if (!row) throw notFound()
  if (!isOwn) await audit(ctx, 'sensitive_read', `user:${id}`, { what: 'profile' })
  return toProfile(ctx, row)
}

function toProfile(ctx: Ctx, user: UserRow): Profile {
  const { id, name, titleId, phone, email, typeId, requestedTypeId, isActive, isVerified, vetApproved, vetRegistration } = user
  return {
    id,
    name,
    titleId,
    phone,
    email,
    typeId,
    requestedTypeId,
    isActive,
    isVerified,
    verifiedNote: user.verifiedNote,
    vetApproved,
    vetRegistration,
    internalType: internalTypeOf(user),
    degree: user.degree,
    maskedPan: user.panSealed && maskPan(ctx.vault.open('pan', user.panSealed)),
    pictureKey: user.pictureKey,
    referralCode: user.referralCode,
    locale: user.locale,
    createdAt: user.createdAt,
  }
}

/**
 * Saves a profile; fields missing in `changes` keep their value. Types 1 to 3 take effect at once (2 and 3 need a pickup address), 4 and 5
 * become a request; naming the present type withdraws a request. A change of name or PAN ends the Verified Seller badge, and so does a type
 * that does not sell; a vet with a new name needs a new approval. Only changed values are written, because a changed name invalidates all
 * cached pages. An admin may do the same for others, except type and PAN (users.server.ts), with their own password, and the person gets a
 * message; for another admin only a super admin may. NOT_FOUND, VALIDATION, ROLE_FORBIDDEN, PASSWORD_WRONG. Returns this session's new token
 * when the viewer's rights have changed, else null.
 */
export async function saveProfile(ctx: Ctx, id: number, changes: ProfileChanges, password?: string): Promise<string | null> {
  const isOwn = ctx.viewer?.id === id
  if (!can(ctx.viewer, 'see-own', { userId: id })) throw notFound()
  // Outside the transaction, so that a refused act gives no try back.
  if (!isOwn) await ensureMayChange(ctx, id, changes, password)
  return inTransaction(ctx, async (ctx) => {
    const user = await lockUser(ctx, id)
    if (!isOwn && user.typeId === ADMIN_TYPE && !can(ctx.viewer, 'appoint-admins')) throw new Problem('ROLE_FORBIDDEN')
    const { typeId, requestedTypeId } = isOwn ? await typeAfter(ctx, user, changes.typeId) : user
    const pan = isOwn && [typeId, requestedTypeId].some((type) => SELLER_TYPES.includes(type ?? 0)) ? (changes.pan ?? '') : ''
    const isPanNew = pan !== '' && (!user.panSealed || ctx.vault.open('pan', user.panSealed) !== pan)
    const name = changes.name ?? user.name
    const isTypeNew = typeId !== user.typeId
    const isRequestNew = requestedTypeId !== user.requestedTypeId
    const wanted = {
      name,
      typeId,
      requestedTypeId,
      titleId: changes.titleId === undefined ? user.titleId : changes.titleId,
      email: changes.email === undefined ? user.email : changes.email,
      locale: changes.locale ?? user.locale,
      degree: changes.degree === undefined ? user.degree : changes.degree,
      // A person who becomes a vet again, or changes their name, must be compared with the register again.
      vetApproved: user.vetApproved && typeId === VET_TYPE && name === user.name,
      isVerified: user.isVerified && SELLER_TYPES.includes(typeId) && name === user.name && !isPanNew,
      requestedTypeAt: isRequestNew ? (requestedTypeId === null ? null : ctx.now) : user.requestedTypeAt,
      ...(isPanNew && { panSealed: ctx.vault.seal('pan', pan) }),
    }
    const changed = Object.entries(wanted).filter(([key, value]) => value !== user[key as 'name'])
    if (changed.length === 0) return null
    await ctx.db.update(users).set(Object.fromEntries(changed)).where(eq(users.id, id))
    await audit(ctx, 'user_updated', `user:${id}`, { changed: changed.map(([key]) => key).join(' ') })
    if (!isOwn) await notifyOfChange(ctx, user)
    if (isTypeNew) await audit(ctx, 'privilege_permissions_changed', `user:${id}`, { from: user.typeId, to: typeId })
    if (isRequestNew) await audit(ctx, 'user_type_requested', `user:${id}`, { typeId: requestedTypeId })
    if (user.vetApproved && !wanted.vetApproved) await audit(ctx, 'vet_approval_changed', `user:${id}`, { isApproved: false })
    if (user.isVerified && !wanted.isVerified) await audit(ctx, 'seller_badge_ended', `user:${id}`)
    return isOwn && isTypeNew ? rotateSession(ctx) : null
  })
}

/** An admin needs their own password if anything changes. The old client always sends every field. */
async function ensureMayChange(
  ctx: Ctx,
  id: number,
  { typeId: _type, pan: _pan, ...changes }: ProfileChanges,
  password: string | undefined,
): Promise<void> {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, id))
  if (user?.typeId === ADMIN_TYPE && !can(ctx.viewer, 'appoint-admins')) throw new Problem('ROLE_FORBIDDEN')
  const isNew = Object.entries(changes).some(([key, value]) => value !== user?.[key as 'name'])
  if (isNew) await requireOwnPassword(ctx, password)
}

/** Names nothing of the old or new text: a stranger may read the message. */
async function notifyOfChange(ctx: Ctx, user: UserRow): Promise<void> {
  const receiver = (await findReceiver(ctx, user.id)) ?? user
  const text = m.sms_profile_changed({}, { locale: receiver.locale })
  await queueMessage(ctx, smsTo(receiver, 'profile-changed', {}, text))
}

/** The person's type and request after they asked for type `wanted`. */
async function typeAfter(ctx: Ctx, user: UserRow, wanted: number | undefined) {
  const { typeId, requestedTypeId } = user
  // Only a super admin can change the type of an admin.
  if (wanted === undefined || typeId === ADMIN_TYPE) return { typeId, requestedTypeId }
  if (wanted === typeId) return { typeId, requestedTypeId: null }
  // A desk needs more than a code by SMS (decisions.md §7.6).
  if (wanted === VET_TYPE && user.passwordHash === null) throw invalidField('typeId', 'field_type_needs_password')
  if (REQUESTED_TYPES.includes(wanted)) return { typeId, requestedTypeId: wanted }
  if (SELLER_TYPES.includes(wanted) && !(await hasAddress(ctx, user.id))) throw invalidField('typeId', 'field_type_needs_address')
  return { typeId: wanted, requestedTypeId: null }
}

/** Reads the table of a later domain. */
async function hasAddress(ctx: Ctx, userId: number): Promise<boolean> {
  const rows = await rowsOf(ctx, sql`select 1 from addresses where user_id = ${userId} and removed_at is null limit 1`, z.unknown())
  return rows.length > 0
}

async function lockUser(ctx: Ctx, id: number): Promise<UserRow> {
  const [user] = await ctx.db
    .select()
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)))
    .for('no key update')
  if (!user) throw notFound()
  return user
}

/**
 * Saves the viewer's new picture, through the pipeline of listing photos. Deletes the old file after the commit. VALIDATION or TOO_LARGE
 * for an invalid picture.
 */
export async function savePicture(ctx: Ctx, media: MediaStore, bytes: Buffer): Promise<string> {
  const id = ctx.viewer?.id
  if (id === undefined) throw notFound()
  const { mediaKey: key } = await takePicture(ctx, media, bytes, 'image')
  await replacePicture(ctx, media, id, key)
  return key
}

export async function removePicture(ctx: Ctx, media: MediaStore): Promise<void> {
  await replacePicture(ctx, media, ctx.viewer?.id ?? 0, null)
}

async function replacePicture(ctx: Ctx, media: MediaStore, id: number, key: string | null): Promise<void> {
  let oldKey: string | null
  try {
    oldKey = await inTransaction(ctx, async (ctx) => {
      const { pictureKey } = await lockUser(ctx, id)
      await ctx.db.update(users).set({ pictureKey: key }).where(eq(users.id, id))
      await audit(ctx, key ? 'upload_stored' : 'upload_deleted', `user:${id}`, { what: 'picture' })
      return pictureKey
    })
  } catch (error) {
    if (key) await media.remove(key)
    throw error
  }
  if (oldKey) await dropPictures(ctx, media, [oldKey])
}
