import { errors, type BrowserContext, type CDPSession, type Page, type Request, type Response } from '@playwright/test'
import { ALIVE_EVENT } from '../src/router-seams/held-submit.ts'
import { isComeAgain } from './market.ts'
import { loginByApi } from './people.ts'

/** The roles that see different buttons; null is an anonymous visitor. */
export const roles = {
  buyer: '9000000001',
  seller: '9000000002',
  admin: '9000000009',
  vet: '9000000005',
  visitor: null,
} as const
export type Role = keyof typeof roles

export async function comeAs(page: Page, role: Role): Promise<void> {
  const phone = roles[role]
  if (phone && (await loginByApi(page, phone, 'sandhai-demo')) !== 200) throw new Error(`${role} cannot log in`)
}

/** One of each kind: forms that differ only in ids count as one. */
export interface Tap {
  path: string
  /** Presses the page's first such button. */
  kind: string
}

export interface Outcome {
  /** The browser's requests because of the tap. */
  asked: string[]
  /** The page afterwards. */
  path: string
  /** The page's reaction: alerts, notes, invalid fields; on another page its headline. Empty: none. */
  says: string
}

export const withoutNumbers = (path: string) =>
  path
    .replace(/(\?|&)next=[^&#]*/, '$1next')
    .replace(/=[^&#]*/g, '')
    .replace(/\/[a-z]*\d[\w.-]*/gi, '/N')

interface Place {
  x: number
  y: number
  /** Whether nothing covers it. */
  isFree: boolean
  action: string
  method: string
  /** The page's messages before the tap. */
  before: string
}

declare global {
  interface Window {
    submitButtons: () => { button: HTMLButtonElement; kind: string }[]
    bringIntoReach: (kind: string) => Place | null
    shown: () => { text: string; isBusy: boolean }
    aliveAt?: number
  }
}

/** Gives every page of this browser functions that list its submit buttons and its messages. */
export const knowButtons = (context: BrowserContext) =>
  context.addInitScript((aliveEvent) => {
    addEventListener(aliveEvent, () => (window.aliveAt ??= performance.now()))

    // A field may have the same name as a property of its form.
    const methodOf = (form: HTMLFormElement) => form.getAttribute('method') ?? 'get'

    window.submitButtons = () =>
      [...document.querySelectorAll('button')].flatMap((button) => {
        const form = button.form
        if (button.type !== 'submit' || button.disabled || !form || methodOf(form) === 'dialog') return []
        // Only for browsers without scripts, or for the Enter key.
        if (getComputedStyle(button).display === 'none' || button.ariaHidden === 'true') return []
        const act = form.elements.namedItem('act')
        const what = [
          methodOf(form),
          (form.getAttribute('action') ?? location.pathname).replace(/\d+/g, 'N').replace(/[?#].*/, ''),
          act instanceof HTMLInputElement ? act.value : '',
          button.name && `${button.name}=${button.value.replace(/\d+/g, 'N')}`,
        ]
        return [{ button, kind: what.join(' ') }]
      })

    /** Unfolds, opens and scrolls whatever a person would to reach the button. */
    window.bringIntoReach = (kind) => {
      const button = window.submitButtons().find((each) => each.kind === kind)?.button
      if (!button) return null
      const form = button.form!
      const words =
        methodOf(form) === 'get' && [...form.elements].find((each) => each.matches('input:is([type=search],[name=q],[inputmode=search])'))
      // An empty search leads to the same page, and a known place is found again silently.
      if (words instanceof HTMLInputElement) words.value = 'kangayam'
      if (button.value === 'lookup') form.querySelector<HTMLInputElement>('[name=pincode]')!.value = ''
      if (button.value === 'species') form.querySelector<HTMLInputElement>('[name=categoryId]')!.checked = true
      for (let around: Element | null = button; around; around = around.parentElement) {
        if (around instanceof HTMLDetailsElement) around.open = true
        if (around instanceof HTMLElement && around.popover && !around.matches(':popover-open')) around.showPopover()
        if (around instanceof HTMLDialogElement && !around.open && !around.checkVisibility()) around.show()
      }
      button.scrollIntoView({ block: 'center' })
      const box = button.getBoundingClientRect()
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
      const hit = document.elementFromPoint(point.x, point.y)
      return {
        ...point,
        isFree: hit !== null && button.contains(hit),
        action: new URL(form.getAttribute('action') ?? '', location.href).pathname,
        method: methodOf(form),
        before: window.shown().text,
      }
    }

    /** The page's present messages, and which page it is. */
    window.shown = () => {
      const isSeen = (each: Element) => each.checkVisibility() && each.textContent.trim() !== ''
      const said = [...document.querySelectorAll('[role=alert],[role=status],[aria-invalid=true],:popover-open h2,dialog[open] h2')]
        .filter((each) => (each.matches('[aria-invalid=true]') ? each.checkVisibility() : isSeen(each)))
        .map((each) =>
          each.matches('input,select,textarea,fieldset') ? `! ${each.getAttribute('name') ?? each.id}` : each.textContent.trim(),
        )
      // The browser itself points at a missing field.
      if (document.activeElement?.matches(':invalid')) said.push(`! ${document.activeElement.id}`)
      const { alive, start, ready } = document.documentElement.dataset
      const isBusy =
        document.readyState !== 'complete' ||
        (alive === undefined && (start !== 'on-demand' || ready === undefined)) ||
        document.querySelector('[data-held], [aria-busy=true]') !== null
      // A form may ask for more first.
      const boxes = [...document.querySelectorAll('input, textarea, select')].filter((each) => each.checkVisibility()).length
      const text = JSON.stringify([location.pathname + location.search, document.querySelector('h1')?.textContent, said, `${boxes} boxes`])
      return { text, isBusy }
    }
  }, ALIVE_EVENT)

export async function kindsOn(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  return page.evaluate(() => window.submitButtons().map(({ kind }) => kind))
}

/** Background requests: counters, drafts, reports. */
const inBackground = /\/(product-access-detail|page-view|listing-draft|csp-report|product-contact)/

/** A page of a phone whose posts are all corrupted on the way: the server refuses each and says so, and the market stays unchanged. */
export interface Phone {
  page: Page
  cdp: CDPSession
}

export async function newPhone(context: BrowserContext): Promise<Phone> {
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  cdp.on('Fetch.requestPaused', ({ requestId, request }) => {
    const isLetThrough = request.method === 'GET' || inBackground.test(request.url)
    const spoilt = request.url.includes('/api/') ? '{}' : (request.postData ?? '').replaceAll('csrf', 'cs_f')
    const change = isLetThrough ? {} : { postData: Buffer.from(spoilt, 'latin1').toString('base64') }
    // The page may have navigated meanwhile.
    cdp.send('Fetch.continueRequest', { requestId, ...change }).catch(() => {})
  })
  // Only requests that a form can cause: pictures and scripts come straight from the cache.
  await cdp.send('Fetch.enable', { patterns: (['Document', 'Fetch', 'XHR'] as const).map((resourceType) => ({ resourceType })) })
  return { page, cdp }
}

interface Tapped {
  outcome: Outcome | null
  /** How long after the first paint the page was ready; 0 if the tap did not wait for it. */
  ready: number
}

/**
 * Opens the page on a processor slowed down by this rate, taps its button this long after the first paint, and returns the result: null
 * when the idle page has no such button any more, or none that can be pressed. Repeats the tap after a refusal for load
 * (503 with Retry-After), five times at most.
 */
export async function tap(phone: Phone, { path, kind }: Tap, when: { rate: number; wait: number | 'idle' }, repeats = 5): Promise<Tapped> {
  const { page, cdp } = phone
  const { rate, wait } = when
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  await open(page, path)
  const placed = await page.waitForFunction((kind) => {
    if (performance.getEntriesByName('first-contentful-paint').length === 0 || document.readyState === 'loading') return null
    return window.bringIntoReach(kind)
  }, kind)
  let place = (await placed.jsonValue())!
  let ready = 0
  if (wait === 'idle') {
    ready = await untilIdle(page)
    const later = await page.evaluate((kind) => window.bringIntoReach(kind), kind)
    if (!later) return { outcome: null, ready }
    place = later
  } else await page.waitForTimeout(wait)
  const asked: Request[] = []
  const listen = (request: Request) => void (isAnswer(request, place) && asked.push(request))
  page.on('request', listen)
  let isRefusedForLoad = false
  const watch = (response: Response) => void (isRefusedForLoad ||= isComeAgain(response))
  page.on('response', watch)
  if (place.isFree) {
    await page.mouse.move(place.x, place.y)
    await page.mouse.down()
    await page.mouse.up()
  } else {
    // Below a phone's bar, or for screen readers only: pressed by script.
    const press = (kind: string) =>
      window
        .submitButtons()
        .find((each) => each.kind === kind)
        ?.button.click()
    await page.evaluate(press, kind)
  }
  const says = await untilSaid(phone, place.before, asked)
  page.off('request', listen)
  page.off('response', watch)
  if (isRefusedForLoad && repeats > 0) return tap(phone, { path, kind }, when, repeats - 1)
  const { pathname } = new URL(page.url())
  return { outcome: { asked: asked.map(describe), path: withoutNumbers(pathname), says } satisfies Outcome, ready }
}

/** A busy server refuses some requests with Retry-After (safety.md §3). */
export async function open(page: Page, path: string): Promise<Response | null> {
  for (;;) {
    const response = await page.goto(path, { waitUntil: 'commit' })
    if (!response || !isComeAgain(response)) return response
    await page.waitForTimeout(1000)
  }
}

const isAnswer = (request: Request, { action, method }: Place) => {
  if (request.redirectedFrom() || inBackground.test(request.url())) return false
  if (request.method() !== 'GET') return true
  const { pathname } = new URL(request.url())
  const ofForm = pathname.replace(/(\/_root)?\.data$/, '').replace(/\/$/, '') === action.replace(/\/$/, '')
  return method === 'get' && ofForm && ['document', 'fetch'].includes(request.resourceType())
}
const describe = (request: Request) =>
  `${request.method()} ${withoutNumbers(new URL(request.url()).pathname.replace(/(\/_root)?\.data$/, ''))}`

/** How long after the first paint the page's scripts answer and everything has loaded. */
async function untilIdle(page: Page): Promise<number> {
  await page.waitForFunction(() => window.aliveAt !== undefined)
  await page.waitForLoadState('networkidle')
  return page.evaluate(() => {
    const ends = performance.getEntriesByType('resource').map((each) => (each as PerformanceResourceTiming).responseEnd)
    return Math.max(window.aliveAt!, ...ends) - performance.getEntriesByName('first-contentful-paint')[0]!.startTime
  })
}

/** Waits until the messages differ from before, all requests are answered, and the messages stay. */
async function untilSaid({ page, cdp }: Phone, before: string, asked: Request[]): Promise<string> {
  for (let last = before; ;) {
    const isOther = (before: string) => {
      const { text, isBusy } = window.shown()
      return !isBusy && text !== before ? text : null
    }
    const said = await page.waitForFunction(isOther, before, { polling: 50, timeout: 45_000 }).catch((error: Error) => error)
    // The page may navigate while it is read; only after a time-out does it count as having no message.
    if (said instanceof Error) {
      if (said instanceof errors.TimeoutError || page.isClosed()) return ''
      continue
    }
    // The rest is no race any more, and a slowed processor takes time from the others.
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await Promise.all(asked.map((request) => request.response().catch(() => null)))
    const text = await said.jsonValue().catch(() => null)
    if (text && text === last) return text.replace(/\d[\d,.]*/g, 'N')
    last = text ?? before
    // A long list is rendered in chunks, after its address changes.
    await page.waitForTimeout(400)
  }
}
