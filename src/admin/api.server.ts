import { z } from '@hono/zod-openapi'
import { badgeNote, vetRegistration } from '#src/accounts/profile/profile-schemas.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { anyPassword } from '#src/accounts/schemas.ts'
import { approveVet, decideTypeRequest, listUsers, setActive, setBadge, userFilters } from '#src/accounts/people/users.server.ts'
import { answer, idInPath, call, refusals, sendPersonal, type Api, jsonBody } from '#src/kit/http/api.server.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { answerPage, cursorInQuery, cursorOf } from '#src/kit/http/paged-answers.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { changeSetting } from './settings.server.ts'
import { fieldsOf, settingKeys } from './settings-rules.ts'
import { settingSchemas } from './settings-schemas.ts'

const done = z.strictObject({ rows: z.literal(1) })
const user = z.object({ userId: idInPath() })
const decided = refusals('VALIDATION', 'NOT_FOUND', 'OWN_ROW', 'ROLE_FORBIDDEN', 'PASSWORD_WRONG', 'LAST_SUPER_ADMIN')

/** The calls of the admin desks; each page's action has one. */
export function addAdminCalls(api: Api): void {
  addPeople(api)
  addSettings(api)
}

const listedUser = z
  .strictObject({
    id: z.int(),
    username: z.string(),
    phone: z.string().openapi({ description: 'Masked.' }),
    usertype: z.int(),
    pending_usertype: z.int().nullable(),
    is_active: z.boolean(),
    is_verified: z.boolean(),
    vet_approved: z.boolean(),
    created_date: z.iso.datetime({ precision: 3 }),
  })
  .openapi('ListedUser')

function addPeople(api: Api): void {
  addUserList(api)
  addVetAndTypeDecisions(api)
  addBadgeAndActive(api)
}

function addUserList(api: Api): void {
  call(api, 'GET /admin/users/show={show}', {
    tags: ['Admin'],
    summary: 'List users',
    description: [
      'Newest first. `requests`: users who requested another type. `vets`: vets',
      'who await approval. `unverified`: sellers without the Verified Seller badge.',
    ].join(' '),
    request: {
      params: z.object({ show: z.enum(userFilters, 'field_wrong').openapi({ description: 'The filter.' }) }),
      query: z.strictObject({ cursor: cursorInQuery }),
    },
    responses: {
      200: answerPage('The users.', z.array(listedUser)),
      ...refusals('VALIDATION'),
    },
    run: async (c) => {
      const { show } = c.req.valid('param')
      const { cursor } = c.req.valid('query')
      const list = `users.${show}`
      const after = cursorOf(list, cursor, /^id$/)
      const { users, nextAfterId } = await listUsers(c.var.ctx, { text: '', typeId: null, filter: show, afterId: after?.id ?? null })
      if (nextAfterId !== null) c.header('X-Next-Cursor', encodeCursor(list, { value: 'id', id: nextAfterId }))
      return sendPersonal(
        c,
        users.map((each) => ({
          id: each.id,
          username: each.name,
          phone: maskPhone(each.phone),
          usertype: each.typeId,
          pending_usertype: each.requestedTypeId,
          is_active: each.isActive,
          is_verified: each.isVerified,
          vet_approved: each.vetApproved,
          created_date: each.createdAt.toISOString(),
        })),
      )
    },
  })
}

function addVetAndTypeDecisions(api: Api): void {
  call(api, 'PUT /admin/vet-approval/id={userId}', {
    tags: ['Admin'],
    summary: 'Approve a vet or withdraw the approval',
    description: '`registration` is the number in the register of the council; null withdraws the approval. The vet is notified.',
    request: {
      params: user,
      body: jsonBody(
        z.strictObject({
          password: anyPassword,
          registration: vetRegistration.nullable().openapi({ type: ['string', 'null'], description: 'At most 60 characters.' }),
        }),
      ),
    },
    responses: { 200: answer('The change is stored.', done), ...decided },
    run: async (c) => {
      await approveVet(c.var.ctx, c.req.valid('param').userId, c.req.valid('json'))
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, 'PUT /admin/type-request/id={userId}', {
    tags: ['Admin'],
    summary: 'Decide a request for another user type',
    description: 'NOT_FOUND is returned without an open request. The person is notified.',
    request: {
      params: user,
      body: jsonBody(
        z.strictObject({ approve: z.boolean('field_wrong').openapi({ description: 'True to grant the request, false to refuse it.' }) }),
      ),
    },
    responses: { 200: answer('The change is stored.', done), ...decided },
    run: async (c) => {
      await decideTypeRequest(c.var.ctx, c.req.valid('param').userId, c.req.valid('json').approve)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addBadgeAndActive(api: Api): void {
  call(api, 'PUT /admin/badge/id={userId}', {
    tags: ['Admin'],
    summary: 'Grant or withdraw the Verified Seller badge',
    description: 'For sellers only. The note is personal data and part of the data export of the person.',
    request: {
      params: user,
      body: jsonBody(
        z.strictObject({
          password: anyPassword,
          is_verified: z.boolean('field_wrong'),
          note: badgeNote.openapi({ type: 'string', description: 'The checks made, or the reason, in 1 to 200 characters.' }),
        }),
      ),
    },
    responses: { 200: answer('The change is stored.', done), ...decided },
    run: async (c) => {
      const { is_verified, note, password } = c.req.valid('json')
      await setBadge(c.var.ctx, c.req.valid('param').userId, { isVerified: is_verified, note, password })
      return sendPersonal(c, { rows: 1 as const })
    },
  })
  call(api, 'PUT /admin/active/id={userId}', {
    tags: ['Admin'],
    summary: 'Deactivate or activate a user',
    description: "Deactivation ends all sessions and hides the listings. Requires the admin's own password.",
    request: {
      params: user,
      body: jsonBody(z.strictObject({ is_active: z.boolean('field_profile_active_blank'), password: anyPassword })),
    },
    responses: { 200: answer('The change is stored.', done), ...decided },
    run: async (c) => {
      const { is_active, password } = c.req.valid('json')
      await setActive(c.var.ctx, c.req.valid('param').userId, { isActive: is_active, password })
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

const discount = z.strictObject({ percent: z.int(), rupees: z.int(), maxRupees: z.int() })
const settings = z
  .strictObject({
    profitMarginPercent: z.int(),
    recommendedOfferPercent: z.int(),
    firstOrderDiscount: discount,
    referralDiscount: discount,
    contact: z.record(z.string(), z.string()),
    deskTargets: z.record(z.string(), z.int()).openapi({ description: 'The target waiting time at each desk, in hours.' }),
    smsPaise: z.int().openapi({ description: 'The price of one part of an SMS, in paise.' }),
    vetDay: z
      .strictObject({ holds: z.int(), checks: z.int() })
      .openapi({ description: 'The limits of one vet: holds at once, and checks in 24 hours.' }),
  })
  .openapi('Settings')

function addSettings(api: Api): void {
  addSettingsRead(api)
  addSettingsChange(api)
}

function addSettingsRead(api: Api): void {
  call(api, 'GET /admin/settings', {
    tags: ['Admin'],
    summary: 'Retrieve the settings',
    description: 'Returns the values in force.',
    responses: { 200: answer('The settings.', settings), ...refusals() },
    run: async (c) => {
      const { contact, deskTargets, ...figures } = await readSettings(c.var.ctx)
      return sendPersonal(c, { ...figures, contact: { ...contact }, deskTargets: { ...deskTargets } })
    },
  })
}

function addSettingsChange(api: Api): void {
  call(api, 'PUT /admin/settings/key={key}', {
    tags: ['Admin'],
    summary: 'Update a setting',
    description: 'Replaces the whole value. With `seen`, VERSION is returned if another admin has changed the value since.',
    request: {
      params: z.object({ key: z.enum(settingKeys, 'field_wrong').openapi({ description: 'The setting.' }) }),
      body: jsonBody(
        z.strictObject({
          value: z.unknown().openapi({ description: 'A number, or an object, as in GET admin/settings.' }),
          seen: z.unknown().optional().openapi({ description: 'The value that the admin saw.' }),
          password: anyPassword.optional().openapi({ description: "The admin's own. Required for `contact`." }),
        }),
      ),
    },
    responses: { 200: answer('The change is stored.', done), ...refusals('VALIDATION', 'VERSION', 'PASSWORD_WRONG') },
    run: async (c) => {
      const { ctx } = c.var
      const { key } = c.req.valid('param')
      const { value, seen, password } = c.req.valid('json')
      if (key === 'contact' && password === undefined) throw invalidField('password', 'field_password_blank')
      const fields = fieldsOf(key)
      const given = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : { percent: value }
      const extra = Object.keys(given).filter((name) => !fields.includes(name))
      if (extra.length > 0)
        throw new Problem('VALIDATION', { fields: extra.map((name) => ({ field: `value.${name}`, message: 'field_unknown' })) })
      // Convert values to text, as the form sends them, so that the same schemas validate both.
      const typed = Object.fromEntries(fields.map((name) => [name, given[name] === undefined ? undefined : String(given[name])]))
      const read = (settingSchemas[key] as z.ZodType<number | object>).safeParse(typed)
      if (!read.success)
        throw new Problem('VALIDATION', {
          fields: read.error.issues.map(({ path, message }) => ({ field: ['value', ...path].join('.'), message })),
        })
      const now = (await readSettings(ctx))[key]
      await changeSetting(ctx, key, read.data as never, { seen: JSON.stringify(seen ?? now), ...(password !== undefined && { password }) })
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}
