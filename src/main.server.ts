import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { createApp } from './app.server.ts'
import { readPhone } from './accounts/schemas.ts'
import { makeFirstAdmin } from './accounts/users.server.ts'
import { findBrokenSeal } from './kit/audit.server.ts'
import { ctxContext, nonceContext, siteContext, visitorContext } from './kit/context.ts'
import { EnvError, readEnv, withSecrets } from './kit/env.server.ts'
import { openMarket, type Market } from './market.server.ts'
import { seedSampleMarket } from './demo/seed.server.ts'

/** The built site's way in: the server (server.ts), commands (scripts/), tests and the bench all start it here. */
export { createApp, EnvError, findBrokenSeal, makeFirstAdmin, openMarket, readEnv, readPhone, seedSampleMarket, withSecrets }
export type { Market }

const handle = createRequestHandler(build as unknown as ServerBuild, process.env.NODE_ENV === 'production' ? 'production' : 'development')

export function createSite(market: Market) {
  return createApp(market, (request, { ctx, nonce, visitor }) => {
    const context = new RouterContextProvider()
    context.set(ctxContext, ctx)
    context.set(nonceContext, nonce)
    context.set(siteContext, market)
    context.set(visitorContext, visitor && visitor.var)
    return handle(request, context)
  })
}
