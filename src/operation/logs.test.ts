import { randomInt } from 'node:crypto'
import { afterEach, expect, inject, test } from 'vitest'
import { cleanUp, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

afterEach(cleanUp)

const PHONE = `9${randomInt(100_000_000, 999_999_999)}`
const SEARCH = 'அந்தரங்கமாடு'
const TOKEN = 'visitorsecretcookie'

test('each log line is one JSON object, without typed text, names, numbers or addresses of people', async () => {
  const site = await startSite({ DATA_DIR: tempFolder(inject('preparedDataDir')), LOG_LEVEL: 'debug' })
  const paths = [
    '/',
    `/buy/0?q=${encodeURIComponent(SEARCH)}&phone=%2B91${PHONE}`,
    `/en/buy/0?q=${SEARCH}+${PHONE}`,
    `/${PHONE}/${SEARCH}`,
    `/product/${PHONE}`,
    `/api/v1/product-detail-list/top=12&category=0&page=${PHONE}`,
    `/api/v1/${PHONE}?q=${SEARCH}`,
    `/media/${PHONE}.jpg`,
    `/%E0%A4%A?phone=${PHONE}`,
    '/healthz',
  ]
  const headers = {
    Cookie: `__Host-sid=${TOKEN}; sid=${TOKEN}`,
    'X-Forwarded-For': `2001:db8::${PHONE.slice(0, 4)}`,
    'User-Agent': `Mozilla ${PHONE}`,
    Referer: `http://x.test/?q=${PHONE}`,
  }
  for (let round = 0; round < 5; round++) {
    await Promise.all(paths.map(async (path) => (await fetch(site.origin + path, { headers, redirect: 'manual' })).arrayBuffer()))
    const body = JSON.stringify({ phone: PHONE, name: SEARCH, password: TOKEN })
    for (const path of ['/', '/api/v1/login', '/api/v1/csp-report']) {
      await fetch(site.origin + path, { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body })
    }
  }
  site.signal('SIGTERM')
  const { out, err, code } = await site.ended
  expect({ code, err }).toEqual({ code: 0, err: [] })

  const lines = out.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(
    out.filter((line) => !line.startsWith('{')).every((line) => /^(சந்தை · Sandhai is open|First start: |  \d+ of \d+ pictures)/.test(line)),
  ).toBe(true)
  expect(lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThanOrEqual(paths.length * 5)
  expect(lines.filter(({ level }) => (level as number) >= 50)).toEqual([])
  for (const [what, secret] of Object.entries({
    phone: PHONE,
    search: SEARCH,
    encoded: encodeURIComponent(SEARCH),
    token: TOKEN,
    address: '2001:db8',
  })) {
    expect(
      out.filter((line) => line.includes(secret)),
      what,
    ).toEqual([])
  }
})
