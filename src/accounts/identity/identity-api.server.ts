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
  usertype: userType.describe('An id of user-type, 1 to 5. 0 and 9 are refused.'),
  title: userTitle
    .optional()
    .transform((id) => id ?? null)
    .openapi({ description: 'An id of user-title. Optional.', type: 'integer' }),
  userdegree: registration.shape.degree.nullish().describe('Stored for user type 5 only.'),
  sellerpannumber: panNumber.nullish().describe('Stored for user types 2, 3 and 4 only.'),
  loginreferralcode: registration.shape.referralCode
    .nullish()
    .describe(`The referral code of the inviter: ${REFERRAL_CODE_LENGTH} letters or digits. Any other value is ignored.`),
  consent: registration.shape.hasConsented
    .optional()
    .describe(
      'True if the person is 18 or older and consents as on the form. If omitted, the site asks before their first order or listing.',
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
    .openapi({ type: 'string', example: '919876543210', description: 'The digits after the plus. Write the plus as + or %2B.' }),
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
  call(api, 'POST /login', {
    tags: ['Accounts'],
    summary: 'Log in',
    description: [
      'Sets the session cookie `__Host-sid` and a new CSRF token, and ends the previous session of this browser.',
      'LOGIN_FAILED covers an unknown phone, a wrong password and a deactivated account. After five failures in a',
      'row, RATE_LIMITED carries Retry-After. After 100 failures for one number in a day, an unknown browser gets',
      '202 for every password. If the password was correct, a code is sent by SMS; send it to `PUT login-code`.',
    ].join(' '),
    request: { body: jsonBody(loginBody) },
    responses: {
      200: answer('The account that is now logged in.', identity),
      202: answer('A code is required as well.', otpSent),
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
  call(api, 'POST /validatesession', {
    tags: ['Accounts'],
    summary: 'Retrieve the current account',
    description: 'Identifies the caller by the session cookie. Takes no parameters. AUTH_REQUIRED is returned without a valid session.',
    responses: { 200: answer('The account of the session.', identity), ...refusals('UNSUPPORTED_TYPE') },
    run: async (c) => sendPersonal(c, identityOf(await getIdentity(c.var.ctx))),
  })
  call(api, 'POST /logout', {
    tags: ['Accounts'],
    summary: 'Log out',
    description: 'Ends the session and deletes its cookies. Also returns 200 without a session.',
    responses: { 200: answer('The session was ended.', oneRow), ...refusals('UNSUPPORTED_TYPE') },
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
  call(api, 'POST /auth/password', {
    tags: ['Accounts'],
    summary: 'Change the password',
    description: [
      'Ends all other sessions and sends an SMS. Requires the old password. An account without one requires a',
      'login by code in the last 15 minutes; otherwise PROOF_NEEDED is returned. At most five changes a day.',
    ].join(' '),
    request: { body: jsonBody(z.strictObject({ old_password: anyPassword.optional(), new_password: newPassword })) },
    responses: { 200: answer('The password was changed.', oneRow), ...refusals('VALIDATION', 'PASSWORD_WRONG', 'PROOF_NEEDED') },
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
  call(api, 'POST /user', {
    tags: ['Accounts'],
    summary: 'Start a registration',
    description: [
      'Stores the registration for 15 minutes, bound to the cookie `__Host-reg`, and sends a code by',
      'SMS. The account is created by `PUT userprofile/id={userId}` with the returned id and the code.',
    ].join(' '),
    request: { body: jsonBody(registrationBody) },
    responses: {
      200: answer('The code was sent. The id of the registration.', z.strictObject({ id: z.int() })),
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
  call(api, 'PUT /userprofile/id={userId}', {
    tags: ['Accounts'],
    summary: 'Complete a registration',
    description: [
      'Creates the account from the stored registration and logs in. Requires the cookie `__Host-reg`; the id is',
      'the one that `POST user` returned. Other fields of the request are ignored. Each code accepts five attempts.',
    ].join(' '),
    request: { params: z.object({ userId: rowId.transform(Number) }), body: jsonBody(otpBody) },
    responses: {
      200: answer('The account was created and is logged in.', oneRow),
      ...refusals('VALIDATION', 'NOT_FOUND', 'OTP_WRONG', 'OTP_EXPIRED', 'PHONE_TAKEN'),
    },
    run: async (c) => {
      const { cookies, cookieNames } = c.var
      const proof = { token: cookies[cookieNames.registration], id: c.req.valid('param').userId, code: c.req.valid('json').otp }
      begin(c, await finishRegistration(c.var.ctx, proof, authClientIn(c)))
      return sendPersonal(c, done)
    },
  })
  call(api, 'POST /auth/otp/resend', {
    tags: ['Accounts'],
    summary: 'Send another registration code',
    description: [
      'Sends a new code for the registration bound to the cookie `__Host-reg`. `phone` replaces its number; omit it to',
      'keep the number. The previous code becomes invalid. To resend the code of a password reset, call `auth/reset` again.',
    ].join(' '),
    request: { body: jsonBody(z.strictObject({ phone: phoneNumber.optional() })) },
    responses: {
      200: answer('The code was sent.', otpSent),
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
  const summary = 'Start a password reset'
  const description = [
    'Sends a code by SMS, bound to the cookie `__Host-rst`. For an unknown number, PHONE_UNKNOWN is returned a few times an hour, or never',
    '(server setting AUTH_ENUMERATION). Otherwise the response is the same as for a known number, and no SMS is sent.',
  ].join(' ')
  const responses = { 200: answer('The code was sent.', otpSent), ...refusals('VALIDATION', 'PHONE_UNKNOWN', 'SMS_UNAVAILABLE') }
  const start = async (c: ApiContext, phone: string) => {
    const { token } = await startReset(c.var.ctx, phone, authClientIn(c))
    setCookies(c, [resetCookie(c.var.cookieNames, token)])
    return sendPersonal(c, sent)
  }
  call(api, 'PATCH /init-forgot-password/userphone=+{phone}', {
    tags: ['Accounts'],
    summary,
    description: `${description} New clients should use \`auth/reset\`, which has no number in its path.`,
    request: { params: phoneInPath },
    responses,
    run: (c) => start(c, c.req.valid('param').phone),
  })
  call(api, 'POST /auth/reset', {
    tags: ['Accounts'],
    summary,
    description,
    request: { body: jsonBody(z.strictObject({ phone: phoneNumber })) },
    responses,
    run: (c) => start(c, c.req.valid('json').phone),
  })
  call(api, 'PATCH /reset-password/userphone=+{phone}', {
    tags: ['Accounts'],
    summary: 'Complete a password reset',
    description: 'Requires the cookie `__Host-rst`. Sets the new password, ends all sessions, logs this browser in and sends an SMS.',
    request: { params: phoneInPath, body: jsonBody(z.strictObject({ otp: otpCode, password: newPassword })) },
    responses: { 200: answer('The account that is now logged in.', identity), ...refusals('VALIDATION', 'OTP_WRONG', 'OTP_EXPIRED') },
    run: async (c) => {
      const { otp: code, password } = c.req.valid('json')
      const { phone } = c.req.valid('param')
      const token = c.var.cookies[c.var.cookieNames.reset]
      return sendLoggedIn(c, await finishReset(c.var.ctx, { phone, code, password }, token, authClientIn(c)))
    },
  })
}

function addSessions(api: Api): void {
  call(api, 'GET /auth/sessions', {
    tags: ['Accounts'],
    summary: "List the caller's sessions",
    description: 'Most recently used first. An account has at most ten sessions; a further login ends the one unused for longest.',
    responses: {
      200: answer(
        'The sessions.',
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
  call(api, 'DELETE /auth/sessions/id={id}', {
    tags: ['Accounts'],
    summary: "End one of the caller's sessions",
    description: 'Ending the current session also deletes its cookies. NOT_FOUND is also returned for sessions of other people.',
    request: { params: z.object({ id: rowId.transform(Number) }) },
    responses: { 200: answer('The session was ended.', oneRow), ...refusals('VALIDATION', 'NOT_FOUND') },
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
