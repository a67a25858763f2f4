import { setTimeout as sleep } from 'node:timers/promises'
import { and, desc, eq, inArray, isNull, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction, isDatabaseAway, type Db } from '#src/kit/db/database.server.ts'
import type { Log } from '#src/kit/log.server.ts'
import { tally } from '#src/kit/tally.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { nightWait } from './night.ts'

/**
 * Messages to people. A command writes one in the transaction that gives the reason for it; a worker in each process sends
 * what is due, so a message goes out after the commit or not at all.
 *
 * Once or twice? A message is claimed before it is sent (`attempts` raised, `due_at` moved to the end of a lease) and noted
 * as sent afterwards, so two workers never send the same one at the same time, and a process that is killed in between loses
 * nothing: when its lease ends, another sends. But if a kill, a lost database or our own patience comes between the provider's
 * yes and our note of it, it is sent again. Nobody can rule that out from our side, so every attempt carries the same
 * `messageKey`, by which a provider or a mail program can know the second one.
 */
export type Message = Omit<typeof outbox.$inferSelect, 'sealed'>
export type Channel = Message['channel']

/** Brings one message on its way. It should give up when the signal says so. */
export interface Gateway {
  send(message: OutgoingMessage, signal: AbortSignal): Promise<void>
  /** A demo's stand-in: what it "sent" stays readable on /dev/outbox, secrets too. */
  isStandIn?: true
}
export type Gateways = Record<Channel, Gateway>

export interface OutgoingMessage extends Message {
  /** The same at every attempt. */
  messageKey: string
}

/** Thrown by a gateway when trying again is no use: this recipient cannot be reached. */
export class Undeliverable extends Error {}

/** A gateway's error as one word for the log and the table; the provider's sentence may quote an address or the text. */
export class SendFailure extends Error {
  /** What the provider asks us to wait before the next try. */
  readonly retryAfterSeconds: number
  constructor(reason: string, retryAfterSeconds = 0) {
    super(reason)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const BATCH = 10
/** A gateway has this long for one message, whatever its own limits are. */
const SEND_WITHIN_MS = 15_000
/** Nobody else takes a claimed message before this: well over SEND_WITHIN_MS. */
export const LEASE_SECONDS = 60
/** How long after each failed attempt the next may come. A mail server that defers strangers wants about a quarter of an hour. */
export const RETRY_SECONDS = [10, 60, 300, 1200, 3600, 4 * 3600] as const
export const MAX_ATTEMPTS = RETRY_SECONDS.length + 1
/** How often a process looks for messages of others, or ones whose time has come. */
const POLL_MS = 3000
/** After a message was queued here: long enough for its transaction to be committed. */
const NUDGE_MS = 50
/** At a stop, running sends get this long; what is left is sent by the next process. */
const FINISH_WITHIN_MS = 5000
/** How long sent and given-up messages stay, to answer "did you write to me?". They hold people's addresses. */
export const KEEP_DAYS = 30
/** What a device has not said to have shown after so long is sent as an SMS. */
export const SHOWN_WITHIN_SECONDS = 600
/** A push that could not be handed over twice within these ten minutes is given up: its SMS comes. */
const MAX_PUSH_ATTEMPTS = 3
/** A provider that asks for more patience than this is not waited for. */
const MOST_PATIENCE_SECONDS = 3600
/** A person can read their notifications again for half a year. */
const KEEP_NOTIFICATION_DAYS = 180
const SWEEP_EVERY_MS = 3_600_000

const nudges = new Set<() => void>()

export interface NewMessage extends Pick<Message, 'channel' | 'template' | 'locale' | 'body'> {
  /** A phone or an address; of a push the number of the device. */
  to: string
  /** The recipient, if it is a registered person: they find the message on their own page, too. */
  userId?: number
  /** Of e-mails, and only of them. */
  subject?: string
  /** For a provider that fills in its own registered template: the text's variables by name. */
  variables?: Record<string, string>
  /** Text and variables stand sealed in the database, and are removed once they are sent. */
  isSecret?: boolean
  /** 1 for what would come too late at a second try. */
  maxAttempts?: number
  /** It can be taken back for this long: no worker sends it before. */
  delaySeconds?: number
  /** Of an SMS: devices that show it first. It is sent only if none of them has shown it in time. */
  devices?: readonly number[]
}

/** Call it inside the transaction that is the reason for the message. Answers its id. */
export async function queueMessage(ctx: Ctx, message: NewMessage): Promise<number> {
  const [id] = await queueMessages(ctx, [message])
  return id!
}

/** Several at once. Answers their ids in the same order. */
export async function queueMessages(ctx: Ctx, messages: NewMessage[]): Promise<number[]> {
  if (messages.length === 0) return []
  const first = messages.map((message) => (message.devices?.length ? nightWait(ctx.now) : 0))
  const rows = await ctx.db
    .insert(outbox)
    .values(messages.map((message, n) => rowOf(ctx, message, message.devices?.length ? first[n]! + SHOWN_WITHIN_SECONDS : 0)))
    .returning({ id: outbox.id })
  const ids = rows.map(({ id }) => id)
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
  const wait = delaySeconds + waitSeconds
  const dueAt = wait === 0 ? {} : { dueAt: sql`now() + make_interval(secs => ${wait}::float8)` }
  return { maxAttempts: MAX_ATTEMPTS, ...rest, ...dueAt, recipient: to, userId: userId ?? null, subject: subject ?? null, ...text }
}

/** Takes back a message that no worker has tried to send, nor a push that stands before it; false when it is too late. */
export async function takeBackMessage(ctx: Ctx, id: number): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    // Locked, so that no worker takes one of them between this look and the deletion.
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
 * A device says that it has shown this push. Its SMS is then not needed, unless an attempt to send it has begun: the worker's claim and
 * this update meet at the SMS's row, and only the first of them finds it open. False: too late, the SMS goes out as well.
 */
export async function noteShown(ctx: Ctx, pushId: number): Promise<{ template: string; device: number; isInTime: boolean } | null> {
  return inTransaction(ctx, async (ctx) => {
    const [push] = await ctx.db
      .update(outbox)
      .set({ shownAt: sql`coalesce(${outbox.shownAt}, now())` })
      .where(and(eq(outbox.id, pushId), eq(outbox.channel, 'push')))
      .returning({ template: outbox.template, recipient: outbox.recipient, standsBefore: outbox.standsBefore })
    if (!push) return null
    const told = { template: push.template, device: Number(push.recipient) }
    if (push.standsBefore === null) return { ...told, isInTime: true }
    const spared = await ctx.db
      .update(outbox)
      .set({ shownAt: sql`now()` })
      .where(and(eq(outbox.id, push.standsBefore), eq(outbox.attempts, 0), isNull(outbox.shownAt)))
      .returning({ id: outbox.id })
    return { ...told, isInTime: spared.length > 0 }
  })
}

const LOOK_AGAIN_MS = 60

/**
 * After the commit, for somebody who waits at a form: what became of the first attempt to send this message within the given
 * time, by whichever process it was made.
 */
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

/** How many the demo's /dev/outbox shows. */
const SHOWN_MESSAGES = 100

/** The newest first, secrets opened: for a demo's eyes and for tests. */
export async function listMessages(ctx: Ctx, count = SHOWN_MESSAGES): Promise<Message[]> {
  // What waits will be sent after all that was; of what went out at the same moment, the last written first.
  const rows = await ctx.db
    .select()
    .from(outbox)
    .orderBy(sql`${outbox.sentAt} desc nulls first`, desc(outbox.id))
    .limit(count)
  return rows.map((row) => opened(ctx.vault, row))
}

function opened(vault: Vault, { sealed, ...message }: typeof outbox.$inferSelect): Message {
  return sealed ? { ...message, ...(JSON.parse(vault.open('outbox', sealed)) as Pick<Message, 'body' | 'variables'>) } : message
}

export interface OutboxWorker {
  /** Sends what is due now and says how many were taken; for tests. The worker does it by itself. */
  look(channel: Channel): Promise<number>
  /** No further message is taken; running ones may finish. */
  stop(): Promise<void>
}

interface OutboxOptions {
  db: Db
  log: Log
  gateways: Gateways
  vault: Vault
  /** The public origin: its host is part of each message key. */
  origin: string
}

/** Each channel has a lane of its own: a mail server that hangs must not hold up the one-time passwords. */
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
    await db
      .delete(outbox)
      .where(
        sql`coalesce(${outbox.sentAt}, ${outbox.failedAt}, ${outbox.shownAt}) < now() - make_interval(days => case when ${outbox.userId} is null or ${outbox.channel} = 'push' then ${KEEP_DAYS}::int else ${KEEP_NOTIFICATION_DAYS}::int end)`,
      )
    sweptAt = performance.now()
  }

  /** One line when the database goes and one when it is back, however long that takes. */
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

/** Runs a round every few seconds, and soon after a nudge. The function it returns stops it once its round has ended. */
function startLane(round: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const runAfter = (ms: number) => {
    clearTimeout(timer)
    if (isStopped) return
    // Unreferenced: a waiting worker is no reason for a process to stay.
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

/** Neither sent nor given up, and no push was shown in its place. */
const isOpen = sql`${outbox.sentAt} is null and ${outbox.failedAt} is null and ${outbox.shownAt} is null`

/** One statement, so that it is whole on both engines: rows that another worker is just taking are passed over. */
async function claimDue({ db, vault }: OutboxOptions, channel: Channel): Promise<Message[]> {
  const due = db.$with('due').as(
    db
      .select({ id: outbox.id })
      .from(outbox)
      .where(sql`${isOpen} and ${outbox.dueAt} <= now() and ${outbox.channel} = ${channel}`)
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
    // Only a process that was killed at its last attempt leaves such a row.
    if (message.attempts > message.maxAttempts) throw new Undeliverable('NO_ANSWER')
    const signal = AbortSignal.timeout(SEND_WITHIN_MS)
    const messageKey = `outbox-${message.id}@${new URL(origin).hostname}`
    await Promise.race([gateways[message.channel].send({ ...message, messageKey }, signal), whenAborted(signal)])
  } catch (error) {
    return noteFailure(db, log, message, error)
  }
  tally('sandhai_messages_total', { channel: message.channel, template: message.template, outcome: 'sent' })
  // Whoever sent it notes it, even when the lease has run out meanwhile.
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
  // With this attempt's number: a later one is not this one's business.
  await db
    .update(outbox)
    .set({ lastError: reason, ...fate })
    .where(and(eq(outbox.id, id), eq(outbox.attempts, attempts), isNull(outbox.sentAt)))
  if (wait === undefined && message.standsBefore !== null) await sendNow(db, message.standsBefore)
}

function waitAfter(error: unknown, attempts: number): number | undefined {
  const asked = error instanceof SendFailure ? error.retryAfterSeconds : 0
  const own = RETRY_SECONDS[attempts - 1]
  return own === undefined || asked > MOST_PATIENCE_SECONDS ? undefined : Math.max(own, asked)
}

/** Nobody waits for a push that was given up: unless another device may still show it, its SMS is due. */
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

/** Of a demo: the message is "sent" when it can be read on /dev/outbox. */
export const demoGateway: Gateway = { send: async () => {}, isStandIn: true }
/** Of a live site without a provider for this channel: nothing is ever said to be sent. */
export const missingGateway: Gateway = {
  send: async () => {
    throw new SendFailure('NO_PROVIDER')
  },
}
