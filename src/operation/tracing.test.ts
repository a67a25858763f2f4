import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { startPreparedPostgres } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPreparedPostgres()
})
afterAll(() => postgres?.stop())

const collectors: Server[] = []
afterEach(async () => {
  await cleanUp()
  for (const collector of collectors.splice(0)) {
    collector.closeAllConnections()
    collector.close()
  }
})

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
const value = z.union([z.object({ stringValue: z.string() }), z.object({ intValue: z.union([z.number(), z.string()]) })])
const attributes = z.array(z.object({ key: z.string(), value: value.or(z.looseObject({})) }))
const span = z.object({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: hex(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes,
})
/** ExportTraceServiceRequest of OTLP 1.x, in JSON: https://opentelemetry.io/docs/specs/otlp/ */
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
})

/** A collector that accepts valid OTLP over HTTP and refuses everything else. */
async function startCollector() {
  const texts: string[] = []
  const refused: string[] = []
  const server = createServer((from, to) => {
    const chunks: Buffer[] = []
    from.on('data', (chunk: Buffer) => chunks.push(chunk))
    from.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const isRight = from.method === 'POST' && from.url === '/v1/traces' && from.headers['content-type'] === 'application/json'
      const parsed = isRight ? request.safeParse(JSON.parse(text)) : null
      if (parsed?.success) texts.push(text)
      else refused.push(`${from.method} ${from.url} ${parsed?.error ?? ''}`)
      to.writeHead(parsed?.success ? 200 : 400, { 'Content-Type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  collectors.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const batches = () => texts.map((text) => request.parse(JSON.parse(text)).resourceSpans).flat()
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    refused,
    spans: () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    services: () => batches().map(({ resource }) => factOf(resource.attributes, 'service.name')),
  }
}

const factOf = (facts: z.output<typeof attributes>, key: string): unknown =>
  Object.values(facts.find((each) => each.key === key)?.value ?? {})[0]

const start = (variables: Record<string, string>) =>
  startSite({
    DATABASE_URL: postgres.url,
    DATA_DIR: tempFolder(),
    LOG_LEVEL: 'warn',
    PEPPER: 'p'.repeat(32),
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ...variables,
  })

const PHONE = '9876501234'
const TYPED = 'அந்தரங்கமாடு'

describe('traces', () => {
  test('have each request with its statements, and no typed text', async () => {
    const collector = await startCollector()
    const site = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address })
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`
    await fetch(`${site.origin}/en/buy/0?q=${encodeURIComponent(TYPED)}+${PHONE}`, { headers: { traceparent } })
    await fetch(`${site.origin}/api/v1/login`, { method: 'POST', body: JSON.stringify({ username: PHONE, password: TYPED }) })
    await fetch(`${site.origin}/${PHONE}`)
    site.signal('SIGTERM')
    expect(await site.ended).toMatchObject({ code: 0, err: [] })

    expect(collector.refused).toEqual([])
    expect(new Set(collector.services())).toEqual(new Set(['sandhai']))
    const spans = collector.spans()
    const list = spans.find(({ name }) => name === 'GET /buy/:typeId')!
    expect(list).toMatchObject({ kind: 2 })
    expect(list.parentSpanId).toBeUndefined()
    expect(factOf(list.attributes, 'http.response.status_code')).toBe(200)
    const statements = spans.filter(({ traceId, name }) => traceId === list.traceId && name === 'statement')
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.every(({ parentSpanId, kind }) => parentSpanId === list.spanId && kind === 3)).toBe(true)
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['POST /api/v1/login', 'GET other']))
    // A visitor cannot add to our traces.
    expect(collector.texts.join('')).not.toContain(traceparent.split('-')[1])
    for (const secret of [PHONE, TYPED, encodeURIComponent(TYPED)]) expect(collector.texts.join('')).not.toContain(secret)
  })

  test('continue the trace of a proxy of ours', async () => {
    const collector = await startCollector()
    const site = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, OTEL_SERVICE_NAME: 'market-of-erode', TRUSTED_PROXIES: '1' })
    const [traceId, parentSpanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
    await fetch(`${site.origin}/en/market-days`, { headers: { traceparent: `00-${traceId}-${parentSpanId}-01` } })
    site.signal('SIGTERM')
    await site.ended
    expect(new Set(collector.services())).toEqual(new Set(['market-of-erode']))
    expect(collector.spans()).toContainEqual(expect.objectContaining({ traceId, parentSpanId, kind: 2 }))
  })

  test('that no collector accepts delay neither visitors nor a stop, and the log says so', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    collectors.push(silent)
    await new Promise((resolve) => silent.once('listening', resolve))
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const site = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_EXPORTER_OTLP_TIMEOUT: '300', OTEL_BSP_EXPORT_TIMEOUT: '300' })
    expect((await fetch(`${site.origin}/`)).status).toBe(200)
    await expect
      .poll(() => site.out().filter((line) => line.includes('traces were not sent')).length, { timeout: 60_000 })
      .toBeGreaterThan(0)
    expect((await fetch(`${site.origin}/en/market-days`)).status).toBe(200)
    site.signal('SIGTERM')
    expect(await site.ended).toMatchObject({ code: 0 })
  })
})
