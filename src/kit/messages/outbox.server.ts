import { setTimeout as sleep } from 'node:timers/promises'
import { and, desc, eq, inArray, isNull, like, not, notExists, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Ctx } from '../context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import type { Db } from '#src/kit/db/db.ts'
import { isDatabaseAway } from '#src/kit/db/database-errors.server.ts'
import type { Log } from '#src/kit/base/log.server.ts'
import { tally } from '#src/kit/base/tally.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import type { Vault } from '../vault.server.ts'
import { nightWait } from './night.ts'

/**
 * Messages to people (transactional outbox). A command writes a message in the transaction that causes it, so it goes out after the commit or not
 * at all. Delivery is at least once: a worker claims a due message (raises `attempts`, moves `due_at` to the end of a lease), sends it, and marks it
 * as sent. When a kill, a lost database or a time-out falls between the provider's acceptance and the mark, the message is sent again; every attempt
 * carries the same `messageKey`, by which a provider or a mail program can recognize the repetition.
 */
export type Message = Omit<typeof outbox.$inferSelect, 'sealed'>
export type Channel = Message['channel']

/** Sends one message over its channel. It must stop when the signal aborts. */
export interface Gateway {
  send(message: OutgoingMessage, signal: AbortSignal): Promise<void>
  /** A demo's gateway sends nothing: its messages stay readable on /dev/outbox, including secrets. */
  isStandIn?: true
}
export type Gateways = Record<Channel, Gateway>

export interface OutgoingMessage extends Message {
  /** The same for every attempt. */
  messageKey: string
}

/** A gateway throws this when a retry cannot help: this recipient is not reachable. */
export class Undeliverable extends Error {}

/** A gateway's failure as one word for the log and the table, because the provider's sentence may quote an address or the text. */
export class SendFailure extends Error {
  /** The wait that the provider asks for before the next attempt. */
  readonly retryAfterSeconds: number
  constructor(reason: string, retryAfterSeconds = 0) {
    super(reason)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const BATCH = 10
/** The time-out of a gateway for one message, whatever its own limits are. */
const SEND_WITHIN_MS = 15_000
/** The lease of a claimed message; well above SEND_WITHIN_MS. */
export const LEASE_SECONDS = 60
/** The wait after each failed attempt. Greylisting mail servers require about a quarter of an hour. */
export const RETRY_SECONDS = [10, 60, 300, 1200, 3600, 4 * 3600] as const
export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1
/** The total wait after each number of failures. */
const waitedBefore = [0, ...RETRY_SECONDS].map((_, failures) => RETRY_SECONDS.slice(0, failures).reduce<number>((sum, wait) => sum + wait, 0))
/** How many seconds an open row has been due since its first attempt, because each failure moves `due_at`. Negative before it is due. */
export const secondsDue = sql.raw(
  `(extract(epoch from now() - due_at)::float8 + (array[${waitedBefore.join()}])[least(attempts, ${RETRY_SECONDS.length}) + 1])`,
)
/** How often a process looks for messages of other processes and for retries. */
const POLL_MS = 3000
/** The delay after this process queues a message, so that its transaction can commit first. */
const NUDGE_MS = 50
/** The time for running sends at shutdown. The next process sends the rest. */
const FINISH_WITHIN_MS = 5000
/** The retention of sent and failed messages, to answer "did you write to me?". They contain people's addresses. */
export const KEEP_DAYS = 30
/** Without a confirmation from a device within this time, the message goes out as an SMS. */
const SHOWN_WITHIN_SECONDS = 600
/** After this many failed attempts within those ten minutes, the outbox gives up the push, and its SMS goes out. */
const MAX_PUSH_ATTEMPTS = 3
/** The longest wait that a provider may ask for. */
const MOST_PATIENCE_SECONDS = 3600
/** People can reread their notifications for half a year. */
const KEEP_NOTIFICATION_DAYS = 180
/** A push is deleted with the SMS that went out in its place: by it the message desk tells why there was an SMS. */
const keepDays = sql`case when ${outbox.userId} is null then ${KEEP_DAYS}::int
  when ${outbox.channel} = 'push' and not exists (select 1 from outbox sms where sms.id = ${outbox.standsBefore} and sms.shown_at is null) then ${KEEP_DAYS}::int
  else ${KEEP_NOTIFICATION_DAYS}::int end`
const SWEEP_EVERY_MS = 3_600_000

const nudges = new Set<() => void>()

export interface NewMessage extends Pick<Message, 'channel' | 'template' | 'locale' | 'body'> {
  /** A phone number or an e-mail address; for a push, the number of the device. */
  to: string
  /** The recipient, if registered: they also find the message on their own page. */
  userId?: number
  /** E-mails only, and required there. */
  subject?: string
  variables?: Record<string, string>
  /** Stores text and variables sealed and deletes them once they are sent. */
  isSecret?: boolean
  /** 1 for messages that are useless when late. */
  maxAttempts?: number
  /** No worker sends the message before this delay, so the sender can take it back. */
  delaySeconds?: number
  /** For an SMS: the devices that get a push first. The SMS goes out only if none of them shows the push in time. */
  devices?: readonly number[]
}

/** Queues a message and returns its id. Call it inside the transaction that causes the message. */
export async function queueMessage(ctx: Ctx, message: NewMessage): Promise<number> {
  const [id] = await queueMessages(ctx, [message])
  return id!
}

/** Queues several messages and returns their ids in the same order. */
export async function queueMessages(ctx: Ctx, messages: NewMessage[]): Promise<number[]> {
  if (messages.length === 0) return []
  const first = messages.map((message) => (message.devices?.length ? nightWait(ctx.now) : 0))
  const rows = await ctx.db
    .insert(outbox)
    .values(messages.map((message, n) => rowOf(ctx, message, message.devices?.length ? first[n]! + SHOWN_WITHIN_SECONDS : 0)))
    .returning({ id: outbox.id })
  const ids = rows.map(({ id }) => id)
  ctx.held?.ids.push(...ids)
  const pushes = messages.flatMap(({ devices = [], ...message }, n) =>
    devices.map((device) => ({
      ...rowOf(ctx, { ...message, channel: 'push', to: String(device), maxAttempts: MAX_PUSH_ATTEMPTS }, first[n]!),
      standsBefore: ids[n]!,
    })),
  )
  if (pushes.length > 0) await ctx.db.insert(outbox).values(pushes)
  for (const nudge of nudges) nudge()
  return ids
}

function rowOf(ctx: Ctx, message: NewMessage, waitSeconds: number) {
  const { to, userId, body, subject, variables = {}, isSecret = false, delaySeconds = 0, devices: _, ...rest } = message
  const text = isSecret ? { body: '', sealed: ctx.vault.seal('outbox', JSON.stringify({ body, variables })) } : { body, variables }
  const wait = Math.max(delaySeconds, ctx.held?.seconds ?? 0) + waitSeconds
  const dueAt = wait === 0 ? {} : { dueAt: sql`now() + make_interval(secs => ${wait}::float8)` }
  return { maxAttempts: MAX_ATTEMPTS, ...rest, ...dueAt, recipient: to, userId: userId ?? null, subject: subject ?? null, ...text }
}

/** Deletes a message before its first attempt, together with its pushes. Returns false when it is too late. */
export async function takeBackMessage(ctx: Ctx, id: number): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    // Lock the rows, so that no worker claims one between this check and the deletion.
    const rows = await ctx.db
      .select({ attempts: outbox.attempts })
      .from(outbox)
      .where(or(eq(outbox.id, id), eq(outbox.standsBefore, id)))
      .for('update')
    if (rows.length === 0 || rows.some(({ attempts }) => attempts > 0)) return false
    await ctx.db.delete(outbox).where(eq(outbox.id, id))
    return true
  })
}

/**
 * Records a device's confirmation that it showed a push. The SMS is then not needed, unless an attempt to send it has begun: the worker's claim and
 * this update compete for the SMS's row, and only the first one finds it open. `isInTime` is false when the SMS goes out as well.
 */
export async function noteShown(ctx: Ctx, pushId: number): Promise<{ template: string; device: number; isInTime: boolean } | null> {
  return inTransaction(ctx, async (ctx) => {
    const [push] = await ctx.db
      .update(outbox)
      .set({ shownAt: sql`coalesce(${outbox.shownAt}, now())` })
      .where(and(eq(outbox.id, pushId), eq(outbox.channel, 'push')))
      .returning({ template: outbox.template, recipient: outbox.recipient, standsBefore: outbox.standsBefore })
    if (!push) return null
    const shownPush = { template: push.template, device: Number(push.recipient) }
    if (push.standsBefore === null) return { ...shownPush, isInTime: true }
    const spared = await ctx.db
      .update(outbox)
      .set({ shownAt: sql`now()` })
      .where(and(eq(outbox.id, push.standsBefore), eq(outbox.attempts, 0), isNull(outbox.shownAt)))
      .returning({ id: outbox.id })
    return { ...shownPush, isInTime: spared.length > 0 }
  })
}

const LOOK_AGAIN_MS = 60

/** For a person who waits at a form: returns the outcome of the first attempt within the given time, by any process. Call it after the commit. */
export async function firstAttempt(ctx: Ctx, id: number, withinMs: number): Promise<'sent' | 'failed' | 'running'> {
  const end = performance.now() + withinMs
  for (;;) {
    const [row] = await ctx.db
      .select({ sentAt: outbox.sentAt, failedAt: outbox.failedAt, lastError: outbox.lastError })
      .from(outbox)
      .where(eq(outbox.id, id))
    if (row?.sentAt) return 'sent'
    if (!row || row.failedAt || row.lastError) return 'failed'
    const left = end - performance.now()
    if (left <= 0) return 'running'
    await sleep(Math.min(left, LOOK_AGAIN_MS))
  }
}

/** The number of messages on the demo's /dev/outbox. */
const SHOWN_MESSAGES = 100

/**
 * Lists messages newest first with opened secrets, for demos and tests. Counts one-time codes apart from other messages, because nobody gets
 * in when the messages of a night hide the codes.
 */
export async function listMessages(ctx: Ctx, count = SHOWN_MESSAGES): Promise<Message[]> {
  // A message that waits has no time of sending yet.
  const newestFirst = [desc(sql`coalesce(${outbox.sentAt}, ${outbox.createdAt})`), desc(outbox.id)]
  const isCode = like(outbox.template, 'otp-%')
  const newest = (where: SQL) =>
    ctx.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(where)
      .orderBy(...newestFirst)
      .limit(count)
  const rows = await ctx.db
    .select()
    .from(outbox)
    .where(or(inArray(outbox.id, newest(isCode)), inArray(outbox.id, newest(not(isCode)))))
    .orderBy(...newestFirst)
  return rows.map((row) => opened(ctx.vault, row))
}

function opened(vault: Vault, { sealed, ...message }: typeof outbox.$inferSelect): Message {
  return sealed ? { ...message, ...(JSON.parse(vault.open('outbox', sealed)) as Pick<Message, 'body' | 'variables'>) } : message
}

export interface OutboxWorker {
  /** For tests: sends the due messages and returns their number. The worker does this automatically. */
  look(channel: Channel): Promise<number>
  /** Claims no further message; running sends may finish. */
  stop(): Promise<void>
}

interface OutboxOptions {
  db: Db
  log: Log
  gateways: Gateways
  vault: Vault
  /** The public origin. Its host is part of each message key. */
  origin: string
}

/** Starts one worker per channel, so a hanging mail server does not delay one-time passwords. */
export function startOutbox(options: OutboxOptions & { isManual?: boolean }): OutboxWorker {
  const { db, log } = options
  let isStopped = false
  let isAway = false
  let sweptAt = -Infinity

  async function look(channel: Channel): Promise<number> {
    const claimed = await claimDue(options, channel)
    await Promise.all(claimed.map((message) => sendOne(options, message)))
    return claimed.length
  }

  async function sweep(): Promise<void> {
    if (performance.now() - sweptAt < SWEEP_EVERY_MS) return
    const endedAt = sql`coalesce(${outbox.sentAt}, ${outbox.failedAt}, ${outbox.shownAt})`
    await db.delete(outbox).where(sql`${endedAt} < now() - make_interval(days => ${keepDays})`)
    sweptAt = performance.now()
  }

  /** Logs one line when the database becomes unreachable and one when it is back. */
  async function round(channel: Channel): Promise<void> {
    try {
      await sweep()
      while (!isStopped && (await look(channel)) === BATCH);
      if (isAway) log.info('outbox at work again')
      isAway = false
    } catch (error) {
      if (isAway || isStopped) return
      isAway = true
      if (isDatabaseAway(error)) log.warn('outbox waits for the database')
      else log.error({ err: error }, 'outbox failed')
    }
  }

  const channels = options.isManual ? [] : (Object.keys(options.gateways) as Channel[])
  const lanes = channels.map((channel) => startLane(() => round(channel)))
  return {
    look,
    stop: async () => {
      isStopped = true
      const late = new Promise((resolve) => setTimeout(resolve, FINISH_WITHIN_MS).unref())
      await Promise.race([Promise.all(lanes.map((finish) => finish())), late])
    },
  }
}

/** Runs a round every few seconds and soon after a nudge. The returned function stops the lane after its current round. */
function startLane(round: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const runAfter = (ms: number) => {
    clearTimeout(timer)
    if (isStopped) return
    // Unreferenced, so that an idle worker does not keep the process alive.
    timer = setTimeout(() => (running = round().finally(() => runAfter(POLL_MS))), ms).unref()
  }
  const nudge = () => void running.then(() => runAfter(NUDGE_MS))
  nudges.add(nudge)
  runAfter(POLL_MS)
  return async () => {
    isStopped = true
    nudges.delete(nudge)
    clearTimeout(timer)
    await running
  }
}

/** Neither sent nor given up, and no device showed a push for it. */
const isOpen = sql`${outbox.sentAt} is null and ${outbox.failedAt} is null and ${outbox.shownAt} is null`

/** Claims due rows in one atomic statement and skips rows that another worker holds. */
async function claimDue({ db, vault }: OutboxOptions, channel: Channel): Promise<Message[]> {
  const due = db.$with('due').as(
    db
      .select({ id: outbox.id })
      .from(outbox)
      // Both rounded to milliseconds: a message that was queued just now is due.
      .where(sql`${isOpen} and ${outbox.dueAt} <= now()::timestamptz(3) and ${outbox.channel} = ${channel}`)
      .orderBy(outbox.dueAt, outbox.id)
      .limit(BATCH)
      .for('update', { skipLocked: true }),
  )
  const claimed = await db
    .with(due)
    .update(outbox)
    .set({ attempts: sql`${outbox.attempts} + 1`, dueAt: sql`now() + make_interval(secs => ${LEASE_SECONDS})` })
    .where(inArray(outbox.id, db.select({ id: due.id }).from(due)))
    .returning()
  return claimed.toSorted((a, b) => a.id - b.id).map((row) => opened(vault, row))
}

async function sendOne({ db, log, gateways, origin }: OutboxOptions, message: Message): Promise<void> {
  try {
    // Only a process killed during its last attempt leaves such a row.
    if (message.attempts > message.maxAttempts) throw new Undeliverable('NO_ANSWER')
    const signal = AbortSignal.timeout(SEND_WITHIN_MS)
    const messageKey = `outbox-${message.id}@${new URL(origin).hostname}`
    await Promise.race([gateways[message.channel].send({ ...message, messageKey }, signal), whenAborted(signal)])
  } catch (error) {
    return noteFailure(db, log, message, error)
  }
  tally('sandhai_messages_total', { channel: message.channel, template: message.template, outcome: 'sent' })
  // The worker that sent the message marks it, even if its lease has expired.
  await db
    .update(outbox)
    .set({ sentAt: sql`now()`, lastError: null, ...(!gateways[message.channel].isStandIn && { sealed: null }) })
    .where(and(eq(outbox.id, message.id), isNull(outbox.sentAt)))
}

async function noteFailure(db: Db, log: Log, message: Message, error: unknown): Promise<void> {
  const { id, channel, template, attempts, maxAttempts } = message
  const reason = reasonOf(error)
  const wait = error instanceof Undeliverable || attempts >= maxAttempts ? undefined : waitAfter(error, attempts)
  tally('sandhai_messages_total', { channel, template, outcome: wait === undefined ? 'given_up' : 'failed' })
  const facts = { message: id, channel, template, attempts, reason }
  if (wait === undefined) log.error(facts, 'message given up')
  else log.warn(facts, 'message not sent, will be tried again')
  const fate = wait === undefined ? { failedAt: sql`now()`, sealed: null } : { dueAt: sql`now() + make_interval(secs => ${wait})` }
  // Matches this attempt's number, so that a later attempt is not overwritten.
  await db
    .update(outbox)
    .set({ lastError: reason, ...fate })
    .where(and(eq(outbox.id, id), eq(outbox.attempts, attempts), isNull(outbox.sentAt)))
  if (wait === undefined && message.standsBefore !== null) await sendNow(db, message.standsBefore)
}

function waitAfter(error: unknown, attempts: number): number | undefined {
  const retryAfterSeconds = error instanceof SendFailure ? error.retryAfterSeconds : 0
  const own = RETRY_SECONDS[attempts - 1]
  return own === undefined || retryAfterSeconds > MOST_PATIENCE_SECONDS ? undefined : Math.max(own, retryAfterSeconds)
}

/** Makes the SMS of a failed push due at once, unless another device may still show it. */
async function sendNow(db: Db, id: number): Promise<void> {
  const push = alias(outbox, 'push')
  const waiting = db
    .select({ id: push.id })
    .from(push)
    .where(and(eq(push.standsBefore, id), isNull(push.failedAt)))
  await db
    .update(outbox)
    .set({ dueAt: sql`now()` })
    .where(and(eq(outbox.id, id), eq(outbox.attempts, 0), notExists(waiting)))
}

function reasonOf(error: unknown): string {
  if (error instanceof Undeliverable || error instanceof SendFailure) return error.message.slice(0, 100)
  return error instanceof Error ? error.name : 'UNKNOWN'
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new SendFailure('TIMEOUT')), { once: true }))
}

/** A demo's gateway: /dev/outbox shows the messages. */
export const demoGateway: Gateway = { send: async () => {}, isStandIn: true }
/** For a live site without a provider for this channel: every send fails. */
export const missingGateway: Gateway = {
  send: async () => {
    throw new SendFailure('NO_PROVIDER')
  },
}
