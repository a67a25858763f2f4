import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import * as build from 'virtual:react-router/server-build'
import { readPhone } from '#src/kit/text/readers.ts'
import { makeFirstAdmin } from '#src/accounts/people/users.server.ts'
import { findBrokenSeal } from '#src/kit/records/audit.server.ts'
import { actionGuardsContext } from '#src/kit/http/page.server.ts'
import { frameViewerContext } from '#src/content/site-frame/frame-viewer.server.ts'
import { ctxContext, nonceContext, siteContext, visitorContext } from '#src/kit/context.ts'
import { EnvError, readEnv, withSecrets } from '#src/kit/base/env.server.ts'
import { openMarket, type Market } from '#src/market/market.server.ts'
import { reportPictures } from '#src/market/media-owner.server.ts'
import { seedSampleMarket } from '#src/demo/seed.server.ts'
import { makeBackup } from '#src/operation/backup/backup.server.ts'
import { writeNewKey } from '#src/operation/backup/key-file.server.ts'
import { moveMedia } from '#src/operation/move-media.server.ts'
import { moveToPostgres } from '#src/operation/backup/move.server.ts'
import { checkRestore } from '#src/operation/backup/restore-check.server.ts'
import { forgetPast, restoreBackup } from '#src/operation/backup/restore.server.ts'
import { examine } from '#src/operation/doctor.server.ts'
import { openOperatorPort } from '#src/operation/operator-port.server.ts'
import { smsTemplates, smsTemplatesAsCsv } from '#src/kit/messages/sms-templates.server.ts'
import { BackupRefused } from '#src/operation/backup/sealed-file.server.ts'
import { createApp } from './app.server.ts'
import { ensureActionsHaveLines, guardOfAction, guardPages } from './guards.server.ts'
import { patternFinder } from './route-patterns.ts'
import type { PageHandler } from './pages/page-site.server.ts'

/** The entry of the built site: the server (server.ts), commands (scripts/), tests and the bench start it here. */
export {
  BackupRefused,
  checkRestore,
  createApp,
  EnvError,
  examine,
  findBrokenSeal,
  makeBackup,
  makeFirstAdmin,
  moveMedia,
  moveToPostgres,
  openMarket,
  openOperatorPort,
  readEnv,
  readPhone,
  reportPictures,
  forgetPast,
  restoreBackup,
  seedSampleMarket,
  smsTemplates,
  smsTemplatesAsCsv,
  withSecrets,
  writeNewKey,
}
export type { Market }

// The types of the virtual module are those of an older build.
const pages = build as unknown as ServerBuild

ensureActionsHaveLines(Object.values(pages.routes))

/** Maps an address to its route pattern, for the counts of views and answers. */
const patternOf = patternFinder(Object.values(pages.routes).flatMap((route) => (route?.path ? [route.path] : [])))

const handle = createRequestHandler(
  { ...pages, routes: guardPages(pages.routes) },
  process.env.NODE_ENV === 'production' ? 'production' : 'development',
)

export function createSite(market: Market) {
  const pages: PageHandler = (request, { ctx, nonce, visitor, viewer, contact }) => {
    const context = new RouterContextProvider()
    context.set(ctxContext, ctx)
    context.set(nonceContext, nonce)
    context.set(siteContext, { ...market, contact })
    context.set(visitorContext, visitor && visitor.var)
    context.set(frameViewerContext, viewer)
    context.set(actionGuardsContext, guardOfAction)
    return handle(request, context)
  }
  return createApp(market, pages, patternOf)
}
