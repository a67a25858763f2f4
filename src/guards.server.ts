import type { MiddlewareHandler } from 'hono'
import { can, mayNot, type Capability } from './accounts/rules.ts'
import { ownPage, type ApiEnv, type Guards } from '#src/kit/http/api.server.ts'
import { Problem } from './kit/problem.ts'
import { policy, type Access } from './policy.ts'

/** What stands before a call, made from its line in policy.ts; a call without one cannot be added. */
export function guardsOf(operation: string): Guards {
  const access = policy[operation]
  if (!access) throw new Error(`${operation} has no line in policy.ts.`)
  const needsToken = !operation.startsWith('GET ') && !access.withoutCsrf
  return {
    before: [
      quotas,
      needsToken && ownPage,
      access.who !== 'anyone' && loggedIn,
      limited(access),
      isRole(access.who) && role(access.who),
    ].filter((guard) => guard !== false),
    refuses: [
      ...(needsToken ? (['CSRF_REJECTED'] as const) : []),
      ...(access.who === 'anyone' ? [] : (['AUTH_REQUIRED'] as const)),
      ...(isRole(access.who) ? (['ROLE_FORBIDDEN'] as const) : []),
      ...([access.who].flat().includes('vet') ? (['VET_NOT_APPROVED'] as const) : []),
    ],
    needsToken,
    needsSession: access.who !== 'anyone',
  }
}

/** What a refused call took of a quota it gets back (kit/http/rate-limits.server.ts). */
const quotas: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { market, ctx } = c.var
  const limits = market.limits.ofRequest()
  c.set('market', Object.assign(Object.create(market) as typeof market, { limits }))
  await next()
  if (c.error)
    await limits.giveBackQuotas(ctx.db).catch((error: unknown) => ctx.log.warn({ err: error }, 'a quota could not be given back'))
}

const isRole = (who: Access['who']): who is Capability | readonly Capability[] => who !== 'anyone' && who !== 'person'

const loggedIn: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (!c.var.ctx.viewer) throw new Problem('AUTH_REQUIRED')
  await next()
}

function limited({ limits: names, isByAddress }: Access): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { ctx, address, market } = c.var
    await market.limits.takeAll(ctx.db, names, { userId: isByAddress ? null : (ctx.viewer?.id ?? null), address })
    await next()
  }
}

function role(who: Capability | readonly Capability[]): MiddlewareHandler<ApiEnv> {
  const capabilities: readonly Capability[] = [who].flat()
  return async (c, next) => {
    const { viewer } = c.var.ctx
    if (!capabilities.some((capability) => can(viewer, capability))) throw mayNot(viewer, capabilities[0]!)
    await next()
  }
}
