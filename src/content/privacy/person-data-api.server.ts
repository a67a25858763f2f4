import { z } from '@hono/zod-openapi'
import { findCodeUser, requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { startErasure } from '#src/accounts/privacy/privacy.server.ts'
import { anyPassword, otpCode } from '#src/accounts/schemas.ts'
import { authClientOf, endedCookies } from '#src/accounts/identity/session-cookies.server.ts'
import { otpSent, sent } from '#src/accounts/identity/otp-wire.server.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { answer, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import { ensureMayGo, eraseOwnAccount, exportOwnData, LEFT_WAYS } from './person-data.server.ts'

const leftWay = (what: string) =>
  z
    .enum(LEFT_WAYS)
    .optional()
    .openapi({ description: `${what}: \`keep\` (default) or \`remove\`.` })

/** A person's legal rights over their data: export and erasure. */
export function addPersonDataCalls(api: Api): void {
  addExport(api)
  addErasure(api)
}

function addExport(api: Api): void {
  call(api, 'POST /me/export', {
    tags: ['Accounts'],
    summary: "Export the caller's data",
    description: 'Returns all stored data of the caller as a JSON file for people to read. Its structure may change at any time.',
    responses: { 200: answer('The data.', z.looseObject({ market: z.string() })), ...refusals('UNSUPPORTED_TYPE') },
    run: async (c) => {
      c.header('Content-Disposition', `attachment; filename="sandhai-${c.var.ctx.viewer!.id}.json"`)
      return sendPersonal(c, JSON.parse(JSON.stringify(await exportOwnData(c.var.ctx))) as { market: string })
    },
  })
}

const erasureBody = z.strictObject({
  password: anyPassword.optional().openapi({ description: 'Required if the account has a password. Omit otherwise.' }),
  otp: otpCode.optional(),
  forum: leftWay('Forum posts'),
  reviews: leftWay('Reviews of sellers'),
  reports: leftWay('Reports to the desk'),
  newsletter: leftWay('The newsletter subscription of the e-mail in the profile'),
})

function addErasure(api: Api): void {
  call(api, 'DELETE /me', {
    tags: ['Accounts'],
    summary: "Delete the caller's account",
    description: [
      "Takes two requests: `password` sends a code to the caller's phone; `password` with `otp` deletes",
      'the account, erases the personal data and withdraws the listings. Accounts without a password omit',
      'it. Posts that remain lose their author. OPEN_ORDERS is returned while the caller has open orders.',
    ].join(' '),
    request: { body: jsonBody(erasureBody) },
    responses: {
      200: answer('The code was sent, or the account was deleted.', z.strictObject({ erased: z.boolean(), otp_sent: otpSent.optional() })),
      ...refusals('VALIDATION', 'PASSWORD_WRONG', 'OTP_WRONG', 'OTP_EXPIRED', 'SMS_UNAVAILABLE', 'LAST_SUPER_ADMIN', 'OPEN_ORDERS'),
    },
    run: async (c) => {
      const { ctx, market, cookieNames } = c.var
      const { password, otp, ...left } = c.req.valid('json')
      const hasPassword = (await findCodeUser(ctx)) === null
      if (hasPassword && password === undefined) throw invalidField('password', 'field_password_blank')
      if (otp === undefined) {
        await ensureMayGo(ctx)
        await startErasure(ctx, password, authClientOf(market, c.var))
        return sendPersonal(c, { erased: false, otp_sent: sent })
      }
      if (hasPassword) await requireOwnPassword(ctx, password)
      await eraseOwnAccount(ctx, otp, market.media, left)
      for (const cookie of endedCookies(cookieNames)) c.header('Set-Cookie', cookie, { append: true })
      c.header('Clear-Site-Data', '"cache"')
      return sendPersonal(c, { erased: true })
    },
  })
}
