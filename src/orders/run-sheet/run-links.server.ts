import { randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { accountRules, requireCan, requireLoggedIn } from '#src/accounts/policy.ts'
import { internalTypeOf } from '#src/accounts/rules.ts'
import { isHere, users } from '#src/accounts/tables.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { notFound, invalidField } from '#src/kit/base/problem.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { bearers, runLinks } from '../tables.ts'

/** 128 bits cannot be guessed. Lower-case hex, because paths match in any letter case. */
const TOKEN_BYTES = 16
const TOKEN = /^[0-9a-f]{32}$/
/** The bearers' language. */
const LOCALE = 'ta'

/**
 * Makes the link to a bearer's page of one day and sends it to them by SMS. An earlier link of the same day opens the page no more, and
 * still lets acts pass. Returns the link, which is not stored in readable form. ROLE_FORBIDDEN, NOT_FOUND, VALIDATION for a past day.
 */
export async function makeRunLink(ctx: Ctx, { bearerId, day }: { bearerId: number; day: string }): Promise<string> {
  requireCan(ctx, 'operate')
  if (day < indianDay(ctx.now)) throw invalidField('day', 'field_order_day')
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  const link = `${ctx.publicOrigin}/bring/${token}`
  await inTransaction(ctx, async (ctx) => {
    const [bearer] = await ctx.db
      .select()
      .from(bearers)
      .where(and(eq(bearers.id, bearerId), sql`${bearers.phone} <> ''`))
      .for('update')
    if (!bearer) throw notFound()
    await ctx.db.insert(runLinks).values({ tokenHash: ctx.vault.mac('run-link', token), bearerId, day, madeById: requireLoggedIn(ctx).id })
    await audit(ctx, 'run_link_made', `bearer:${bearerId}`, { day })
    const variables = { day: formatDay(new Date(day), LOCALE), link }
    await queueMessage(ctx, {
      channel: 'sms',
      to: bearer.phone,
      template: 'run-sheet',
      locale: LOCALE,
      body: m.sms_run_sheet(variables, { locale: LOCALE }),
      variables,
      // The link gives access to the addresses.
      isSecret: true,
    })
  })
  return link
}

/** Makes every link of the bearer and that day stop working at once, for acts too. */
export async function revokeRunLink(ctx: Ctx, { bearerId, day }: { bearerId: number; day: string }): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .update(runLinks)
      .set({ revokedAt: ctx.now })
      .where(and(eq(runLinks.bearerId, bearerId), eq(runLinks.day, day), isNull(runLinks.revokedAt)))
    await audit(ctx, 'run_link_revoked', `bearer:${bearerId}`, { day })
  })
}

interface RunLink {
  bearer: { id: number; name: string }
  day: string
  /** The admin whose rights the link lends. */
  maker: Viewer
}

/** An act that waited on a phone without a connection may arrive until noon of the next day. */
const LATE_MS = 12 * 60 * 60_000

/**
 * Null for an unknown, revoked or other day's link, and when its maker or bearer no longer works here. The page of a
 * link ends at midnight or with a later link, its acts (`isAct`) at noon.
 */
export async function findRunLink(ctx: Pick<Ctx, 'db' | 'vault' | 'now'>, token: string, { isAct = false } = {}): Promise<RunLink | null> {
  if (!TOKEN.test(token.toLowerCase())) return null
  const moments = isAct ? [ctx.now, new Date(ctx.now.getTime() - LATE_MS)] : [ctx.now]
  const later = alias(runLinks, 'later')
  const isReplaced = and(eq(later.bearerId, runLinks.bearerId), eq(later.day, runLinks.day), gt(later.id, runLinks.id))
  const [found] = await ctx.db
    .select({ bearer: bearers, day: runLinks.day, maker: users })
    .from(runLinks)
    .innerJoin(bearers, eq(bearers.id, runLinks.bearerId))
    .innerJoin(users, and(eq(users.id, runLinks.madeById), isHere))
    .where(
      and(
        inArray(runLinks.tokenHash, ctx.vault.macs('run-link', token.toLowerCase())),
        inArray(runLinks.day, moments.map(indianDay)),
        isNull(runLinks.revokedAt),
        eq(bearers.isActive, true),
        isAct
          ? undefined
          : notExists(
              ctx.db
                .select({ one: sql`1` })
                .from(later)
                .where(isReplaced),
            ),
      ),
    )
  if (!found) return null
  const { id, name, typeId, vetApproved, superAdmin } = found.maker
  const maker = { id, name, typeId, vetApproved, superAdmin, hasPowers: internalTypeOf(found.maker) > 0 }
  return accountRules.operate(maker) ? { bearer: found.bearer, day: found.day, maker } : null
}

/** Retention after the link's day. */
const KEEP_DAYS = 30

export const sweepRunLinks = async (db: Db): Promise<void> => {
  await db.delete(runLinks).where(lt(runLinks.day, sql`(now() - make_interval(days => ${KEEP_DAYS}))::date`))
}
