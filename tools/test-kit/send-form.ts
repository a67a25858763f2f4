import { RouterContextProvider } from 'react-router'
import { ctxContext, siteContext, visitorContext, type Ctx, type Viewer } from '#src/kit/context.ts'
import { cookieNamesFor } from '#src/kit/base/cookies.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { guardOfAction } from '#src/server/guards.server.ts'
import { actionGuardsContext, type pageAction } from '#src/kit/http/page.server.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import { RateLimits } from '#src/kit/db/rate-limits.server.ts'

const origin = 'https://sandhai.test'

/** Sends a page's form to its action as the viewer's browser does. Returns the code of the refusal, or null. */
export async function sendForm(
  ctx: Ctx,
  action: ReturnType<typeof pageAction<unknown>>,
  {
    viewer,
    fields,
    hasSessionEnded = false,
    cookies = {},
    ...of
  }: {
    viewer: Viewer | null
    fields: Record<string, string> | [string, string][]
    hasSessionEnded?: boolean
    cookies?: Record<string, string>
  } & ({ userId: number } | { params: Record<string, string> }),
): Promise<string | null> {
  const env = { ...readEnv({ PUBLIC_ORIGIN: origin }), secret: 's'.repeat(32) }
  const cookieNames = cookieNamesFor(origin, origin, 'demo')
  const token = makeCsrfToken(env.secret, undefined)
  const context = new RouterContextProvider()
  context.set(ctxContext, { ...ctx, viewer })
  context.set(siteContext, { env, limits: new RateLimits(1), media: null as never, contact: defaultSettings.contact, noteAway: () => {} })
  context.set(visitorContext, {
    cookies: { ...cookies, '__Host-csrf': token },
    cookieNames,
    address: '203.0.113.7',
    userAgent: '',
    hasSessionEnded,
  })
  context.set(actionGuardsContext, guardOfAction)
  const request = new Request(`${origin}/en/x`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams([['csrf', token], ...(Array.isArray(fields) ? fields : Object.entries(fields))]),
  })
  const { data } = await action({ request, params: 'params' in of ? of.params : { userId: String(of.userId) }, context })
  return (data as { refused?: { code: string } }).refused?.code ?? null
}
