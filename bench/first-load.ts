import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'
import { findChromium } from '../src/kit/testing/chromium.ts'
import { projectRoot } from '../src/kit/project-root.server.ts'
import { kilobytes, type Figure, type Section } from './result.ts'

const kinds = ['document', 'script', 'stylesheet', 'font', 'image', 'other'] as const
type Kind = (typeof kinds)[number]
type Bytes = Record<Kind, number>

/** What each route may weigh at a first visit on a phone, in KB as sent, compressed. */
const budgets: Partial<Record<string, { script?: number; stylesheet?: number; all?: number }>> = {
  '/buy/0': { script: 125, stylesheet: 15, all: 350 },
}

/** Bytes that a phone receives at its first visit to each route, with an empty cache, until the line is quiet. */
export async function firstLoads(): Promise<Section> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-bench-'))
  const site = spawn(process.execPath, ['server.ts'], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of site.stdout) {
    said += chunk
    if (said.includes('is open')) break
  }
  const origin = `http://localhost:${/localhost:(\d+)/.exec(said)![1]}`
  const browser = await chromium.launch(await findChromium())
  try {
    const figures: Figure[] = []
    for (const path of ['/', '/en', '/buy/0', '/en/buy/0', '/product/1', '/en/product/1']) {
      const sent = await visit(browser, origin + path)
      const budget = budgets[path] ?? {}
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
        'KB (1,000 bytes) received over the line with gzip by a phone of 360 × 800 at 2×, cold, until nothing more comes; bodies only.',
      figures,
    }
  } finally {
    await browser.close()
    site.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function visit(browser: Browser, url: string): Promise<Bytes> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    // So that the figures are those of the oldest phone that compresses at all.
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
  // Bodies as they came over the line. Headers are the same few hundred bytes each time, and other servers' business.
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
