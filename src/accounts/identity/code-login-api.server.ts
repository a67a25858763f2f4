import { z } from '@hono/zod-openapi'
import { answer, call, refusals, sendPersonal, type Api, jsonBody } from '#src/kit/http/api.server.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { otpCode, personName, phoneNumber, registration, userType } from '../schemas.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { finishCodeLogin, finishNewPerson, newPersonOnWire, startCodeLogin } from './code-login.server.ts'
import { authClientIn, identity, sendLoggedIn, setCookies } from './identity-wire.server.ts'
import { finishLogin } from './login.server.ts'
import { otpSent, sent } from './otp-wire.server.ts'
import { resetCookie } from './session-cookies.server.ts'

/** A code, the facts about a new person after a code, or both together. */
const codeBody = z.strictObject({
  phone: phoneNumber.optional().openapi({ description: 'The number sent to `POST login-code`. Omit after a 202 of `POST login`.' }),
  otp: otpCode.optional(),
  username: personName.optional().openapi({ description: 'The name of a new person.' }),
  usertype: userType.optional().openapi({ description: 'The user type of a new person: 1 to 4, default 1.', type: 'integer' }),
  loginreferralcode: registration.shape.referralCode.optional(),
  consent: z.boolean('field_consent_missing').optional().openapi({ description: 'The consent of a new person: true, or omit.' }),
})

export function addCodeLogin(api: Api): void {
  call(api, 'POST /login-code', {
    tags: ['Accounts'],
    summary: 'Send a login code',
    description: [
      'Sends a code by SMS. The response is the same whether or not the number has an account.',
      'The code is bound to the cookie `__Host-rst`. Send it with the number to `PUT login-code`.',
    ].join(' '),
    request: { body: jsonBody(z.strictObject({ phone: phoneNumber })) },
    responses: { 200: answer('The code was sent.', otpSent), ...refusals('VALIDATION', 'SMS_UNAVAILABLE') },
    run: async (c) => {
      const { token } = await startCodeLogin(c.var.ctx, c.req.valid('json').phone, authClientIn(c))
      setCookies(c, [resetCookie(c.var.cookieNames, token)])
      return sendPersonal(c, sent)
    },
  })
  call(api, 'PUT /login-code', {
    tags: ['Accounts'],
    summary: 'Log in with a code',
    description: [
      'Requires the cookie `__Host-rst`. After `POST login-code`, send `phone` and `otp`. 202 is returned',
      'for a number without an account; to register it, send `username` within 15 minutes, or together',
      'with the code. After a 202 of `POST login`, send `otp` alone. Each code accepts five attempts.',
    ].join(' '),
    request: { body: jsonBody(codeBody) },
    responses: {
      200: answer('The account that is now logged in.', identity),
      202: answer('The code is correct. A name is required.', z.strictObject({ needs_name: z.literal(true) })),
      ...refusals('VALIDATION', 'OTP_WRONG', 'OTP_EXPIRED', 'PHONE_TAKEN'),
    },
    run: async (c) => {
      const token = c.var.cookies[c.var.cookieNames.reset]
      const { ctx } = c.var
      const { phone, otp: code, ...person } = c.req.valid('json')
      const client = authClientIn(c)
      if (phone === undefined && code !== undefined) return sendLoggedIn(c, await finishLogin(ctx, code, token, client))
      const named = person.username === undefined && code !== undefined ? null : readNewPerson(person)
      if (phone !== undefined && code === undefined) throw invalidField('otp', 'field_otp_blank')
      if (phone !== undefined) {
        const entered = await finishCodeLogin(ctx, { phone, code: code! }, token, client)
        if (!('needsName' in entered)) return sendLoggedIn(c, entered)
        if (!named) return sendPersonal(c, { needs_name: true as const }, 202)
      }
      return sendLoggedIn(c, await finishNewPerson(ctx, named!, token, client))
    },
  })
}

function readNewPerson({ username, usertype, loginreferralcode, consent }: z.output<typeof codeBody>) {
  const typed = { name: username, typeId: usertype ?? 1, referralCode: loginreferralcode ?? '', hasConsented: consent }
  return parseInput(newPersonOnWire, typed, { name: 'username', typeId: 'usertype', hasConsented: 'consent' })
}
