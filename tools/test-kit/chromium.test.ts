import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { findChromium, type FoundChromium } from './chromium.ts'

/** A page with a strict policy, one allowed script and one forbidden script. */
const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'nonce-yes'; connect-src 'self'; img-src data:")
  response.end(`<!doctype html><html lang="ta"><title>சந்தை</title><h1>${request.url}</h1>
    <script nonce="yes">document.documentElement.dataset.allowed = 'ran'</script>
    <script>document.documentElement.dataset.refused = 'ran'</script>`)
})

let origin: string
let found: FoundChromium
let browser: Browser

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  found = await findChromium({ npmOnly: true })
  browser = await chromium.launch(found)
})

afterAll(async () => {
  await browser?.close()
  server.close()
})

afterEach(() => vi.unstubAllEnvs())

describe("npm's Chromium", () => {
  test('shows a page and takes a screenshot', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 240 } })
    await page.goto('data:text/html,<body style="margin:0;background:rgb(200,40,40)"><h1>Goat</h1>')
    expect(await page.getByRole('heading', { name: 'Goat' }).isVisible()).toBe(true)
    const picture = await page.screenshot()
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    const color = await page.evaluate(async (base64) => {
      const image = new Image()
      image.src = `data:image/png;base64,${base64}`
      await image.decode()
      const context = document.createElement('canvas').getContext('2d')!
      context.drawImage(image, 0, 0)
      return [...context.getImageData(290, 140, 1, 1).data]
    }, picture.toString('base64'))
    expect(color).toEqual([200, 40, 40, 255])
    await page.close()
  })

  test('serves two visitors at once, each with their own cookies and processes', async () => {
    const contexts = await Promise.all([browser.newContext(), browser.newContext()])
    const pages = await Promise.all(contexts.map((context) => context.newPage()))
    await Promise.all(pages.map((page, i) => page.goto(`${origin}/visitor/${i}`)))
    await contexts[0]!.addCookies([{ name: 'sid', value: 'x', url: origin }])
    expect(await Promise.all(pages.map((page) => page.locator('h1').textContent()))).toEqual(['/visitor/0', '/visitor/1'])
    expect(await Promise.all(contexts.map(async (context) => (await context.cookies()).length))).toEqual([1, 0])
    const { processInfo } = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo')
    expect(processInfo.filter(({ type }) => type === 'renderer').length).toBeGreaterThanOrEqual(2)
    await Promise.all(contexts.map((context) => context.close()))
  })

  test('enforces the content security policy and the same-origin rule', async () => {
    const page = await browser.newPage()
    await page.goto(origin)
    expect(await page.evaluate(() => ({ ...document.documentElement.dataset }))).toEqual({ allowed: 'ran' })

    await page.goto('data:text/html,<p>a stranger')
    const stolen = await page.evaluate(
      (url) =>
        fetch(url).then(
          (answer) => answer.text(),
          () => 'refused',
        ),
      origin,
    )
    expect(stolen).toBe('refused')
    await page.close()
  })

  test('brings its own libraries, so it runs on a machine without NSS', () => {
    const libraries = path.join(path.dirname(found.executablePath), 'al2023', 'lib')
    const resolved = execFileSync('ldd', [found.executablePath], { env: found.env, encoding: 'utf8' })
    for (const library of ['libnss3.so', 'libnssutil3.so', 'libnspr4.so', 'libplc4.so', 'libplds4.so', 'libexpat.so.1']) {
      expect(resolved).toContain(`${library} => ${path.join(libraries, library)}`)
    }
    expect(resolved).not.toContain('not found')
  })

  test('is unpacked once, even when two test runs start at the same time', async () => {
    const fresh = await mkdtemp(path.join(tmpdir(), 'sandhai-fresh-'))
    vi.stubEnv('TMPDIR', fresh)
    try {
      const both = await Promise.all([findChromium({ npmOnly: true }), findChromium({ npmOnly: true })])
      expect(both[0]).toEqual(both[1])
      expect(both[0].executablePath.startsWith(fresh)).toBe(true)
      expect(await readdir(fresh)).toHaveLength(1)
      expect(execFileSync(both[0].executablePath, ['--version'], { env: both[0].env, encoding: 'utf8' })).toMatch(/Chrom\w+ \d+/)
    } finally {
      await rm(fresh, { recursive: true })
    }
  })
})

describe('the Chromium that is used', () => {
  test('is the one in CHROMIUM_PATH if set, and a wrong path gives an error that names it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sandhai-path-'))
    const ownBinary = path.join(folder, 'chromium')
    await writeFile(ownBinary, '#!/bin/sh\n')
    await chmod(ownBinary, 0o755)
    vi.stubEnv('CHROMIUM_PATH', ownBinary)
    expect((await findChromium()).executablePath).toBe(ownBinary)
    expect((await findChromium({ npmOnly: true })).executablePath).toBe(found.executablePath)
    await rm(folder, { recursive: true })
    await expect(findChromium()).rejects.toThrow(`CHROMIUM_PATH is ${ownBinary}, but there is no such file.`)
  })

  test('never runs with web security off or in one process', async () => {
    const { args } = await findChromium()
    expect(args.join(' ')).not.toMatch(/disable-web-security|single-process|allow-running-insecure-content|disable-site-isolation/)
  })
})
