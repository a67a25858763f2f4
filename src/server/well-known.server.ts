import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { z } from 'zod'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { newestContact, knownContactShape } from '#src/kit/messages/contact-board.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { defaultSettings } from '#src/kit/settings.ts'
import type { Market } from '#src/market/market.server.ts'
import type { AppEnv } from './request.server.ts'

const DAY_MS = 86_400_000
/** RFC 9116 requires a date less than a year ahead. In whole days, so that the file changes at most once a day. */
const GOOD_FOR_DAYS = 180

const addWellKnownRow = z.object({ contact: knownContactShape.nullable() })

/** Standard addresses for programs: whom to send reports of a vulnerability to (RFC 9116), and where to change a password (W3C). */
export function addWellKnown(app: Hono<AppEnv>, { env, database, limits }: Market): void {
  app.get('/.well-known/security.txt', async (c) => {
    await limits.take('read', { userId: null, address: c.var.address })
    const row = await oneRowOf(database, sql`select ${newestContact} as contact`, addWellKnownRow)
    const { mail } = { ...defaultSettings.contact, ...row.contact?.value }
    const expires = new Date(Math.floor(c.var.ctx.now.getTime() / DAY_MS + GOOD_FOR_DAYS) * DAY_MS)
    const lines = [
      `Contact: mailto:${mail}`,
      `Contact: ${env.publicOrigin}/en/support`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: ta, en',
      `Canonical: ${env.publicOrigin}/.well-known/security.txt`,
    ]
    return c.text(`${lines.join('\n')}\n`, 200, { 'Cache-Control': 'public, max-age=3600' })
  })

  // Password managers open it to change a password. An anonymous visitor gets a reset by code instead.
  app.get('/.well-known/change-password', (c) => {
    const { viewer } = c.var.ctx
    const locale = c.var.cookies.lang === 'en' ? 'en' : 'ta'
    const to = viewer ? `/userprofile/${viewer.id}?change=password#profile-password-title` : '/reset-password'
    return c.body(null, 302, { Location: localized(to, locale), 'Cache-Control': 'no-store' })
  })
}
