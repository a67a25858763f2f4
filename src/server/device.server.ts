import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hono, MiddlewareHandler } from 'hono'
import { SHARE_PATH, WORKER_PATH } from '#src/content/offline/names.ts'
import workerFile from '#src/content/offline/worker/worker.ts?worker&url'
import { manifestFor } from '#src/content/offline/manifest.server.ts'
import { retiredWorker } from '#src/content/offline/retired-worker.server.ts'
import { ownerMarkOf } from '#src/kit/http/copy-owner.server.ts'
import { FOR_OUTBOX, NOBODY } from '#src/kit/http/market-answer.ts'
import { bare, localeOfPath, localized } from '#src/kit/text/locale.ts'
import type { Viewer } from '#src/kit/context.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import type { Market } from '#src/market/market.server.ts'
import { copiedPages } from '#src/page-table.ts'
import type { AppEnv } from './request.server.ts'

/** The value of the header that names the owner of an answer, for the copies on the phone (content/offline/worker/owner.ts). */
export const copyOwnerOf = (viewer: Viewer | null, secret: string) => (viewer ? ownerMarkOf(viewer.id, secret) : NOBODY)

/** A redirect says that a form was accepted, or that its owner must log in (kit/http/market-answer.ts). */
const answerOutbox: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (!c.req.header(FOR_OUTBOX) || c.res.status < 300 || c.res.status > 399) return
  const isToLogin = bare(c.res.headers.get('Location') ?? '').startsWith('/login')
  c.res = c.body(null, isToLogin ? 401 : 204)
}

/**
 * Routes that make the market an app on a phone: the manifest, the service worker, the share target, and answers for
 * its outbox.
 */
export function addDevice(app: Hono<AppEnv>, { env }: Market): void {
  app.use(answerOutbox)
  for (const locale of ['ta', 'en'] as const) {
    const manifest = JSON.stringify(manifestFor(locale))
    app.get(localized('/manifest.webmanifest', locale), (c) =>
      c.body(manifest, 200, { 'Content-Type': 'application/manifest+json; charset=utf-8', 'Cache-Control': 'public, max-age=3600' }),
    )
  }
  const worker = env.hasOfflineCopies ? readWorker() : retiredWorker
  app.get(WORKER_PATH, (c) =>
    worker === null
      ? c.body('', 404, { 'Cache-Control': 'no-store' })
      : c.body(worker, 200, {
          'Content-Type': 'text/javascript; charset=utf-8',
          'Cache-Control': 'no-cache',
          // The worker connects to our origin only.
          'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
        }),
  )
  // With a worker, the worker answers this request and stores what is shared. Without one nothing can be stored, so the sell form opens empty.
  for (const locale of ['ta', 'en'] as const)
    app.post(localized(SHARE_PATH, locale), (c) =>
      c.body(null, 303, { Location: localized('/sell', localeOfPath(c.req.path)), 'Cache-Control': 'no-store' }),
    )
}

/** Starts with the build's number, so that each build installs a new worker even if the worker's code is the same. */
function readWorker(): string | null {
  const client = join(projectRoot, 'build/client')
  const file = join(client, workerFile)
  if (!existsSync(file)) return null
  const build = createHash('sha256')
    .update(readdirSync(join(client, 'assets')).toSorted().join())
    .digest('hex')
    .slice(0, 12)
  return `self.BUILD="${build}";self.COPIED=${JSON.stringify(copiedPages)};${readFileSync(file, 'utf8')}`
}
