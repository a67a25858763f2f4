import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, ne, sql, type SQL } from 'drizzle-orm'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import type { Db } from '#src/kit/database.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { ADMIN_TYPE } from './rules.ts'
import { sessions, users } from './tables.ts'

/**
 * Sessions: an opaque random token in the browser's cookie, its hash here. Times are the database's: a clock that jumps opens
 * nothing again (safety.md §4.2).
 */
const DAY = 86_400
/** Seconds without a request, and in all, after which one must log in again. Shorter where more can be done. */
const ends = {
  people: { idle: 30 * DAY, absolute: 90 * DAY },
  admin: { idle: 1800, absolute: 12 * 3600 },
} as const
/** More devices than a family has; the one not used for longest ends. */
const MAX_SESSIONS = 10
/** `seen_at` is as old as this at most: a page needs no write of its own. */
const SEEN_EVERY_SECONDS = 60

export const sessionTokenHash = (token: string) => createHash('sha256').update(token).digest()
const isToken = (token: string) => /^[\w-]{43}$/.test(token)

export interface Session {
  id: number
  viewer: Viewer
  /** The authenticator's code is still to come: may do that, and nothing else. */
  awaitsTotp: boolean
  /** What else was asked for with it. */
  figures: Figures
}
type Figures = Record<string, number> | null

const aliveNow = sql.raw(`sessions.expires_at > now() and users.is_active and sessions.seen_at > now() - make_interval(
  secs => case when users.type_id = ${ADMIN_TYPE} then ${ends.admin.idle} else ${ends.people.idle} end)`)

/**
 * `figures`: what else is to be read of "users" in the same statement. Who holds this token, with today's roles; null when it is unknown, over, or its owner was deactivated.
 */
export async function findSession(db: Db, token: string, figures: SQL<Figures> = sql`null`): Promise<Session | null> {
  if (!isToken(token)) return null
  // As plain text: each request asks this, and to build it from its columns costs as much as to send it.
  const { rows } = (await db.execute(sql`
    select sessions.id::int as id, sessions.awaits_totp, sessions.seen_at > now() - make_interval(secs => ${sql.raw(String(SEEN_EVERY_SECONDS))}) as is_seen_lately,
      users.id::int as user_id, users.name, users.type_id, users.vet_approved, users.super_admin, ${figures} as figures
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = decode(${sessionTokenHash(token).toString('hex')}, 'hex') and ${aliveNow}`)) as unknown as {
    rows: FoundSession[]
  }
  const [row] = rows
  if (!row) return null
  if (!row.is_seen_lately) {
    await db
      .update(sessions)
      .set({ seenAt: sql`now()` })
      .where(eq(sessions.id, row.id))
  }
  const viewer = { id: row.user_id, name: row.name, typeId: row.type_id, vetApproved: row.vet_approved, superAdmin: row.super_admin }
  return { id: row.id, viewer, awaitsTotp: row.awaits_totp, figures: row.figures }
}

interface FoundSession {
  id: number
  awaits_totp: boolean
  is_seen_lately: boolean
  user_id: number
  name: string
  type_id: number
  vet_approved: boolean
  super_admin: boolean
  figures: Figures
}

/** Logs somebody in; answers the token for the cookie. The browser's old session, if any, ends with it. */
export async function startSession(
  ctx: Ctx,
  user: { id: number; typeId: number },
  browser: { device: string; oldToken: string | undefined; awaitsTotp?: boolean },
): Promise<string> {
  if (browser.oldToken) await endSession(ctx, browser.oldToken)
  const token = randomBytes(32).toString('base64url')
  const { absolute } = user.typeId === ADMIN_TYPE ? ends.admin : ends.people
  await ctx.db.insert(sessions).values({
    tokenHash: sessionTokenHash(token),
    userId: user.id,
    expiresAt: sql`now() + make_interval(secs => ${sql.raw(String(absolute))})` as never,
    device: browser.device,
    awaitsTotp: browser.awaitsTotp ?? false,
  })
  const kept = ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, user.id))
    .orderBy(desc(sessions.seenAt), desc(sessions.id))
    .limit(MAX_SESSIONS)
  await ctx.db.delete(sessions).where(and(eq(sessions.userId, user.id), sql`${sessions.id} not in ${kept}`))
  return token
}

/** The same session under a new token, for after a change of rights or phone: whoever had the old one is out. */
export async function rotateSession(ctx: Ctx): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const [row] = await ctx.db
    .update(sessions)
    .set({ tokenHash: sessionTokenHash(token), awaitsTotp: false })
    .where(eq(sessions.id, ctx.sessionId ?? 0))
    .returning({ id: sessions.id })
  if (!row) throw notFound()
  return token
}

export async function endSession(ctx: Ctx, token: string): Promise<void> {
  if (isToken(token)) await ctx.db.delete(sessions).where(eq(sessions.tokenHash, sessionTokenHash(token)))
}

/** Of the viewer's own, by its number in the list; NOT_FOUND when it is not his or gone already. */
export async function endOwnSession(ctx: Ctx, id: number): Promise<void> {
  const [ended] = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, ctx.viewer?.id ?? 0)))
    .returning({ id: sessions.id })
  if (!ended) throw notFound()
}

/** All of somebody's sessions, but for the one named. */
export async function endSessionsOf(ctx: Ctx, userId: number, exceptId: number | null = null): Promise<void> {
  await ctx.db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, exceptId ?? 0)))
}

interface SessionRow {
  id: number
  device: string
  createdAt: Date
  seenAt: Date
  isThis: boolean
}

/** The viewer's own, the latest used first. */
export async function listSessions(ctx: Ctx): Promise<SessionRow[]> {
  const rows = await ctx.db
    .select({ id: sessions.id, device: sessions.device, createdAt: sessions.createdAt, seenAt: sessions.seenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, ctx.viewer?.id ?? 0), aliveNow))
    .orderBy(desc(sessions.seenAt))
  return rows.map((row) => ({ ...row, isThis: row.id === ctx.sessionId }))
}
