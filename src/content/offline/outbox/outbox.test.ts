import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LaterAct } from '#src/kit/device/send-later.ts'
import { often } from '#tools/test-kit/often.ts'
import { LINK, Outbox, type Deliver, type Delivery, type Waiting } from './outbox.ts'

const NOW = 1_800_000_000_000
let boxes = 0
const newName = () => `outbox-${boxes++}`
const thread = (words: string): LaterAct => ({
  kind: 'thread',
  method: 'POST',
  path: '/forum',
  fields: [['stamp', words]],
  words,
  locale: 'ta',
})
const heart = (id: number, method: 'PUT' | 'DELETE'): LaterAct => ({
  kind: 'heart',
  object: `/saved/${id}`,
  method,
  path: `/saved/${id}`,
  words: '',
  locale: 'ta',
})
const listing = (words: string): LaterAct => ({ kind: 'listing', method: 'POST', path: '/waiting-listing', body: {}, words, locale: 'ta' })
const handover = (code: string): LaterAct => ({ ...thread(code), kind: 'handover', object: 'handover-7', path: '/bring/x', isByLink: true })

/** Outcomes of one request. `lost`: it arrived but the answer did not. `killed`: the phone stops before or after the request. */
const FATES = ['taken', 'refused', 'no line', 'lost', 'killed before', 'killed after'] as const
type Fate = (typeof FATES)[number]
class Killed extends Error {}

/** Accepts each form once, as the market does by its idempotency key; a repeated form that was refused is refused again. */
class Server {
  readonly taken: string[] = []
  readonly deliver =
    (fate: Fate) =>
    async (act: Waiting): Promise<Delivery> => {
      if (fate === 'killed before') throw new Killed()
      if (fate === 'no line') return { kind: 'offline' }
      if (fate === 'refused') return { kind: 'refused', reason: 'no' }
      if (!this.taken.includes(act.words)) this.taken.push(act.words)
      if (fate === 'killed after') throw new Killed()
      return fate === 'lost' ? { kind: 'offline' } : { kind: 'sent' }
    }
}

/** Sends until everything is answered; after each `killed` the phone opens the store anew. */
async function sendUntilAnswered(name: string, fates: readonly Fate[], server: Server): Promise<void> {
  for (const fate of [...fates, 'taken' as const]) {
    const outbox = new Outbox(name)
    await outbox.send('me', fate === 'taken' ? server.deliver('taken') : firstMeets(server, fate), NOW).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
  }
}
/** The first request meets the fate; after it the connection is gone. */
function firstMeets(server: Server, fate: Fate) {
  let isFirst = true
  return (act: Waiting) => {
    const now = isFirst ? fate : 'no line'
    isFirst = false
    return server.deliver(now)(act)
  }
}

test('whatever happens to connection and phone, each act arrives once and in order, or its refusal is shown', async () => {
  const histories = fc.array(fc.constantFrom(...FATES), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), histories, async (count, fates) => {
      const name = newName()
      const all = Array.from({ length: count }, (_, n) => `words ${n}`)
      for (const words of all) expect(await new Outbox(name).add('me', thread(words), NOW)).toBe('stored')
      const server = new Server()
      await sendUntilAnswered(name, fates, server)
      const acts = await new Outbox(name).list('me')
      expect(acts.map(({ words }) => words)).toEqual(all)
      expect(acts.filter(({ state }) => state === 'waiting')).toEqual([])
      const sent = acts.filter(({ state }) => state === 'sent').map(({ words }) => words)
      // An act whose answer was lost may be refused later. No act marked as sent is missing, arrived twice, or overtook another.
      expect(server.taken.filter((words) => sent.includes(words))).toEqual(sent)
      expect(new Set(server.taken).size).toBe(server.taken.length)
      expect(all.filter((words) => server.taken.includes(words))).toEqual(server.taken)
    }),
    { numRuns: often(20, 200) },
  )
})

test('control: a store that deletes an act before the answer loses it', async () => {
  const waiting = ['words']
  const server = new Server()
  const naive = async (fate: Fate) => {
    const words = waiting.shift()
    if (words) await server.deliver(fate)({ ...thread(words), n: 1, owner: 'me', at: NOW, attempts: 1, state: 'waiting' })
  }
  await naive('killed before').catch(() => {})
  await naive('taken')
  expect(server.taken).toEqual([])
})

test('a second heart on the same animal replaces the first; an act of a form never does', async () => {
  const outbox = new Outbox(newName())
  for (const act of [heart(7, 'PUT'), heart(8, 'PUT'), heart(7, 'DELETE'), thread('a'), thread('b')]) await outbox.add('me', act, NOW)
  const acts = await outbox.list('me')
  expect(acts.map(({ path, method, words }) => `${method} ${path} ${words}`)).toEqual([
    'PUT /saved/8 ',
    'DELETE /saved/7 ',
    'POST /forum a',
    'POST /forum b',
  ])
})

test('of two handovers of one order the second waits; two listings, which decide on nothing, both wait', async () => {
  const outbox = new Outbox(newName())
  for (const act of [handover('0000'), listing('cow'), listing('calf'), handover('1234')]) await outbox.add('me', act, NOW)
  expect((await outbox.list('me')).map(({ words }) => words)).toEqual(['cow', 'calf', '1234'])
})

const clip = (words: string): LaterAct => ({
  ...thread(words),
  kind: 'video',
  follows: 'key-of-cow',
  fields: [['caption', '']],
  upload: { blob: new Blob([words]) },
})
const cow: LaterAct = { ...listing('cow'), name: 'key-of-cow' }

test('a clip is sent after its listing and after everything small, and once sent its file leaves the phone', async () => {
  const outbox = new Outbox(newName())
  for (const act of [clip('walks'), clip('milked'), cow, thread('words')]) await outbox.add('me', act, NOW)
  const sent: string[] = []
  await outbox.send('me', async ({ words }) => (sent.push(words), { kind: 'sent' }), NOW)
  expect(sent).toEqual(['cow', 'words', 'walks', 'milked'])
  expect((await outbox.list('me')).some(({ upload }) => upload)).toBe(false)
})

test('the clip of a refused listing waits for its correction, also under another key, and goes when the listing is discarded', async () => {
  const outbox = new Outbox(newName())
  for (const act of [cow, clip('walks')]) await outbox.add('me', act, NOW)
  const sent: string[] = []
  const deliver: Deliver = async ({ kind, words }) => {
    if (kind === 'listing') return { kind: 'refused', reason: 'no' }
    sent.push(words)
    return { kind: 'sent' }
  }
  // A background sync need not try again: nothing changes without the person.
  expect([await outbox.send('me', deliver, NOW), sent]).toEqual([0, []])
  const [listed, video] = await outbox.list('me')
  await outbox.revise('you', video!.n, { follows: 'stolen' })
  await outbox.revise('me', video!.n, { follows: 'new-key', fields: [['caption', 'She walks']] })
  await outbox.discard('me', listed!.n)
  expect((await outbox.list('me')).map(({ follows, fields }) => [follows, fields])).toEqual([['new-key', [['caption', 'She walks']]]])
  await outbox.send('me', deliver, NOW)
  expect(sent).toEqual(['walks'])

  for (const act of [cow, clip('runs')]) await outbox.add('me', act, NOW)
  await outbox.discard('me', (await outbox.list('me')).find(({ words }) => words === 'cow')!.n)
  expect((await outbox.list('me')).map(({ words }) => words)).toEqual(['walks'])
})

test('a caption that is written while other acts are sent travels with its clip', async () => {
  const outbox = new Outbox(newName())
  for (const act of [thread('words'), clip('walks')]) await outbox.add('me', act, NOW)
  const captions: unknown[] = []
  const deliver: Deliver = async ({ kind, fields }) => {
    if (kind === 'thread') await outbox.revise('me', 2, { fields: [['caption', 'She walks']] })
    else captions.push(fields)
    return { kind: 'sent' }
  }
  await outbox.send('me', deliver, NOW)
  expect(captions).toEqual([[['caption', 'She walks']]])
})

test('a caption that is written while its clip is sent stays, whatever the answer; a clip that is discarded then stays away', async () => {
  for (const kind of ['offline', 'login', 'refused', 'sent'] as const) {
    const outbox = new Outbox(newName())
    for (const words of ['walks', 'runs']) await outbox.add('me', clip(words), NOW)
    const deliver: Deliver = async ({ n, upload }, note) => {
      if (n === 2) await outbox.discard('me', n)
      else await outbox.revise('me', n, { fields: [['caption', 'She walks']] })
      const { fields } = await note({ upload: { ...upload!, id: 'begun' } })
      expect(fields).toEqual([['caption', n === 2 ? '' : 'She walks']])
      return kind === 'refused' ? { kind, reason: 'no' } : { kind }
    }
    await outbox.send('me', deliver, NOW)
    const state = kind === 'offline' || kind === 'login' ? 'waiting' : kind
    const acts = (await outbox.list('me')).map(({ words, fields, ...act }) => [words, act.state, fields])
    const runs = state === 'waiting' ? [['runs', 'waiting', [['caption', '']]]] : []
    expect(acts).toEqual([['walks', state, [['caption', 'She walks']]], ...runs])
  }
})

test('an act by a link is sent while the acts of a person who must log in again wait', async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', thread('mine'), NOW)
  await outbox.add(LINK, handover('1234'), NOW)
  const deliver: Deliver = async ({ owner }) => ({ kind: owner === LINK ? 'sent' : 'login' })
  // Both at the same time: neither joins the other's round.
  expect(await Promise.all([outbox.send('me', deliver, NOW), outbox.send(LINK, deliver, NOW)])).toEqual([1, 0])
  expect((await outbox.list(LINK)).map(({ state }) => state)).toEqual(['sent'])
})

test('an act that may be under way stays: the next one is sent after it', async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', heart(7, 'PUT'), NOW)
  await outbox.send('me', async () => ({ kind: 'offline' }), NOW)
  await outbox.add('me', heart(7, 'DELETE'), NOW)
  const sent: string[] = []
  await outbox.send('me', async ({ method }) => (sent.push(method), { kind: 'sent' }), NOW)
  expect(sent).toEqual(['PUT', 'DELETE'])
})

test('an act that must wait says why, and holds up only what needs it', async () => {
  const outbox = new Outbox(newName())
  const cowOf = (kind: LaterAct['kind']): LaterAct => ({ ...thread(kind), kind, path: '/edit/7' })
  for (const act of [thread('sixth enquiry'), cow, clip('walks'), heart(7, 'PUT'), cowOf('edit'), thread('blocked')])
    await outbox.add('me', act, NOW)
  const attempts: string[] = []
  const limit: Delivery = { kind: 'again', delay: { why: 'limit', reason: 'Five a day.', until: NOW + 3_600_000 } }
  const foreign: Delivery = { kind: 'again', delay: { why: 'foreign' } }
  const deliver: Deliver = async ({ words, kind, method }) => {
    attempts.push(words || method)
    return words === 'sixth enquiry' ? limit : ['cow', 'edit', 'blocked'].includes(words) || kind === 'heart' ? foreign : { kind: 'sent' }
  }
  // Three are tried again; the clip waits for its listing.
  expect(await outbox.send('me', deliver, NOW)).toBe(4)
  expect(attempts).toEqual(['sixth enquiry', 'cow', 'PUT', 'edit', 'blocked'])
  expect((await outbox.list('me')).map(({ state, delay }) => [state, delay?.why])).toEqual([
    ['waiting', 'limit'],
    ['waiting', 'foreign'],
    ['waiting', undefined],
    ['waiting', 'foreign'],
    ['waiting', 'foreign'],
    ['waiting', 'foreign'],
  ])
  // Later acts on the same things wait for the earlier ones; the limit is asked about only after its time, or when the phone's clock was wrong.
  for (const act of [heart(7, 'DELETE'), cowOf('edit')]) await outbox.add('me', act, NOW)
  attempts.length = 0
  await outbox.send('me', deliver, NOW + 60_000)
  expect(attempts).toEqual(['cow', 'PUT', 'edit', 'blocked'])
  for (const now of [NOW + 3_600_000, NOW - 200_000_000]) {
    attempts.length = 0
    await outbox.send('me', deliver, now)
    expect(attempts[0]).toBe('sixth enquiry')
  }
  expect([await outbox.countOthers(['me']), await outbox.countOthers([LINK])]).toEqual([0, 8])
})

test("nobody sees, sends or discards another person's acts on the same phone", async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', thread('mine'), NOW)
  expect(await outbox.list('you')).toEqual([])
  const sent: string[] = []
  expect(await outbox.send('you', async ({ words }) => (sent.push(words), { kind: 'sent' }), NOW)).toBe(0)
  await outbox.discard('you', 1)
  expect([sent, (await outbox.list('me')).length]).toEqual([[], 1])
})

test('two windows that send at the same time send once; a sent act is listed for a day', async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', thread('mine'), NOW)
  let count = 0
  const deliver = async (): Promise<Delivery> => (count++, { kind: 'sent' })
  await Promise.all([outbox.send('me', deliver, NOW), outbox.send('me', deliver, NOW)])
  expect([count, (await outbox.list('me')).map(({ state }) => state)]).toEqual([1, ['sent']])
  await outbox.send('me', deliver, NOW + 2 * 86_400_000)
  expect([count, await outbox.list('me')]).toEqual([1, []])
})

/** Photos one by one, then the listing. Any answer may be lost, and the phone may stop at any point. */
class PartsServer {
  readonly photos = new Map<string, number>()
  listings = 0
  /** The fate of each request in turn; requests after the last fate are accepted. */
  readonly fates: Fate[]
  constructor(fates: Fate[]) {
    this.fates = fates
  }
  #ask(arrive: () => void): boolean {
    const fate = this.fates.shift() ?? 'taken'
    if (fate === 'killed before') throw new Killed()
    if (fate === 'no line' || fate === 'refused') return false
    arrive()
    if (fate === 'killed after') throw new Killed()
    return fate === 'taken'
  }
  readonly deliver: Deliver = async (act, note) => {
    const parts = [...act.parts!]
    for (const [n, part] of parts.entries()) {
      if (part.isSent) continue
      if (!this.#ask(() => void this.photos.set(part.path, (this.photos.get(part.path) ?? 0) + 1))) return { kind: 'offline' }
      parts[n] = { ...part, isSent: true }
      await note({ parts: [...parts] })
    }
    const isWhole = parts.every(({ path }) => this.photos.has(path))
    return this.#ask(() => void (isWhole && (this.listings ||= 1))) ? { kind: 'sent' } : { kind: 'offline' }
  }
}

test('a listing’s photos and fields arrive whatever happens, and an acknowledged photo is not sent again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...FATES), { maxLength: 15 }), async (fates) => {
      const name = newName()
      const parts = ['a', 'b', 'c'].map((path) => ({ path, picture: new Blob([path]) }))
      await new Outbox(name).add('me', { ...thread('cow'), kind: 'listing', parts }, NOW)
      const unheard = fates.filter((fate) => fate === 'lost' || fate === 'killed after').length
      const server = new PartsServer([...fates])
      for (let n = 0; n <= fates.length; n++) await new Outbox(name).send('me', server.deliver, NOW).catch(() => {})
      const [act] = await new Outbox(name).list('me')
      expect([act!.state, act!.parts, server.listings]).toEqual(['sent', undefined, 1])
      const again = [...server.photos.values()].reduce((sum, times) => sum + times - 1, 0)
      expect(Math.max(again, unheard)).toBe(unheard)
    }),
    { numRuns: often(30, 200) },
  )
})

/** The phone refuses to open the store, with this error, while `act` runs. */
async function refused<T>(name: string, act: () => Promise<T>): Promise<T> {
  const open = indexedDB.open.bind(indexedDB)
  indexedDB.open = () => {
    throw new DOMException('The phone', name)
  }
  return act().finally(() => (indexedDB.open = open))
}

test('a phone without space says so, any other failure is not called that, and both store again later', async () => {
  const outbox = new Outbox(newName())
  const add = () => outbox.add('me', thread('words'), NOW)
  expect(await refused('QuotaExceededError', add)).toBe('full')
  for (const name of ['UnknownError', 'AbortError', 'InvalidStateError'])
    await expect(refused(name, add)).rejects.toMatchObject({ why: 'failed', cause: { name } })
  expect(await add()).toBe('stored')
  expect(await outbox.list('me')).toHaveLength(1)
})

test('a transaction that a full phone aborts is reported as such, one aborted for another reason is not', async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', thread('words'), NOW)
  const add = IDBObjectStore.prototype.add
  for (const [cause, outcome] of [
    ['QuotaExceededError', { value: 'full' }],
    ['UnknownError', { reason: { why: 'failed' } }],
  ] as const) {
    IDBObjectStore.prototype.add = function (this: IDBObjectStore, ...args) {
      const request = add.apply(this, args)
      ;(this.transaction as unknown as { _abort(name: string): void })._abort(cause)
      return request
    }
    const [stored] = await Promise.allSettled([outbox.add('me', thread('more'), NOW)])
    expect(stored).toMatchObject(outcome)
  }
  IDBObjectStore.prototype.add = add
  expect((await outbox.list('me')).map(({ words }) => words)).toEqual(['words'])
})

test('a logout removes the words of sent acts; acts that wait or were refused stay, and those by a link', async () => {
  const outbox = new Outbox(newName())
  for (const words of ['sent', 'refused', 'waits']) await outbox.add('me', thread(words), NOW)
  await outbox.add(LINK, handover('by link'), NOW)
  const answers: Record<string, Delivery> = {
    sent: { kind: 'sent' },
    refused: { kind: 'refused', reason: 'no' },
    waits: { kind: 'offline' },
  }
  await outbox.send('me', async ({ words }) => answers[words]!, NOW)
  await outbox.send(LINK, async () => ({ kind: 'sent' }), NOW)
  await outbox.forgetSent()
  expect((await outbox.list('me')).map(({ words, state }) => [words, state])).toEqual([
    ['refused', 'refused'],
    ['waits', 'waiting'],
  ])
  expect(await outbox.list(LINK)).toHaveLength(1)
})
