import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { deliverWith } from '#src/content/offline/worker/deliver.ts'
import type { LaterAct } from '#src/kit/device/send-later.ts'
import { FOR_OUTBOX, NOBODY, OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import { often } from '#tools/test-kit/often.ts'
import { Outbox, type Deliver, type Waiting } from './outbox.ts'

// Two phones, two people who share them, and a network that does everything wrong: acts arrive once and for the right person, or their owner
// reads why they wait.

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const PEOPLE = ['kavin', 'selvi'] as const
type Person = (typeof PEOPLE)[number]
const HOUR = 3_600_000
/** A person may post so many enquiries an hour; then the market answers 429. */
const ENQUIRIES = 2

/**
 * The fate of one request. `lost`: it arrives, its answer does not. `delayed`: it arrives after the phone has given up. `replaced`: it arrives, and
 * another server answers; the others never arrive. `killed`: the worker stops after the request. `switched`: the other person has just logged in.
 */
const FATES = [
  'fine',
  'fine',
  'offline',
  'lost',
  'delayed',
  'replaced',
  'killed',
  'switched',
  'portal',
  'redirect',
  'blocked',
  '502',
  'busy',
] as const
type Fate = (typeof FATES)[number]

const page = (status: number) => new Response('<h1>Welcome to this Wi-Fi</h1>', { status, headers: { 'Content-Type': 'text/html' } })
/** A browser hides everything about a redirect from a script that does not follow it. */
const hiddenRedirect = () =>
  Object.defineProperties(new Response(null), { status: { value: 0 }, ok: { value: false }, type: { value: 'opaqueredirect' } })

/** The market as its calls and forms behave: a form is stored once by its stamp, a heart and a cart line are set. */
class Market {
  now = 0
  readonly stored = new Map<string, Person>()
  readonly #enquiries: { by: Person; at: number }[] = []
  #delayed: (() => void)[] = []

  /** `session`: the person whose cookies the phone sends. */
  ask(session: Person | null, fate: Fate, path: string, init: RequestInit): Response {
    if (fate === 'offline') throw new TypeError('nobody answers')
    if (fate === 'delayed') {
      this.#delayed.push(() => this.#answer(session, path, init))
      throw new TypeError('too late')
    }
    if (fate === 'portal') return page(200)
    if (fate === 'redirect') return hiddenRedirect()
    if (fate === 'blocked') return page(403)
    if (fate === '502') return page(502)
    if (fate === 'busy') return this.#signed(session, Response.json({ code: 'BUSY' }, { status: 503 }))
    const answer = this.#answer(session, path, init)
    if (fate === 'lost') throw new TypeError('the answer is lost')
    return fate === 'replaced' ? page(200) : answer
  }

  #signed(session: Person | null, response: Response): Response {
    response.headers.set(OWNER_HEADER, session ?? NOBODY)
    return response
  }

  #answer(session: Person | null, path: string, init: RequestInit): Response {
    const before = this.#delayed
    this.#delayed = []
    for (const arrive of before) arrive()
    if (path === '/api/v1/csrf') return this.#signed(session, new Response(null, { status: 204 }))
    if (!session) return this.#signed(session, page(401))
    const isForm = init.body instanceof URLSearchParams
    // A token is good for one login.
    const token = isForm ? (init.body as URLSearchParams).get('csrf') : new Headers(init.headers).get('X-CSRFToken')
    if (token !== tokenOf(session)) return this.#signed(session, page(403))
    const words = isForm ? (init.body as URLSearchParams).get('stamp')! : (JSON.parse(String(init.body)) as { words: string }).words
    if (words.endsWith('wrong')) return this.#signed(session, isForm ? page(422) : Response.json({ detail: 'no' }, { status: 422 }))
    if (path === '/add-enquiry' && !this.stored.has(words)) {
      const recent = this.#enquiries.filter(({ by, at }) => by === session && at > this.now - HOUR)
      if (recent.length >= ENQUIRIES) {
        const limited = new Response('<p role="alert">Two an hour.</p>', { status: 429, headers: { 'Retry-After': '3600' } })
        return this.#signed(session, limited)
      }
      this.#enquiries.push({ by: session, at: this.now })
    }
    if (this.stored.has(words)) expect(this.stored.get(words)).toBe(session)
    this.stored.set(words, session)
    if (!isForm) return this.#signed(session, Response.json({}))
    expect(new Headers(init.headers).get(FOR_OUTBOX)).toBe('1')
    return this.#signed(session, new Response(null, { status: 204 }))
  }
}

const KINDS = ['thread', 'enquiry', 'heart', 'wrong thread', 'wrong heart'] as const

function actOf(kind: (typeof KINDS)[number], n: number): LaterAct {
  const words = `${n} ${kind.startsWith('wrong') ? 'wrong' : 'right'}`
  const shared = { words, locale: 'en' }
  if (kind.endsWith('heart'))
    return { ...shared, kind: 'heart', method: 'PUT', path: `/saved/${n}`, object: `/saved/${n}`, body: { words } }
  const path = kind === 'enquiry' ? '/add-enquiry' : '/forum'
  return { ...shared, kind: kind === 'enquiry' ? 'enquiry' : 'thread', method: 'POST', path, fields: [['stamp', words]] }
}

type Step =
  | { do: 'act'; phone: number; kind: (typeof KINDS)[number] }
  | { do: 'send'; phone: number; fates: Fate[] }
  | { do: 'login'; phone: number; person: Person | null }

const phone = fc.integer({ min: 0, max: 1 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('act' as const), phone, kind: fc.constantFrom(...KINDS) }),
  fc.record({ do: fc.constant('send' as const), phone, fates: fc.array(fc.constantFrom(...FATES), { maxLength: 8 }) }),
  fc.record({ do: fc.constant('login' as const), phone, person: fc.constantFrom(...PEOPLE, null) }),
)

const tokenOf = (session: Person | null) => `token of ${session ?? 'nobody'}`
const otherThan = (person: Person | null): Person => (person === 'kavin' ? 'selvi' : 'kavin')

let boxes = 0

/** Two phones of the same household. */
class Household {
  readonly market = new Market()
  readonly acts: { words: string; by: Person }[] = []
  readonly #names = [`phone-${boxes++}`, `phone-${boxes++}`]
  readonly #sessions: (Person | null)[] = ['kavin', 'kavin']
  readonly #deliver: Deliver
  constructor(deliver: Deliver) {
    this.#deliver = deliver
  }

  /** The worker is started again for each step, as browsers do. */
  #outbox = (at: number) => new Outbox(this.#names[at]!)

  async run(each: Step): Promise<void> {
    const session = this.#sessions[each.phone]!
    this.market.now += 60_000
    if (each.do === 'login') this.#sessions[each.phone] = each.person
    else if (each.do === 'act' && session) {
      const act = actOf(each.kind, this.acts.length)
      this.acts.push({ words: act.words, by: session })
      expect(await this.#outbox(each.phone).add(session, act, this.market.now)).toBe('stored')
    } else if (each.do === 'send' && session) await this.#send(each.phone, session, each.fates)
  }

  /** A killed worker never hears its answer, and records nothing more. */
  async #send(at: number, owner: Person, fates: Fate[]): Promise<void> {
    const left = [...fates]
    const dead = Promise.withResolvers<void>()
    vi.stubGlobal('cookieStore', { get: async () => ({ value: tokenOf(this.#sessions[at]!) }) })
    vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
      const fate = left.shift() ?? 'fine'
      if (fate === 'switched') this.#sessions[at] = otherThan(this.#sessions[at]!)
      const answer = this.market.ask(this.#sessions[at]!, fate, path, init)
      if (fate !== 'killed') return answer
      dead.resolve()
      return new Promise(() => {})
    })
    vi.spyOn(Date, 'now').mockReturnValue(this.market.now)
    await Promise.race([this.#outbox(at).send(owner, this.#deliver, this.market.now), dead.promise])
  }

  /** Each person logs in again on each phone, with a good connection, until nothing is left to send. */
  async settle(): Promise<void> {
    for (let hour = 0; hour <= this.acts.length; hour++) {
      this.market.now += HOUR
      for (const at of [0, 1])
        for (const person of PEOPLE) {
          this.#sessions[at] = person
          await this.#send(at, person, [])
        }
    }
  }

  async list(person: Person): Promise<Waiting[]> {
    return (await Promise.all([0, 1].map((at) => this.#outbox(at).list(person)))).flat()
  }
}

/** Runs the steps, and afterwards gives every person time and a good connection. */
async function play(steps: readonly Step[], deliver: Deliver): Promise<Household> {
  const household = new Household(deliver)
  for (const each of steps) {
    await household.run(each)
    // Each act is listed for its owner alone, with the reason if it had an answer that was not final.
    for (const person of PEOPLE)
      for (const { words, owner } of await household.list(person)) {
        expect(owner).toBe(person)
        expect(household.acts).toContainEqual({ words, by: person })
      }
  }
  await household.settle()
  return household
}

/** Each act that is marked as sent is stored once, for the person who did it; all others were refused with a reason. */
async function expectWhole(household: Household): Promise<void> {
  const { market, acts } = household
  const ends = new Map<string, Waiting>()
  for (const person of PEOPLE) for (const act of await household.list(person)) ends.set(act.words, act)
  for (const { words, by } of acts) {
    const { state, owner, reason } = ends.get(words)!
    expect([words, state, owner]).toEqual([words, words.endsWith('wrong') ? 'refused' : 'sent', by])
    if (state === 'refused') expect(reason).not.toBe('')
    expect(market.stored.get(words)).toBe(state === 'sent' ? by : undefined)
  }
  expect(market.stored.size).toBe(acts.filter(({ words }) => !words.endsWith('wrong')).length)
}

test('in 400 histories of two phones, nothing is lost, done twice, done for another person, or refused without a reason', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await expectWhole(await play(steps, deliverWith(undefined)))
    }),
    { numRuns: often(400, 4000) },
  )
})

test('control: an outbox that takes any answer for the market loses what a captive portal has answered', async () => {
  const trusting: Deliver = async ({ path, fields }) => {
    const { ok, type } = await fetch(path, { method: 'POST', body: new URLSearchParams(fields) })
    return { kind: ok || type === 'opaqueredirect' ? 'sent' : 'offline' }
  }
  for (const fate of ['portal', 'redirect'] as const) {
    const steps: Step[] = [
      { do: 'act', phone: 0, kind: 'thread' },
      { do: 'send', phone: 0, fates: [fate] },
    ]
    const household = await play(steps, trusting)
    expect((await household.list('kavin')).map(({ state }) => state)).toEqual(['sent'])
    expect(household.market.stored.size).toBe(0)
  }
})
