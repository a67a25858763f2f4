import { z } from '@hono/zod-openapi'
import { sendPersonal, type ApiContext } from '#src/kit/http/api.server.ts'
import type { AuthClient, LoggedIn } from './identity.server.ts'
import { authClientOf, identityOf, loginCookies } from './session-cookies.server.ts'

export const identity = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    phone: z.string(),
    usertype: z.int(),
    referralcode: z.string(),
    awaits_totp: z.literal(true).optional().openapi({
      description: 'Present if an admin must still pass /login/second-step. Until then the session has no rights.',
    }),
  })
  .openapi('Identity', { description: 'The account of the current session.' })

export const authClientIn = (c: ApiContext): AuthClient => authClientOf(c.var.market, c.var)

export function sendLoggedIn(c: ApiContext, loggedIn: LoggedIn) {
  begin(c, loggedIn)
  return sendPersonal(c, { ...identityOf(loggedIn.user), ...(loggedIn.awaitsTotp && { awaits_totp: true as const }) })
}

export function begin(c: ApiContext, loggedIn: LoggedIn): void {
  setCookies(c, loginCookies(c.var.cookieNames, c.var.market.env.secret, loggedIn))
}

export function setCookies(c: ApiContext, values: string[]): void {
  for (const value of values) c.header('Set-Cookie', value, { append: true })
}
