import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PICTURE_COPIES, SHELL, WORKER_PATH } from '#src/content/offline/names.ts'
import { NOBODY, OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { copiedPages } from '#src/page-table.ts'
import type { FetchEvent } from './scope.ts'

// The worker never stands between a person and the network: whatever happens to its records, every answer of the network arrives.

const ORIGIN = 'https://sandhai.example'
const ME = 'mark-of-me'
const PICTURE = mediaUrl('a'.repeat(20), 640, 'webp')

/** The ways in which a phone's IndexedDB fails. */
const KINDS = ['throws', 'errors', 'is full', 'hangs'] as const
type Kind = (typeof KINDS)[number]
const errorOf = { throws: 'InvalidStateError', errors: 'UnknownError', 'is full': 'QuotaExceededError', hangs: '' }

/** Each step of IndexedDB is counted, and those that `fails` names fail: an opening, a transaction, a request in it, its commit. */
class Phone {
  readonly steps: string[] = []
  fails: (step: number) => Kind | null = () => null

  fault(step: string): Kind | null {
    this.steps.push(step)
    return this.fails(this.steps.length - 1)
  }

  /** Throws, or answers with an error, or never. */
  answer(kind: Kind): IDBRequest {
    const error = new DOMException('The phone', errorOf[kind])
    if (kind === 'throws') throw error
    const addEventListener = (type: string, listener: () => void) => type === 'error' && kind !== 'hangs' && setImmediate(listener)
    return Object.create(IDBRequest.prototype, {
      error: { value: error },
      addEventListener: { value: addEventListener },
      removeEventListener: { value: () => {} },
    }) as IDBRequest
  }
}

let phone = new Phone()

function breakable(): void {
  const open = IDBFactory.prototype.open
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...args) {
    const kind = phone.fault('open')
    return kind === null ? open.apply(this, args) : (phone.answer(kind) as IDBOpenDBRequest)
  })
  const transaction = IDBDatabase.prototype.transaction
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    // The database of the test makes the stores with it, as a part of the opening.
    if ((args[1] as string) === 'versionchange') return transaction.apply(this, args)
    if (phone.fault('transaction') !== null) throw new DOMException('The connection is closing.', 'InvalidStateError')
    const tx = transaction.apply(this, args)
    const listen = tx.addEventListener.bind(tx) as (type: string, listener: () => void) => void
    const aborted: (() => void)[] = []
    let isHeard = false
    tx.addEventListener = (type: string, listener: unknown) => {
      const hear = listener as () => void
      if (type === 'abort') aborted.push(hear)
      // The worker's library is the first that listens; the database of the test does so, too, and goes on.
      if (type !== 'complete' || isHeard) return listen(type, hear)
      isHeard = true
      listen(type, () => {
        const kind = phone.fault('commit')
        if (kind === null) return hear()
        if (kind === 'hangs') return
        Object.defineProperty(tx, 'error', { value: new DOMException('The phone', errorOf[kind]) })
        for (const each of aborted) each()
      })
    }
    return tx
  })
  for (const name of ['get', 'getAll', 'put', 'delete', 'clear'] as const) {
    const request = IDBObjectStore.prototype[name] as (...args: unknown[]) => IDBRequest
    vi.spyOn(IDBObjectStore.prototype, name as 'get').mockImplementation(function (this: IDBObjectStore, ...args) {
      const kind = phone.fault(name)
      return kind === null ? request.apply(this, args) : phone.answer(kind)
    })
  }
}

/** The browser's caches, as far as the worker uses them. */
class Caches {
  readonly all = new Map<string, Map<string, Response>>()
  keys = async () => [...this.all.keys()]
  delete = async (name: string) => this.all.delete(name)
  match = async (what: Request | string, { cacheName }: { cacheName: string }) => this.all.get(cacheName)?.get(addressOf(what))?.clone()
  open = async (name: string) => {
    const cache = this.all.get(name) ?? new Map<string, Response>()
    this.all.set(name, cache)
    return {
      match: async (what: Request | string) => cache.get(addressOf(what))?.clone(),
      put: async (what: Request | string, response: Response) => void cache.set(addressOf(what), response),
      delete: async (what: Request | string) => cache.delete(addressOf(what)),
    }
  }
}
const addressOf = (what: Request | string) => new URL(typeof what === 'string' ? what : what.url, ORIGIN).href

/** Node's Request cannot be a navigation. */
class PhoneRequest extends Request {
  readonly isNavigation: boolean
  constructor(what: string | Request, init: RequestInit & { isNavigation?: boolean } = {}) {
    super(typeof what === 'string' ? addressOf(what) : what, init)
    this.isNavigation = init.isNavigation ?? false
  }
  override get mode(): RequestMode {
    return this.isNavigation ? 'navigate' : 'cors'
  }
}

class PhoneEvent {
  readonly request: Request
  readonly after: Promise<unknown>[] = []
  constructor(request: Request) {
    this.request = request
  }
  waitUntil = (work: Promise<unknown>) => void this.after.push(work.catch(() => {}))
}

const page = (path: string) => new PhoneRequest(path, { isNavigation: true })
const requests = (): Request[] => [
  page('/en/buy/0'),
  page('/en/orders'),
  page('/en/forum'),
  page('/en/bring/abc'),
  new PhoneRequest('/api/v1/animals'),
  new PhoneRequest('/api/v1/pincode-place/pincode=641001'),
  new PhoneRequest('/en/buy/0.data'),
  new PhoneRequest(PICTURE),
  new PhoneRequest('/assets/entry.js'),
  new PhoneRequest('/api/v1/login', { method: 'POST', body: '{}' }),
  page('/en/login'),
  page('/en/orders'),
]

let caches = new Caches()
let isOnline = true
/** The server's mark of the logged-in person. */
let owner = ME
/** The text of all pages, and how long the network takes. */
let text = ''
let networkMs = 0
/** A captive portal answers each request with its page. */
let isForeign = false

/** A phone with nothing on it, and a worker that has just started. */
function startAnew(): void {
  phone = new Phone()
  caches = new Caches()
  isOnline = true
  owner = ME
  text = ''
  networkMs = 0
  isForeign = false
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('caches', caches)
  vi.resetModules()
}

const MESSAGES = '#src/paraglide/messages.js'
beforeAll(async () => {
  // Each worker that starts anew has the same texts: loading them takes longer than all its answers.
  const messages: object = await import(MESSAGES)
  vi.doMock(MESSAGES, () => messages)
})
afterAll(() => void vi.doUnmock(MESSAGES))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_800_000_000_000 })
  vi.stubEnv('NODE_ENV', 'production')
  startAnew()
  vi.stubGlobal('self', globalThis)
  vi.stubGlobal('FetchEvent', PhoneEvent)
  vi.stubGlobal('Request', PhoneRequest)
  vi.stubGlobal('location', new URL(ORIGIN + WORKER_PATH))
  vi.stubGlobal('BUILD', 'build')
  vi.stubGlobal('COPIED', copiedPages)
  vi.stubGlobal('fetch', async (what: Request | string) => {
    if (!isOnline) throw new TypeError('offline')
    if (networkMs > 0) await new Promise((resolve) => setTimeout(resolve, networkMs))
    if (isForeign) return new Response('<title>Wi-Fi</title>', { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
    const { pathname } = new URL(addressOf(what))
    const type = pathname.startsWith('/media/') ? 'image/webp' : pathname.startsWith('/assets/') ? 'text/javascript' : 'text/html'
    return new Response(`<title>${pathname}</title>${text}`, {
      headers: { [OWNER_HEADER]: owner, 'Content-Type': type, 'Content-Length': '30' },
    })
  })
  breakable()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** Lets the phone's time pass until the work is done, or for so long. */
async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T | 'late'> {
  let isOver = false
  const over = work.finally(() => (isOver = true)).catch(() => {})
  for (const end = Date.now() + limitMs; !isOver && Date.now() < end;) {
    for (let turn = 0; turn < 20 && !isOver; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (!isOver) await vi.advanceTimersByTimeAsync(100)
  }
  if (!isOver) return 'late'
  await over
  return work
}

/** A person waits so long at most, once. */
const WAIT_MS = 3500

async function ask(request: Request, waitMs = WAIT_MS): Promise<string> {
  const { answerTo } = await import('./answer.ts')
  const event = new PhoneEvent(request)
  const answer = answerTo(event as unknown as FetchEvent)
  const response = await inTime(answer!, waitMs)
  const text = response === 'late' ? 'late' : await response.text()
  // The phone finishes its records before the next request, or gives up.
  await inTime(Promise.all(event.after), 60_000)
  return text
}

/** The answer to each request, or the error of one that failed. */
async function askAll(waitMs = WAIT_MS): Promise<string[]> {
  const answers: string[] = []
  for (const request of requests()) answers.push(await ask(request, waitMs).catch((error: Error) => error.message))
  return answers
}

const whole = () => requests().map(({ url }) => `<title>${new URL(url).pathname}</title>`)

/** The stored owner and addresses, read around the faults. */
async function stored() {
  phone.fails = () => null
  const { records } = await import('./store.ts')
  vi.setSystemTime(Date.now() + 3_600_000)
  const owner = (await inTime(
    records.read('facts', (facts) => facts.get('owner')),
    WAIT_MS,
  )) as { mark: string } | undefined
  const kept = await inTime(
    records.read('kept', (kept) => kept.getAllKeys()),
    WAIT_MS,
  )
  return { owner: owner?.mark, kept }
}

/** The steps that the requests take on a phone that is well; each is a place where it may fail. */
async function stepsOf(): Promise<string[]> {
  expect(await askAll()).toEqual(whole())
  return [...phone.steps]
}

test('on a phone that is well every request is answered, and the owner and the copies are recorded', async () => {
  const steps = await stepsOf()
  expect(new Set(steps)).toEqual(new Set(['open', 'transaction', 'get', 'getAll', 'put', 'delete', 'commit']))
  const { owner, kept } = await stored()
  expect(owner).toBe(ME)
  expect(kept).toContain(`${PICTURE_COPIES} ${ORIGIN}${PICTURE}`)
})

/** From this step on for ever, or this step alone. */
const LASTING = ['once', 'for ever'] as const

for (const kind of KINDS)
  for (const lasting of LASTING)
    test(`whichever step of its records ${kind} ${lasting}, every request is answered by the network`, async () => {
      const steps = await stepsOf()
      const well = await stored()
      for (const at of steps.keys()) {
        startAnew()
        phone.fails = (step) => (step === at || (lasting === 'for ever' && step > at) ? kind : null)
        expect(await askAll(), `${kind} ${lasting} at step ${at}, ${steps[at]}`).toEqual(whole())
        if (lasting === 'for ever') continue
        // A step of the database that fails once is repeated on a new connection.
        if (kind !== 'is full') expect(await stored(), `${kind} at step ${at}, ${steps[at]}`).toEqual(well)
      }
    })

const OFFLINE = 'the page that says so'
async function goOffline(): Promise<void> {
  isOnline = false
  await (await caches.open(`${SHELL}build`)).put('/en/offline', new Response(OFFLINE))
}

test('after connections die without a word, a new one is opened, and personal copies still open offline', async () => {
  await askAll()
  const dead = phone.steps.length
  phone.fails = (step) => (step === dead ? 'throws' : null)
  await goOffline()
  vi.resetModules()
  expect(await ask(page('/en/orders'))).toContain('/en/orders')
  expect(phone.steps.slice(dead)).toContain('open')
})

test('a logout that cannot be recorded removes all personal copies, so that a restarted worker shows them to nobody', async () => {
  await ask(page('/en/orders'))
  phone.fails = () => 'errors'
  isOnline = false
  await ask(new PhoneRequest('/api/v1/logout', { method: 'POST' })).catch(() => {})
  phone.fails = () => null
  vi.resetModules()
  await goOffline()
  expect(await ask(page('/en/orders'))).toBe(OFFLINE)
})

test("another person's login removes the pages of the person before, and the titles that their records hold", async () => {
  const orders = async () => ((await stored()).kept as string[]).filter((id) => id.endsWith('/en/orders'))
  await ask(page('/en/orders'))
  expect(await orders()).toHaveLength(1)
  owner = 'mark-of-another'
  await ask(new PhoneRequest('/api/v1/login', { method: 'POST', body: '{}' }))
  expect(await orders()).toEqual([])
})

test("a captive portal's page is shown, and is the copy of nothing: the market's own copies stay", async () => {
  await askAll()
  const { kept } = await stored()
  isForeign = true
  text = 'newer'
  vi.resetModules()
  const portal = '<title>Wi-Fi</title>'
  expect(await ask(page('/en/orders'))).toBe(portal)
  for (const request of [page('/en/about'), new PhoneRequest('/assets/other.js'), new PhoneRequest(mediaUrl('b'.repeat(20), 640, 'webp'))])
    expect(await ask(request)).toBe(portal)
  expect((await stored()).kept).toEqual(kept)
  await goOffline()
  expect(await ask(page('/en/orders'))).toContain('/en/orders')
})

test('personal copies end with the cookies, offline too; control: with them they open', async () => {
  let token: string | null = 'token of the login'
  vi.stubGlobal('cookieStore', { get: async () => token && { value: token } })
  await askAll()
  await goOffline()
  expect(await ask(page('/en/orders'))).toContain('/en/orders')
  token = null
  expect(await ask(page('/en/orders'))).toBe(OFFLINE)
  vi.resetModules()
  expect(await ask(page('/en/orders'))).toBe(OFFLINE)
})

const refuse = () => Promise.reject(new DOMException('The phone', 'UnknownError'))
const hang = () => new Promise<never>(() => {})

for (const [kind, fail] of Object.entries({ refuses: refuse, 'never answers': hang }))
  test.each(['keys', 'delete', 'match', 'open', 'put', 'cookie', 'all'])(
    `when the browser ${kind} its caches or cookies (%s), every request is answered by the network, a slow one, too`,
    async (call) => {
      const isHit = (name: string) => call === name || call === 'all'
      const breakCaches = () => {
        const { open } = caches
        for (const name of ['keys', 'delete', 'match', 'open'] as const) if (isHit(name)) Object.assign(caches, { [name]: fail })
        if (call === 'put') caches.open = async (name) => ({ ...(await open(name)), put: fail })
        if (isHit('cookie')) vi.stubGlobal('cookieStore', { get: fail })
      }
      breakCaches()
      expect(await askAll()).toEqual(whole())
      startAnew()
      breakCaches()
      // The network may take longer than the worker waits before it looks for a copy.
      networkMs = 7000
      expect(await askAll(60_000)).toEqual(whole())
    },
  )

test('what another app shares opens the form, which says when the phone kept only a part or nothing', async () => {
  const share = async (count: number) => {
    const body = new FormData()
    for (let n = 0; n < count; n++) body.append('photos', new File(['bytes'], `${n}.jpg`, { type: 'image/jpeg' }))
    const { answerTo } = await import('./answer.ts')
    const event = new PhoneEvent(new PhoneRequest('/en/sell/shared', { method: 'POST', body }))
    return (await answerTo(event as unknown as FetchEvent)!).headers.get('Location')
  }
  expect([await share(10), await share(11)]).toEqual([`${ORIGIN}/en/sell`, `${ORIGIN}/en/sell?unkept`])
  Object.assign(caches, { open: () => Promise.reject(new DOMException('The phone', 'QuotaExceededError')) })
  expect(await share(1)).toBe(`${ORIGIN}/en/sell?unkept`)
})

test('a slow network is waited for after a form was sent, so that no page from before shows the old name; control: without a form', async () => {
  const home = () => ask(page('/en/buy/0'))
  text = 'Selvi'
  expect(await home()).toContain('Selvi')
  text = 'Kavitha'
  networkMs = 1000
  expect(await home()).toContain('Selvi')
  text = 'Meena'
  const { answerTo } = await import('./answer.ts')
  vi.setSystemTime(Date.now() + 1)
  expect(answerTo(new PhoneEvent(new PhoneRequest('/en/userprofile/1.data', { method: 'POST' })) as unknown as FetchEvent)).toBeNull()
  expect(await home()).toContain('Meena')
  isOnline = false
  expect(await home()).toContain('Meena')
})

test('after a login a slow network is waited for, so that no page from before says "Login"', async () => {
  const animal = () => ask(page('/en/product/1'))
  owner = NOBODY
  text = 'Login'
  expect(await animal()).toContain('Login')
  // Control: who only opens the page of the login reads on without waiting.
  await ask(page('/en/login'))
  text = 'Selvi'
  networkMs = 1000
  vi.setSystemTime(Date.now() + 1)
  expect(await animal()).toContain('Login')
  networkMs = 0
  await ask(new PhoneRequest('/en/register', { method: 'POST', body: '' }))
  owner = ME
  text = 'Kavitha'
  networkMs = 1000
  vi.setSystemTime(Date.now() + 1)
  expect(await animal()).toContain('Kavitha')
})
