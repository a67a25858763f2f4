import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, ne, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import { forgetDevice, forgetDevicesOf } from './known-devices.server.ts'
import { ADMIN_TYPE, VET_TYPE } from './rules.ts'
import { sessions, users } from './tables.ts'

/**
 * Sessions: the cookie holds an opaque random token, the database its hash. Expiry uses the database's clock, so a jump of the server's
 * clock revives no session (safety.md §4.2).
 */
const DAY = 86_400
/** Idle and absolute lifetime in seconds; shorter for people with more rights. */
const ends = {
  people: { idle: 30 * DAY, absolute: 90 * DAY },
  admin: { idle: 1800, absolute: 12 * 3600 },
} as const
/** Above this number, the least recently used session ends. */
const MAX_SESSIONS = 10
/** Maximum age of `seen_at`, so that not every page writes it. */
const SEEN_EVERY_SECONDS = 60
/** How long a sign-in by code counts as proof instead of a password, for people without one. */
const PROOF_MINUTES = 15

/** Returns what the database stores of a token in a cookie. */
export const hashOfToken = (token: string) => createHash('sha256').update(token).digest()
const isToken = (token: string) => /^[\w-]{43}(\.[\w-]{11})?$/.test(token)

/** A new token for a person of this type. That of an admin or a vet ends with a mark. */
export function newSessionToken(vault: Vault, typeId: number): string {
  const random = randomBytes(32).toString('base64url')
  return typeId === ADMIN_TYPE || typeId === VET_TYPE ? `${random}.${deskMark(vault, random)}` : random
}

const deskMark = (vault: Vault, random: string) => vault.mac('desk-token', random).subarray(0, 8).toString('base64url')

/**
 * Whether the market made this token for an admin or a vet, without a statement (decision 0119). It proves no rights: the session may have
 * ended, and the person may have lost their role.
 */
export function isDeskToken(vault: Vault, token: string): boolean {
  const [random = '', mark] = token.split('.')
  return mark !== undefined && mark === deskMark(vault, random)
}

const figuresShape = z.record(z.string(), z.number()).nullable()
type Figures = z.output<typeof figuresShape>

const aliveNow = sql.raw(`sessions.expires_at > now() and users.is_active and sessions.seen_at > now() - make_interval(
  secs => case when users.type_id = ${ADMIN_TYPE} then ${ends.admin.idle} else ${ends.people.idle} end)`)

/**
 * The holder of this token with their current roles; null when it is unknown or expired, or its owner was deactivated. `figures`: further
 * SQL over "users" for the same statement.
 */
export async function findSession(db: Db, token: string, figures: SQL<Figures> = sql`null`): Promise<Session | null> {
  if (!isToken(token)) return null
  // Plain SQL: every request runs this, and building it from columns would cost as much as sending it.
  const rows = await rowsOf(
    { db },
    sql`
    select sessions.id::int as id, sessions.awaits_totp as "awaitsTotp", ${figures} as figures,
      sessions.seen_at > now() - make_interval(secs => ${sql.raw(String(SEEN_EVERY_SECONDS))}) as "isSeenLately",
      json_build_object('id', users.id, 'name', users.name, 'typeId', users.type_id, 'vetApproved', users.vet_approved,
        'superAdmin', users.super_admin, 'hasPowers', users.is_staff or users.is_admin or users.super_admin) as viewer
    from sessions join users on users.id = sessions.user_id
    where sessions.token_hash = decode(${hashOfToken(token).toString('hex')}, 'hex') and ${aliveNow}`,
    foundSessionShape,
  )
  if (!rows[0]) return null
  const { isSeenLately, ...session } = rows[0]
  if (!isSeenLately) {
    await db
      .update(sessions)
      .set({ seenAt: sql`now()` })
      .where(eq(sessions.id, session.id))
  }
  return session
}

const foundSessionShape = z.object({
  id: z.number(),
  viewer: z.object({
    id: z.number(),
    name: z.string(),
    typeId: z.number(),
    vetApproved: z.boolean(),
    superAdmin: z.boolean(),
    hasPowers: z.boolean(),
  }),
  /** The session still lacks the authenticator's code and can do nothing else. */
  awaitsTotp: z.boolean(),
  isSeenLately: z.boolean(),
  /** Further figures from the same statement. */
  figures: figuresShape,
})
export type Session = Omit<z.output<typeof foundSessionShape>, 'isSeenLately'>

/** Logs a person in and returns the token for the cookie. Ends the browser's old session, if any. */
export async function startSession(
  ctx: Ctx,
  user: { id: number; typeId: number },
  browser: {
    device: string
    deviceHash: Buffer
    oldToken: string | undefined
    awaitsTotp?: boolean
    isByPassword?: boolean
    isByCode?: boolean
  },
): Promise<string> {
  if (browser.oldToken) await endSession(ctx, browser.oldToken)
  const token = newSessionToken(ctx.vault, user.typeId)
  const { absolute } = user.typeId === ADMIN_TYPE ? ends.admin : ends.people
  await ctx.db.insert(sessions).values({
    tokenHash: hashOfToken(token),
    userId: user.id,
    expiresAt: sql`now() + make_interval(secs => ${sql.raw(String(absolute))})`,
    device: browser.device,
    deviceHash: browser.deviceHash,
    awaitsTotp: browser.awaitsTotp ?? false,
    isByPassword: browser.isByPassword ?? false,
    proofUntil: browser.isByCode ? sql`now() + make_interval(mins => ${sql.raw(String(PROOF_MINUTES))})` : null,
  })
  const newest = ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.userId, user.id))
    .orderBy(desc(sessions.seenAt), desc(sessions.id))
    .limit(MAX_SESSIONS)
  await ctx.db.delete(sessions).where(and(eq(sessions.userId, user.id), sql`${sessions.id} not in ${newest}`))
  return token
}

/** Gives the session a new token after a change of rights or phone; the old token becomes invalid. */
export async function rotateSession(ctx: Ctx): Promise<string> {
  // Only admins are no viewers yet: their session still lacks the authenticator's code.
  const token = newSessionToken(ctx.vault, ctx.viewer?.typeId ?? ADMIN_TYPE)
  const [row] = await ctx.db
    .update(sessions)
    .set({ tokenHash: hashOfToken(token), awaitsTotp: false })
    .where(eq(sessions.id, ctx.sessionId ?? 0))
    .returning({ id: sessions.id })
  if (!row) throw notFound()
  return token
}

/** Whether this session began with a code within `PROOF_MINUTES`. */
export async function hasFreshProof(ctx: Ctx): Promise<boolean> {
  return (await ctx.db.$count(sessions, and(eq(sessions.id, ctx.sessionId ?? 0), gt(sessions.proofUntil, sql`now()`)))) > 0
}

export async function endSession(ctx: Ctx, token: string): Promise<void> {
  if (isToken(token)) await ctx.db.delete(sessions).where(eq(sessions.tokenHash, hashOfToken(token)))
}

/**
 * Ends one of the viewer's sessions by its id in the list; its browser is then no longer known. NOT_FOUND when it is another person's or
 * unknown.
 */
export async function endOwnSession(ctx: Ctx, id: number): Promise<void> {
  const userId = ctx.viewer?.id ?? 0
  const [ended] = await ctx.db
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ deviceHash: sessions.deviceHash })
  if (!ended) throw notFound()
  if (ended.deviceHash && id !== ctx.sessionId) await forgetDevice(ctx, userId, ended.deviceHash)
}

/** Ends all sessions of a person except the named one; their other browsers are then no longer known. */
export async function endSessionsOf(ctx: Ctx, userId: number, exceptId: number | null = null): Promise<void> {
  await forgetDevicesOf(ctx, userId, exceptId)
  await ctx.db.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, exceptId ?? 0)))
}

/** The viewer's own sessions, most recently used first. */
export async function listSessions(ctx: Ctx) {
  const rows = await ctx.db
    .select({ id: sessions.id, device: sessions.device, createdAt: sessions.createdAt, seenAt: sessions.seenAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.userId, ctx.viewer?.id ?? 0), aliveNow))
    .orderBy(desc(sessions.seenAt), desc(sessions.id))
  return rows.map((row) => ({ ...row, isThis: row.id === ctx.sessionId }))
}
