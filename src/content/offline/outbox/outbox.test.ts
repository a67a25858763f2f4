import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LaterAct } from '#src/kit/device/send-later.ts'
import { often } from '#src/testing/often.ts'
import { Outbox, type Deliver, type Delivery, type Waiting } from './outbox.ts'

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
const heart = (id: number, method: 'PUT' | 'DELETE'): LaterAct => ({ kind: 'heart', method, path: `/saved/${id}`, words: '', locale: 'ta' })

/** What may become of one sending: `lost` arrived and nobody heard of it, `killed` stops the phone in the middle of it. */
const FATES = ['taken', 'refused', 'no line', 'lost', 'killed before', 'killed after'] as const
type Fate = (typeof FATES)[number]
class Killed extends Error {}

/** Takes each form once, as the market does by its idempotency key; a repetition of a refused one is refused again. */
class Server {
  readonly taken: string[] = []
  readonly deliver =
    (fate: Fate) =>
    async (act: Waiting): Promise<Delivery> => {
      if (fate === 'killed before') throw new Killed()
      if (fate === 'no line') return { kind: 'again' }
      if (fate === 'refused') return { kind: 'refused', reason: 'no' }
      if (!this.taken.includes(act.words)) this.taken.push(act.words)
      if (fate === 'killed after') throw new Killed()
      return fate === 'lost' ? { kind: 'again' } : { kind: 'sent' }
    }
}

/** Sends until all is answered, whatever happens in between: after each death the phone opens the store anew. */
async function live(name: string, fates: readonly Fate[], server: Server): Promise<void> {
  for (const fate of [...fates, 'taken' as const]) {
    const outbox = new Outbox(name)
    await outbox.send('me', fate === 'taken' ? server.deliver('taken') : oneThen(server, fate), NOW).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error
    })
  }
}
/** The fate meets the first; the line is gone then. */
function oneThen(server: Server, fate: Fate) {
  let isFirst = true
  return (act: Waiting) => {
    const now = isFirst ? fate : 'no line'
    isFirst = false
    return server.deliver(now)(act)
  }
}

test('whatever happens to the line and the phone, each act arrives once, in order, or its refusal is shown', async () => {
  const histories = fc.array(fc.constantFrom(...FATES), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 6 }), histories, async (count, fates) => {
      const name = newName()
      const all = Array.from({ length: count }, (_, n) => `words ${n}`)
      for (const words of all) expect(await new Outbox(name).add('me', thread(words), NOW)).toBe('stored')
      const server = new Server()
      await live(name, fates, server)
      const acts = await new Outbox(name).list('me')
      expect(acts.map(({ words }) => words)).toEqual(all)
      expect(acts.filter(({ state }) => state === 'waiting')).toEqual([])
      const sent = acts.filter(({ state }) => state === 'sent').map(({ words }) => words)
      // One that arrived unheard may be refused later; none that is said to be sent is missing, none came twice, none overtook another.
      expect(server.taken.filter((words) => sent.includes(words))).toEqual(sent)
      expect(new Set(server.taken).size).toBe(server.taken.length)
      expect(all.filter((words) => server.taken.includes(words))).toEqual(server.taken)
    }),
    { numRuns: often(20, 200) },
  )
})

test('a store that forgets an act before the answer loses it: the naive way fails', async () => {
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

test('a second heart upon the same animal takes the place of the first, and an act of a form never does', async () => {
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

test('one that may be on its way stays: the next one is sent after it', async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', heart(7, 'PUT'), NOW)
  await outbox.send('me', async () => ({ kind: 'again' }), NOW)
  await outbox.add('me', heart(7, 'DELETE'), NOW)
  const sent: string[] = []
  await outbox.send('me', async ({ method }) => (sent.push(method), { kind: 'sent' }), NOW)
  expect(sent).toEqual(['PUT', 'DELETE'])
})

test('nobody sees, sends or discards what somebody else did on the same phone', async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', thread('mine'), NOW)
  expect(await outbox.list('you')).toEqual([])
  const sent: string[] = []
  expect(await outbox.send('you', async ({ words }) => (sent.push(words), { kind: 'sent' }), NOW)).toBe(0)
  await outbox.discard('you', 1)
  expect([sent, (await outbox.list('me')).length]).toEqual([[], 1])
})

test('two windows that send at the same time send once; what was sent is shown for a day', async () => {
  const outbox = new Outbox(newName())
  await outbox.add('me', thread('mine'), NOW)
  let count = 0
  const deliver = async (): Promise<Delivery> => (count++, { kind: 'sent' })
  await Promise.all([outbox.send('me', deliver, NOW), outbox.send('me', deliver, NOW)])
  expect([count, (await outbox.list('me')).map(({ state }) => state)]).toEqual([1, ['sent']])
  await outbox.send('me', deliver, NOW + 2 * 86_400_000)
  expect([count, await outbox.list('me')]).toEqual([1, []])
})

/** Photos one by one, then the listing; each may arrive unheard, and the phone may die anywhere. */
class PartsServer {
  readonly photos = new Map<string, number>()
  listings = 0
  /** What becomes of each request in its turn; then all is taken. */
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
      if (!this.#ask(() => void this.photos.set(part.path, (this.photos.get(part.path) ?? 0) + 1))) return { kind: 'again' }
      parts[n] = { ...part, isSent: true }
      await note({ ...act, parts: [...parts] })
    }
    const isWhole = parts.every(({ path }) => this.photos.has(path))
    return this.#ask(() => void (isWhole && (this.listings ||= 1))) ? { kind: 'sent' } : { kind: 'again' }
  }
}

test('a listing’s photos and words arrive whatever happens in between, and no photo that the phone heard of is sent again', async () => {
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

test('a phone without room says so, and has room again later', async () => {
  const outbox = new Outbox(newName())
  const open = indexedDB.open.bind(indexedDB)
  indexedDB.open = () => {
    throw new DOMException('no room', 'QuotaExceededError')
  }
  expect(await outbox.add('me', thread('words'), NOW)).toBe('full')
  indexedDB.open = open
  expect(await outbox.add('me', thread('words'), NOW)).toBe('stored')
})
