import type { MiddlewareHandler } from 'hono'
import type { LoaderFunction, ServerBuild } from 'react-router'
import { requireCapability, requireViewer } from '#src/accounts/page-guards.server.ts'
import { can, mayNot, type Capability } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import { ownPage, type ApiEnv, type Guards } from '#src/kit/http/api.server.ts'
import { pageLoader, type ActionGuard } from '#src/kit/http/page.server.ts'
import { sharedAnswer } from '#src/kit/http/shared-answers.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { pageTable, type PageEntry } from '#src/page-table.ts'
import { actions, policy, type Access, type ActionAccess } from '#src/policy.ts'

/** The checks before a call, built from its line in policy.ts; a call without one cannot be added. */
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
      access.isShared && sharedAnswer,
    ].filter((guard) => guard !== false && guard !== undefined),
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

/** A refused call gives back what it took of a quota (kit/db/rate-limits.server.ts). */
const quotas: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { market, ctx } = c.var
  const limits = market.limits.ofRequest()
  c.set('market', Object.assign(Object.create(market) as typeof market, { limits }))
  await next()
  if (c.error)
    await limits.giveBackQuotas(ctx.db).catch((error: unknown) => ctx.log.warn({ err: error }, 'a quota could not be given back'))
}

/** The router's pages, each loader behind the guard of its entry in the page table. */
export function guardPages(routes: ServerBuild['routes']): ServerBuild['routes'] {
  const guarded = Object.entries(routes).map(([id, route]) => {
    const entry = pageTable.find((page) => page.id === id)
    const loader = route?.module.loader
    if (!entry || !route || !loader) return [id, route]
    return [id, { ...route, module: { ...route.module, loader: behindGuard(entry, loader) } }]
  })
  return Object.fromEntries(guarded) as ServerBuild['routes']
}

function behindGuard({ who, afterLogin }: PageEntry, load: LoaderFunction): LoaderFunction {
  if (who === 'anyone' || who === 'invited') return load
  const guard = pageLoader(async (ctx, { url }) => {
    if (who !== 'member') requireCapability(ctx, url, who)
    else requireViewer(ctx, afterLogin === undefined ? url : new URL(localized(afterLogin, ctx.locale), url))
  })
  return async (args) => {
    await guard(args as Parameters<typeof guard>[0])
    return load(args)
  }
}

/** The part of the router's build that the check at the start reads. */
type Routed = { id: string; module?: { action?: unknown } } | undefined

/** Throws at the start for a page whose action has no line in policy.ts. */
export function ensureActionsHaveLines(routes: readonly Routed[]): void {
  for (const route of routes) {
    const action = route?.module?.action as { id?: string } | undefined
    if (action && !(action.id && action.id in actions)) throw new Error(`The action of ${route!.id} has no line in policy.ts.`)
  }
}

/** The checks before a page's action, built from its line in policy.ts. */
export function guardOfAction(id: string): ActionGuard {
  const line = actions[id]
  if (!line) throw new Error(`The action ${id} has no line in policy.ts.`)
  return {
    isForMembers: line.who !== 'anyone',
    async pass(ctx, { form, limits, address }) {
      const own = line.acts?.[actOf(line, form)]
      const { who, limits: names, perPicture = [] } = { ...line, ...own }
      if (who !== 'anyone' && !ctx.viewer) throw new Problem('AUTH_REQUIRED')
      const pictures = perPicture.length > 0 ? picturesIn(form) : []
      await limits.takeAll(ctx.db, [...names, ...pictures.flatMap(() => perPicture)], { userId: ctx.viewer?.id ?? null, address })
      if (isRole(who)) ensureRole(ctx.viewer, who)
      if (line.acts && !own) throw new Problem('MALFORMED')
    },
  }
}

function actOf({ actField }: ActionAccess, form: FormData): string {
  const act = form.get(actField ?? 'act')
  return typeof act === 'string' ? act.split(':')[0]! : ''
}

const picturesIn = (form: FormData) => [...form.values()].filter((value) => value instanceof File && value.size > 0)

const isRole = (who: Access['who']): who is Capability | readonly Capability[] => who !== 'anyone' && who !== 'member'

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
  return async (c, next) => {
    ensureRole(c.var.ctx.viewer, who)
    await next()
  }
}

function ensureRole(viewer: Viewer | null, who: Capability | readonly Capability[]): void {
  const capabilities: readonly Capability[] = [who].flat()
  if (!capabilities.some((capability) => can(viewer, capability))) throw mayNot(viewer, capabilities[0]!)
}
