import { chromium, type Browser } from '@playwright/test'
import { findChromium } from '#tools/test-kit/chromium.ts'
import { kilobytes, type Figure, type Section } from './result.ts'
import { withSampleSite } from './sample-site.ts'

const kinds = ['document', 'script', 'stylesheet', 'font', 'image', 'other'] as const
type Kind = (typeof kinds)[number]
type Bytes = Record<Kind, number>

/** The budget of each route at a first visit on a phone, in compressed KB. */
const budgetOf = (path: string): { script: number; stylesheet?: number; all?: number } => {
  const plain = path.replace(/^\/en/, '')
  if (plain === '/buy/0') return { script: 90, stylesheet: 15, all: 350 }
  return { script: plain.startsWith('/product/') ? 95 : 90 }
}

/** The bytes that a phone receives at its first visit to each route, with an empty cache, until the network is idle. */
export const firstLoads = (): Promise<Section> => withSampleSite(measure)

async function measure(origin: string): Promise<Section> {
  const browser = await chromium.launch(await findChromium())
  try {
    const figures: Figure[] = []
    for (const path of ['/', '/en', '/buy/0', '/en/buy/0', '/product/1', '/en/product/1']) {
      const sent = await visit(browser, origin + path)
      const budget = budgetOf(path)
      const figure = (name: string, bytes: number, atMost?: number): Figure => ({
        name: `${path} · ${name}`,
        value: kilobytes(bytes),
        unit: 'KB',
        ...(atMost !== undefined && { atMost }),
        note: '',
      })
      figures.push({ ...figure('all', sum(sent), budget.all), note: kinds.map((kind) => `${kind} ${kilobytes(sent[kind])}`).join(', ') })
      figures.push(figure('JavaScript', sent.script, budget.script))
      figures.push(figure('CSS', sent.stylesheet, budget.stylesheet))
    }
    return {
      title: 'First visit',
      explains:
        'KB (1,000 bytes) of bodies that a phone of 360 × 800 at 2× receives with gzip and an empty cache, until the network is idle.',
      figures,
    }
  } finally {
    await browser.close()
  }
}

async function visit(browser: Browser, url: string): Promise<Bytes> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    // Measure gzip, the encoding of the oldest phones that support compression.
    extraHTTPHeaders: { 'accept-encoding': 'gzip' },
  })
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send('Network.enable')
  const answers = new Map<string, { kind: Kind; headerBytes: number }>()
  const sent: Bytes = { document: 0, script: 0, stylesheet: 0, font: 0, image: 0, other: 0 }
  client.on('Network.responseReceived', ({ requestId, type, response }) => {
    const kind = kinds.find((each) => each === type.toLowerCase()) ?? 'other'
    answers.set(requestId, { kind, headerBytes: response.encodedDataLength })
  })
  // Count compressed bodies only. Headers add the same few hundred bytes each time.
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const answer = answers.get(requestId)
    if (answer) sent[answer.kind] += Math.max(0, encodedDataLength - answer.headerBytes)
  })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await context.close()
  return sent
}

const sum = (bytes: Bytes) => kinds.reduce((total, kind) => total + bytes[kind], 0)
