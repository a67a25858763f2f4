import { z } from '@hono/zod-openapi'
import { answer, call, refusals, sendPersonal, type Api, type ApiContext, jsonBody } from '#src/kit/http/api.server.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import { renamingFields } from '#src/kit/base/problem.ts'
import {
  anyPassword,
  newPassword,
  otpCode,
  panNumber,
  personName,
  phoneNumber,
  REFERRAL_CODE_LENGTH,
  registration,
  userTitle,
  userType,
} from '../schemas.ts'
import { endOwnSession, endSession, listSessions } from '../sessions.server.ts'
import { addCodeLogin } from './code-login-api.server.ts'
import { getIdentity } from './identity.server.ts'
import { authClientIn, begin, identity, sendLoggedIn, setCookies } from './identity-wire.server.ts'
import { changePassword, finishReset, login, startReset } from './login.server.ts'
import { otpSent, sent } from './otp-wire.server.ts'
import { finishRegistration, resendRegistration, startRegistration } from './register.server.ts'
import { endedCookies, identityOf, registrationCookie, resetCookie } from './session-cookies.server.ts'
import { dropped, droppedFlags } from '#src/kit/http/dropped-fields.ts'

/**
 * Rows 3 to 9 of api.md. Fields that the old client always sends (`is_admin`, `is_staff`, … and, with a code, the whole registration again)
 * are accepted and dropped before they reach a command.
 */
const flags = {
  ...droppedFlags,
  ...dropped('createdon', 'created_by'),
}

const loginBody = z.strictObject({
  username: phoneNumber.describe('The phone number.'),
  password: anyPassword,
})

const registrationBody = z.strictObject({
  phone: phoneNumber,
  password: newPassword,
  username: personName.describe("The person's name."),
  usertype: userType.describe('1 to 5; 0 and 9 are refused.'),
  title: userTitle
    .optional()
    .transform((id) => id ?? null)
    .openapi({ description: 'An id of user-title; may be missing.', type: 'integer' }),
  userdegree: registration.shape.degree.nullish().describe('Kept for type 5 only.'),
  sellerpannumber: panNumber.nullish().describe('Kept for types 2, 3 and 4 only.'),
  loginreferralcode: registration.shape.referralCode
    .nullish()
    .describe(`Who invited: ${REFERRAL_CODE_LENGTH} letters or digits; anything else is ignored.`),
  consent: registration.shape.hasConsented
    .optional()
    .describe(
      'True: the person is 18 or older and agrees to what is kept, as the registration form words it. Left out: a page asks them before their first order or listing.',
    ),
  ...flags,
})

const otpBody = z.strictObject({
  otp: otpCode,
  verify_otp: z.literal(true),
  // The stored registration counts; values sent here are not validated.
  ...dropped('phone', 'password', 'username', 'usertype', 'title', 'userdegree', 'sellerpannumber', 'loginreferralcode', 'consent', 'id'),
  ...flags,
})

const oneRow = z.strictObject({ rows: z.literal(1) })
const done = { rows: 1 as const }
const rowId = z.string().regex(ID_PATTERN)
/** The path contains the plus already. */
const phoneInPath = z.object({
  phone: z
    .string()
    .max(40)
    .transform((digits) => `+${digits}`)
    .pipe(phoneNumber)
    .openapi({ type: 'string', example: '919876543210', description: 'After the plus, which may be written as + or %2B.' }),
})

export function addIdentityCalls(api: Api): void {
  addLogin(api)
  addRegistration(api)
  addReset(api)
  addSessions(api)
}

function addLogin(api: Api): void {
  addPasswordLogin(api)
  addCodeLogin(api)
  addSessionCalls(api)
  addPasswordChange(api)
}

function addPasswordLogin(api: Api): void {
  call(api, {
    method: 'post',
    path: '/login',
    tags: ['Accounts'],
    summary: 'Log in',
    description: [
      'The session is in the cookie `__Host-sid`; the old one of this browser ends. The CSRF token is a new one, too.',
      'Unknown phone, wrong password and deactivated account are one answer. After five wrong ones in a row wait as Retry-After says.',
      'After a hundred wrong ones at one number in a day a browser that has not logged in there before gets 202, whatever the password:',
      'if it was right, a code is on its way, for `PUT login-code`.',
    ].join(' '),
    request: { body: jsonBody(loginBody) },
    responses: {
      200: answer('Logged in.', identity),
      202: answer('A code is needed as well.', otpSent),
      ...refusals('VALIDATION', 'LOGIN_FAILED', 'SMS_UNAVAILABLE'),
    },
    run: async (c) => {
      const { username, password } = c.req.valid('json')
      const entered = await login(c.var.ctx, { phone: username, password }, authClientIn(c))
      if (!('needsCode' in entered)) return sendLoggedIn(c, entered)
      setCookies(c, [resetCookie(c.var.cookieNames, entered.token)])
      return sendPersonal(c, sent, 202)
    },
  })
}

function addSessionCalls(api: Api): void {
  call(api, {
    method: 'post',
    path: '/validatesession',
    tags: ['Accounts'],
    summary: 'Who is logged in',
    description: 'By the session alone; no id is taken.',
    responses: { 200: answer('The session is good.', identity), ...refusals('UNSUPPORTED_TYPE') },
    run: async (c) => sendPersonal(c, identityOf(await getIdentity(c.var.ctx))),
  })
  call(api, {
    method: 'post',
    path: '/logout',
    tags: ['Accounts'],
    summary: 'Log out',
    description: 'Ends this session and its cookies. 200 also where nobody was logged in.',
    responses: { 200: answer('Nobody is logged in here now.', oneRow), ...refusals('UNSUPPORTED_TYPE') },
    run: async (c) => {
      const { ctx, cookies, cookieNames } = c.var
      await endSession(ctx, cookies[cookieNames.session] ?? '')
      ctx.log.info({ event: 'session_logout', user: ctx.viewer?.id ?? null }, 'logged out')
      setCookies(c, endedCookies(cookieNames))
      c.header('Clear-Site-Data', '"cache"')
      return sendPersonal(c, done)
    },
  })
}

function addPasswordChange(api: Api): void {
  call(api, {
    method: 'post',
    path: '/auth/password',
    tags: ['Accounts'],
    summary: 'Change the password',
    description:
      'With the old one, five times a day. All other sessions end; an SMS notifies the phone. Somebody without one needs a session that began with a code just now.',
    request: { body: jsonBody(z.strictObject({ old_password: anyPassword.optional(), new_password: newPassword })) },
    responses: { 200: answer('Changed.', oneRow), ...refusals('VALIDATION', 'PASSWORD_WRONG', 'PROOF_NEEDED') },
    run: async (c) => {
      const { old_password: oldPassword, new_password: newPassword } = c.req.valid('json')
      await changePassword(c.var.ctx, { oldPassword, newPassword }, c.var.market.limits).catch(withWireNames)
      return sendPersonal(c, done)
    },
  })
}

function addRegistration(api: Api): void {
  addRegistrationStart(api)
  addRegistrationCode(api)
}

function addRegistrationStart(api: Api): void {
  call(api, {
    method: 'post',
    path: '/user',
    tags: ['Accounts'],
    summary: 'Register: the form',
    description: [
      'Nobody is a user yet: what was sent waits a quarter of an hour for the code in the SMS, bound to this browser by the',
      'cookie `__Host-reg`. Answers the id for `PUT userprofile/id={userId}`. `consent` may be left out.',
    ].join(' '),
    request: { body: jsonBody(registrationBody) },
    responses: {
      200: answer('The code is on its way.', z.strictObject({ id: z.int() })),
      ...refusals('VALIDATION', 'PHONE_TAKEN', 'SMS_UNAVAILABLE'),
    },
    run: async (c) => {
      const body = c.req.valid('json')
      const { id, token } = await startRegistration(
        c.var.ctx,
        {
          phone: body.phone,
          password: body.password,
          name: body.username,
          titleId: body.title,
          typeId: body.usertype,
          pan: body.sellerpannumber ?? '',
          degree: body.userdegree ?? '',
          referralCode: body.loginreferralcode ?? '',
          hasConsented: body.consent === true,
        },
        authClientIn(c),
      )
      setCookies(c, [registrationCookie(c.var.cookieNames, token)])
      return sendPersonal(c, { id })
    },
  })
}

function addRegistrationCode(api: Api): void {
  call(api, {
    method: 'put',
    path: '/userprofile/id={userId}',
    tags: ['Accounts'],
    summary: 'Register: the code',
    description: [
      'Makes the user as the form said and logs in. Needs the browser that sent the form; the id is the one it was answered.',
      'Whatever else is sent along is ignored. Five tries for each code.',
    ].join(' '),
    request: { params: z.object({ userId: rowId.transform(Number) }), body: jsonBody(otpBody) },
    responses: {
      200: answer('Registered and logged in.', oneRow),
      ...refusals('VALIDATION', 'NOT_FOUND', 'OTP_WRONG', 'OTP_EXPIRED', 'PHONE_TAKEN'),
    },
    run: async (c) => {
      const { cookies, cookieNames } = c.var
      const proof = { token: cookies[cookieNames.registration], id: c.req.valid('param').userId, code: c.req.valid('json').otp }
      begin(c, await finishRegistration(c.var.ctx, proof, authClientIn(c)))
      return sendPersonal(c, done)
    },
  })
  call(api, {
    method: 'post',
    path: '/auth/otp/resend',
    tags: ['Accounts'],
    summary: 'Register: another code',
    description: [
      'To the number of the registration that waits in this browser, or to `phone` instead, which then is the number. The older',
      'code is worth nothing from then on. For a new password ask `auth/reset` again.',
    ].join(' '),
    request: { body: jsonBody(z.strictObject({ phone: phoneNumber.optional() })) },
    responses: {
      200: answer('The code is on its way.', otpSent),
      ...refusals('VALIDATION', 'NOT_FOUND', 'PHONE_TAKEN', 'SMS_UNAVAILABLE'),
    },
    run: async (c) => {
      const { cookies, cookieNames } = c.var
      await resendRegistration(c.var.ctx, cookies[cookieNames.registration], authClientIn(c), c.req.valid('json').phone)
      return sendPersonal(c, sent)
    },
  })
}

function addReset(api: Api): void {
  const summary = 'Forgotten password: send a code'
  const description = [
    'Bound to this browser by the cookie `__Host-rst`. That a number is not known here is said a few times an hour, or never',
    '(AUTH_ENUMERATION); else the answer is the same and no SMS goes out.',
  ].join(' ')
  const responses = { 200: answer('The code is on its way.', otpSent), ...refusals('VALIDATION', 'PHONE_UNKNOWN', 'SMS_UNAVAILABLE') }
  const start = async (c: ApiContext, phone: string) => {
    const { token } = await startReset(c.var.ctx, phone, authClientIn(c))
    setCookies(c, [resetCookie(c.var.cookieNames, token)])
    return sendPersonal(c, sent)
  }
  call(api, {
    method: 'patch',
    path: '/init-forgot-password/userphone=+{phone}',
    tags: ['Accounts'],
    summary,
    description: `${description} New clients: \`auth/reset\`, where the number stands in no address.`,
    request: { params: phoneInPath },
    responses,
    run: (c) => start(c, c.req.valid('param').phone),
  })
  call(api, {
    method: 'post',
    path: '/auth/reset',
    tags: ['Accounts'],
    summary,
    description,
    request: { body: jsonBody(z.strictObject({ phone: phoneNumber })) },
    responses,
    run: (c) => start(c, c.req.valid('json').phone),
  })
  call(api, {
    method: 'patch',
    path: '/reset-password/userphone=+{phone}',
    tags: ['Accounts'],
    summary: 'Forgotten password: the code and a new one',
    description: 'In the browser that asked for the code. All sessions end, this browser is logged in, an SMS notifies the phone.',
    request: { params: phoneInPath, body: jsonBody(z.strictObject({ otp: otpCode, password: newPassword })) },
    responses: { 200: answer('Changed and logged in.', identity), ...refusals('VALIDATION', 'OTP_WRONG', 'OTP_EXPIRED') },
    run: async (c) => {
      const { otp: code, password } = c.req.valid('json')
      const { phone } = c.req.valid('param')
      const token = c.var.cookies[c.var.cookieNames.reset]
      return sendLoggedIn(c, await finishReset(c.var.ctx, { phone, code, password }, token, authClientIn(c)))
    },
  })
}

function addSessions(api: Api): void {
  call(api, {
    method: 'get',
    path: '/auth/sessions',
    tags: ['Accounts'],
    summary: 'Where I am logged in',
    description: 'The latest used first. At most ten: then the one not used for longest ends.',
    responses: {
      200: answer(
        'Your sessions.',
        z.array(
          z.strictObject({
            id: z.int(),
            device: z.string().openapi({ example: 'Chrome · Android' }),
            created_at: z.iso.datetime(),
            seen_at: z.iso.datetime(),
            is_this: z.boolean(),
          }),
        ),
      ),
      ...refusals(),
    },
    run: async (c) => {
      const rows = await listSessions(c.var.ctx)
      return sendPersonal(
        c,
        rows.map(({ id, device, createdAt, seenAt, isThis }) => ({
          id,
          device,
          created_at: createdAt.toISOString(),
          seen_at: seenAt.toISOString(),
          is_this: isThis,
        })),
      )
    },
  })
  call(api, {
    method: 'delete',
    path: '/auth/sessions/id={id}',
    tags: ['Accounts'],
    summary: 'End one of my sessions',
    description: 'NOT_FOUND also for those of others.',
    request: { params: z.object({ id: rowId.transform(Number) }) },
    responses: { 200: answer('Ended.', oneRow), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { id } = c.req.valid('param')
      await endOwnSession(c.var.ctx, id)
      if (id === c.var.ctx.sessionId) setCookies(c, endedCookies(c.var.cookieNames))
      return sendPersonal(c, done)
    },
  })
}

const wireNames: Record<string, string> = { oldPassword: 'old_password', newPassword: 'new_password' }

const withWireNames = renamingFields(({ field, message }) => ({ field: wireNames[field] ?? field, message }))
