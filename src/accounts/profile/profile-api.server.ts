import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, refusals, sendPersonal, type Api, type ApiContext, jsonBody, multipart } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { MAX_PICTURE_BYTES } from '#src/kit/media/pictures.server.ts'
import { Problem, invalidField, renamingFields } from '#src/kit/base/problem.ts'
import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { otpSent, sent } from '#src/accounts/identity/otp-wire.server.ts'
import { userTitles, userTypes } from '../reference-data.ts'
import { can, phoneFor } from '../policy.ts'
import { ADMIN_TYPE, type InternalType } from '../rules.ts'
import { anyPassword, otpCode, typeDigit } from '../schemas.ts'
import { authClientOf, sessionCookies } from '#src/accounts/identity/session-cookies.server.ts'
import { decideTypeRequest, setActive, setPowers } from '#src/accounts/people/users.server.ts'
import { finishPhoneChange, startPhoneChange } from './phone-change.server.ts'
import { profileFields } from './profile-schemas.ts'
import { getProfile, savePicture, saveProfile, type Profile } from './profile.server.ts'
import { dropped } from '#src/kit/http/dropped-fields.ts'

const flag = z
  .boolean('field_wrong')
  .nullish()
  .openapi({ description: "Used only for another person, from a super admin with the super admin's password." })

const profileBody = z.strictObject({
  username: profileFields.name.optional().openapi({ description: "The person's name." }),
  phone: profileFields.phone.optional().openapi({
    description: 'A new number is changed in two requests: `password` sends a code to it (`otp_sent`); `password` with `otp` stores it.',
  }),
  email: profileFields.email.nullish().openapi({ type: 'string', description: 'Empty or null removes it.' }),
  title: profileFields.titleId.optional().openapi({ type: 'integer', description: 'An id of user-title. 0 or empty removes it.' }),
  usertype: typeDigit('field_profile_type_blank')
    .refine((id) => userTypes.some((type) => type.id === id && id > 0), 'field_profile_type_blank')
    .optional()
    .openapi({ type: 'integer', description: '1, 2 and 3 take effect at once. 4 and 5 become a request. Only a super admin sets 9.' }),
  sellerpannumber: profileFields.pan.optional().openapi({ description: 'For sellers. Empty keeps the stored one.' }),
  userdegree: profileFields.degree.optional().openapi({ type: 'string' }),
  language: profileFields.locale.optional(),
  password: anyPassword.optional().openapi({ description: "The caller's own. Required for a new phone and for an admin's changes." }),
  otp: otpCode.optional(),
  is_active: z
    .boolean('field_profile_active_blank')
    .nullish()
    .openapi({ description: "Used only for another person, from an admin with the admin's password." }),
  is_staff: flag,
  is_admin: flag,
  is_superuser: flag,
  ...dropped('is_verified', 'id', 'user', 'usertypename', 'usertitlename', 'name', 'user_image', 'referralcode', 'createdon', 'created_by'),
})
type ProfileBody = z.infer<typeof profileBody>

const forAdmins = z.boolean().optional().openapi({ description: 'Returned to admins only.' })
const profile = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    username: z.string().openapi({ description: 'The same value as `name`.' }),
    title: z.int().nullable(),
    usertitlename: z.string(),
    phone: z.string(),
    email: z.string().nullable(),
    usertype: z.int(),
    usertypename: z.string(),
    pending_usertype: z.int().nullable().openapi({ description: 'The requested user type, until an admin decides; else null.' }),
    is_verified: z.boolean().openapi({ description: 'True if the person has the Verified Seller badge.' }),
    language: z.enum(['ta', 'en']),
    user_image: z.array(z.strictObject({ image: z.string() })),
    referralcode: z.string(),
    is_active: forAdmins,
    is_staff: forAdmins,
    is_admin: forAdmins,
    is_superuser: forAdmins,
    otp_sent: otpSent.optional(),
  })
  .openapi('UserProfile')

const params = z.object({
  userId: idInPath(),
})

/** Rows 10 to 12 of api.md, and the data export and erasure that the law requires. */
export function addProfileCalls(api: Api): void {
  addProfileRead(api)
  addProfileChange(api)
  addProfilePicture(api)
}

function addProfileRead(api: Api): void {
  call(api, 'GET /userprofile/id={userId}', {
    tags: ['Accounts'],
    summary: 'Retrieve a profile',
    description: 'People read their own profile. Admins read any profile, and each read is audited. PAN numbers are never returned.',
    request: { params },
    responses: { 200: answer('The profile.', profile), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => sendPersonal(c, onWire(c, await getProfile(c.var.ctx, c.req.valid('param').userId))),
  })
}

function addProfileChange(api: Api): void {
  call(api, 'POST /userprofile/id={userId}', {
    tags: ['Accounts'],
    summary: 'Update a profile',
    description: [
      'Omitted fields keep their stored value. To change another person, an admin sends their own password; the person',
      'is notified, their PAN is ignored, and `usertype` must be the stored or the requested one, except from a super admin. A new name,',
      'phone or PAN ends the Verified Seller badge. A new type or phone of the caller renews the session cookie and the CSRF token.',
    ].join(' '),
    request: { params, body: jsonBody(profileBody) },
    responses: {
      200: answer('The profile as stored.', profile),
      ...refusals(
        'VALIDATION',
        ...(['NOT_FOUND', 'PASSWORD_WRONG', 'PROOF_NEEDED', 'OTP_WRONG', 'OTP_EXPIRED', 'PHONE_TAKEN', 'SMS_UNAVAILABLE'] as const),
        ...(['ROLE_FORBIDDEN', 'OWN_ROW', 'LAST_SUPER_ADMIN'] as const),
      ),
    },
    run: async (c) => {
      const { userId } = c.req.valid('param')
      const body = c.req.valid('json')
      const { ctx, market } = c.var
      const before = await getProfile(ctx, userId)
      const isOwn = ctx.viewer?.id === userId
      ensureTypeCounts(ctx, before, body)
      const phone = body.phone === undefined || body.phone === before.phone ? null : body.phone
      if (phone && !isOwn) throw invalidField('phone', 'field_phone_own')
      if (phone) await requireOwnPassword(ctx, body.password)
      const changes = {
        ...(body.username !== undefined && { name: body.username }),
        ...(body.email !== undefined && { email: body.email }),
        ...(body.title !== undefined && { titleId: body.title }),
        ...(body.usertype !== undefined && body.usertype !== ADMIN_TYPE && isOwn && { typeId: body.usertype }),
        ...(body.sellerpannumber !== undefined && { pan: body.sellerpannumber }),
        ...(body.userdegree !== undefined && { degree: body.userdegree }),
        ...(body.language !== undefined && { locale: body.language }),
      }
      const saved = (ctx: Ctx) => saveProfile(ctx, userId, changes, body.password).catch(withWireNames)
      // Run all checks first, so that a refused call changes nothing.
      const isApproved = !isOwn && (await decideAsAdmin(c, before, body))
      const isTaken = phone !== null && body.otp !== undefined
      if (phone && !isTaken) await startPhoneChange(ctx, { phone, password: body.password }, authClientOf(market, c.var))
      const token = isTaken ? await finishPhoneChange(ctx, { phone, code: body.otp! }, saved) : await saved(ctx)
      if (isApproved) await decideTypeRequest(ctx, userId, true)
      if (token) begin(c, token)
      const isSent = phone !== null && !isTaken
      return sendPersonal(c, { ...onWire(c, await getProfile(ctx, userId)), ...(isSent && { otp_sent: sent }) })
    },
  })
}

function addProfilePicture(api: Api): void {
  call(api, 'POST /userprofileimage', {
    tags: ['Accounts'],
    summary: "Replace the caller's picture",
    description: 'One JPEG or PNG of at most 8 MB. It is encoded again, which removes all metadata. The previous picture is deleted.',
    // Described for the API document only; the handler reads the bytes.
    ...multipart({
      required: ['image'],
      properties: {
        user: { type: 'integer', description: "The caller's own id. Optional." },
        image: { type: 'string', format: 'binary' },
      },
    }),
    responses: {
      200: answer('The path of the stored picture.', z.strictObject({ image: z.string() })),
      ...refusals('VALIDATION', 'IDENTITY_MISMATCH'),
    },
    run: async (c) => {
      const { ctx, market } = c.var
      const form = await c.req.raw.formData().catch(() => {
        throw new Problem('MALFORMED')
      })
      const images = form.getAll('image')
      const [image] = images
      if (images.length !== 1 || !(image instanceof File)) throw invalidField('image', 'field_picture_missing')
      const users = form.getAll('user')
      if (users.length > 1 || (users[0] !== undefined && users[0] !== '' && users[0] !== String(ctx.viewer?.id)))
        throw new Problem('IDENTITY_MISMATCH')
      if (image.size > MAX_PICTURE_BYTES) throw new Problem('TOO_LARGE')
      const key = await savePicture(ctx, market.media, Buffer.from(await image.arrayBuffer()))
      return sendPersonal(c, { image: mediaUrl(key, 1280, 'jpeg') })
    },
  })
}

function requirePassword({ password }: ProfileBody): string {
  if (password === undefined) throw invalidField('password', 'field_password_blank')
  return password
}

/**
 * Applies what an admin changes on another person besides name and e-mail. The old client always sends all flags, so unchanged ones are
 * ignored. Powers from anybody but a super admin are dropped. Returns whether the call approves the requested type, which needs no password.
 */
async function decideAsAdmin(c: ApiContext, before: Profile, body: ProfileBody): Promise<boolean> {
  const { ctx } = c.var
  const { id } = before
  const wanted: InternalType = flagIn(body.is_superuser, before.internalType === 3)
    ? 3
    : flagIn(body.is_admin, before.internalType === 2)
      ? 2
      : flagIn(body.is_staff, before.internalType === 1)
        ? 1
        : 0
  const typeId = body.usertype ?? before.typeId
  const isTypeNew = typeId !== before.typeId
  const isByPowers =
    can(ctx.viewer, 'appoint-admins') && (wanted !== before.internalType || (isTypeNew && typeId !== before.requestedTypeId))
  // Check the password before any change, so that a missing one blocks all changes.
  const isActive = flagIn(body.is_active, before.isActive)
  if (isByPowers || isActive !== before.isActive) requirePassword(body)
  if (isByPowers) await setPowers(ctx, id, { typeId, internalType: wanted, password: requirePassword(body) }).catch(withWireNames)
  if (isActive !== before.isActive) await setActive(ctx, id, { isActive, password: requirePassword(body) })
  return isTypeNew && !isByPowers && typeId === before.requestedTypeId
}

/** VALIDATION for a type that the call could only ignore. The old client always sends the type, so the stored one is always accepted. */
function ensureTypeCounts(ctx: Ctx, before: Profile, { usertype }: ProfileBody): void {
  if (usertype === undefined || usertype === before.typeId) return
  const isOwn = ctx.viewer?.id === before.id
  const isCounted = isOwn ? usertype !== ADMIN_TYPE : can(ctx.viewer, 'appoint-admins') || usertype === before.requestedTypeId
  if (!isCounted) throw invalidField('usertype', 'field_profile_type_blank')
}

const flagIn = (given: boolean | null | undefined, stored: boolean) => given ?? stored

function onWire(c: ApiContext, user: Profile): z.infer<typeof profile> {
  const { ctx } = c.var
  const nameIn = (rows: { id: number; ta: string; en: string }[], id: number | null) =>
    rows.find((row) => row.id === id)?.[ctx.locale] ?? ''
  return {
    id: user.id,
    name: user.name,
    username: user.name,
    title: user.titleId,
    usertitlename: nameIn(userTitles, user.titleId),
    phone: phoneFor(ctx.viewer, user.phone, user.id),
    email: user.email,
    usertype: user.typeId,
    usertypename: nameIn(userTypes, user.typeId),
    pending_usertype: user.requestedTypeId,
    is_verified: user.isVerified,
    language: user.locale,
    user_image: user.pictureKey ? [{ image: mediaUrl(user.pictureKey, 1280, 'jpeg') }] : [],
    referralcode: user.referralCode,
    ...(can(ctx.viewer, 'operate') && {
      is_active: user.isActive,
      is_staff: user.internalType === 1,
      is_admin: user.internalType === 2,
      is_superuser: user.internalType === 3,
    }),
  }
}

function begin(c: ApiContext, token: string): void {
  const { cookieNames, market } = c.var
  for (const value of sessionCookies(cookieNames, market.env.secret, token)) c.header('Set-Cookie', value, { append: true })
}

const wireNames: Record<string, string> = { typeId: 'usertype', internalType: 'is_superuser' }

const withWireNames = renamingFields(({ field, message }) => ({ field: wireNames[field] ?? field, message }))
