import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium, type Browser, type Page } from '@playwright/test'
import { findChromium } from '#tools/test-kit/chromium.ts'
import { kilobytes, median, type Figure, type Section } from './result.ts'
import { withSampleSite } from './sample-site.ts'

const PATHS = ['/', '/en', '/buy/0', '/en/buy/0', '/product/1', '/en/product/1']

/** Lighthouse's mobile scores, and how soon the page answers taps on a slow processor. */
export async function phonePages(): Promise<Section[]> {
  return withSampleSite(async (origin) => {
    const found = await findChromium()
    const lighthouse = await lighthouseScores(origin, found.executablePath)
    const browser = await chromium.launch(found)
    try {
      return [lighthouse, await tapLatency(browser, origin)]
    } finally {
      await browser.close()
    }
  })
}

/** npx downloads it, so `npm ci` does not have to. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const RUNS = 3

interface Audit {
  numericValue: number
}
interface LighthouseResult {
  categories: { performance: { score: number } }
  audits: Record<'largest-contentful-paint' | 'total-blocking-time' | 'cumulative-layout-shift' | 'total-byte-weight', Audit>
}

async function lighthouseScores(origin: string, chromePath: string): Promise<Section> {
  const figures: Figure[] = []
  for (const path of PATHS) {
    const runs: LighthouseResult[] = []
    for (let run = 0; run < RUNS; run++) runs.push(await lighthouse(origin + path, chromePath))
    const middle = (read: (result: LighthouseResult) => number) => median(runs.map(read))
    const note = `median of ${RUNS}, ${kilobytes(middle(({ audits }) => audits['total-byte-weight'].numericValue))} KB`
    const score = 100 * middle(({ categories }) => categories.performance.score)
    const seconds = (audit: 'largest-contentful-paint' | 'total-blocking-time') => middle(({ audits }) => audits[audit].numericValue) / 1000
    figures.push({ name: `${path} · score`, value: score, unit: '', atLeast: 98, note })
    figures.push({ name: `${path} · LCP`, value: seconds('largest-contentful-paint'), unit: 's', atMost: 1.5, note })
    figures.push({ name: `${path} · TBT`, value: seconds('total-blocking-time'), unit: 's', atMost: 0.1, note })
    figures.push({
      name: `${path} · CLS`,
      value: middle(({ audits }) => audits['cumulative-layout-shift'].numericValue),
      unit: '',
      atMost: 0,
      note,
    })
  }
  return {
    title: 'Lighthouse, mobile',
    explains: `${LIGHTHOUSE}, its own mobile settings: slow 4G and a processor four times slower.`,
    figures,
  }
}

async function lighthouse(url: string, chromePath: string): Promise<LighthouseResult> {
  const args = ['--yes', LIGHTHOUSE, url, '--output=json', '--quiet', '--only-categories=performance']
  const flags = `--chrome-flags=--headless=new --no-sandbox --disable-dev-shm-usage`
  const { stdout } = await promisify(execFile)('npx', [...args, flags], {
    env: { ...process.env, CHROME_PATH: chromePath },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as LighthouseResult
}

/** How many times slower the processor is. */
const SLOWDOWN = 6
const FIRST_TAP_MS = 200
const LATER_TAP_MS = 100

/** Buyers tap these first on a page, and then again. */
const taps: { name: string; path: string; selector: string; again?: string }[] = [
  { name: 'Filter', path: '/en/buy/1', selector: 'a[href="#filter"]', again: '#filter [data-close]' },
  { name: 'heart in the list', path: '/en/buy/1', selector: '[data-heart] >> nth=0', again: '[data-heart] >> nth=1' },
  { name: 'chip', path: '/en/buy/1', selector: '.usual-filter:not([data-near-me]) >> nth=0' },
  { name: 'photo', path: '/en/product/1', selector: '[data-photo="0"]', again: '[data-turn="close"]' },
  { name: 'tab', path: '/en/product/1', selector: '[role=tab] >> nth=1', again: '[role=tab] >> nth=0' },
  { name: 'heart of an animal', path: '/en/product/1', selector: '[data-heart] >> nth=0', again: '[data-heart] >> nth=0' },
  { name: 'add to cart, as a visitor', path: '/en/product/1', selector: '[data-buy-bar] a.button-primary' },
]

/** The Event Timing of each tap: from the touch to the next frame that the browser paints, in steps of 8 ms. */
async function tapLatency(browser: Browser, origin: string): Promise<Section> {
  const figures: Figure[] = []
  for (const { name, path, selector, again } of taps) {
    const rounds: { first: number; later: number | null }[] = []
    for (let round = 0; round < RUNS; round++) rounds.push(await tapTwice(browser, origin + path, selector, again))
    const first = median(rounds.map((each) => each.first))
    const note = `${path}, median of ${RUNS}`
    figures.push({ name: `${name}, first tap`, value: first / 1000, unit: 's', atMost: FIRST_TAP_MS / 1000, note })
    const later = rounds.flatMap((each) => each.later ?? [])
    if (later.length > 0)
      figures.push({ name: `${name}, later tap`, value: median(later) / 1000, unit: 's', atMost: LATER_TAP_MS / 1000, note })
  }
  return {
    title: `Taps at ${SLOWDOWN} times the processor's time`,
    explains: 'Event Timing (INP) of single taps on a phone of 360 × 800.',
    figures,
  }
}

async function tapTwice(browser: Browser, url: string, selector: string, again?: string) {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true })
  await context.addInitScript(recordTaps)
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  const first = await tapped(page, selector)
  const later = again === undefined ? null : await tapped(page, again)
  await context.close()
  return { first, later }
}

/** Milliseconds; 16 when the browser reports nothing, because it reports no shorter ones. */
async function tapped(page: Page, selector: string): Promise<number> {
  await page.evaluate(() => (window.tapTimes.length = 0))
  // A tap that leaves the page is recorded in the page it leaves, so the next document waits until the record is read.
  let answer = () => {}
  const isRead = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/*', async (route) => {
    if (route.request().isNavigationRequest()) await isRead
    await route.fallback()
  })
  await page.locator(selector).first().tap({ noWaitAfter: true })
  await sleep(2500)
  const longest = await page.evaluate(() => Math.max(16, ...window.tapTimes))
  answer()
  await page.unroute('**/*')
  return longest
}

declare global {
  interface Window {
    tapTimes: number[]
  }
}

function recordTaps(): void {
  window.tapTimes = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.tapTimes.push(entry.duration)
  })
  observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
}
