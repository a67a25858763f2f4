import { createServer, type RequestListener, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'

/**
 * Starts the site: `node server.ts` serves build/, `node server.ts --dev` serves the sources through Vite.
 * Run by Node itself, which is why it is small: everything else lives in one module graph (decision 0002).
 */
const isDev = process.argv.includes('--dev')
// React Router picks its development build unless this is set before it is first imported.
process.env.NODE_ENV = isDev ? 'development' : 'production'

type Site = typeof import('./src/main.server.ts')

/** How long balancers have to notice, and how long everything may take. */
const DRAIN_MS = 1000
const STOP_WITHIN_MS = 10_000

let vite: import('vite').ViteDevServer | undefined
let isStopping = false

const started = performance.now()
const server = createServer({ requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 5_000, maxHeaderSize: 16_384 })
const load = await loader(server)
const site = await load()

const market = await open(site)
await site.seedSampleMarket(market, (line) => console.log(line))
server.on('request', listener())
server.listen(market.env.port, market.env.host, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : market.env.port
  console.log(`சந்தை · Sandhai is open at http://localhost:${port} (${market.database.kind} database, ready in ${((performance.now() - started) / 1000).toFixed(1)} s)`)
})
server.on('error', (error) => refuse([error.message]))

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
process.on('unhandledRejection', (error) => market.log.error({ err: error }, 'unhandled rejection'))

/** New work is refused, running requests finish, the database is closed. A second signal, or ten seconds, ends it hard. */
async function stop(): Promise<void> {
  if (isStopping) process.exit(1)
  isStopping = true
  market.isDraining = true
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  // Long enough for a load balancer to read /readyz and send people elsewhere.
  await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
    setInterval(() => server.closeIdleConnections(), 100).unref()
  })
  await market.close()
  process.exit(0)
}

async function open(site: Site) {
  try {
    return await site.openMarket(site.withSecret(site.readEnv(process.env)))
  } catch (error) {
    if (error instanceof site.EnvError) refuse(error.lines)
    refuse([error instanceof Error ? error.message.split('\nparams:')[0]! : String(error)])
  }
}

function refuse(lines: string[]): never {
  for (const line of lines) console.error(line)
  process.exit(1)
}

async function loader(server: Server): Promise<() => Promise<Site>> {
  if (!isDev) {
    const entry = './build/server/index.js'
    return () => import(entry) as Promise<Site>
  }
  const { createServer: createVite } = await import('vite')
  const dev = await createVite({ server: { middlewareMode: true, hmr: { server } } })
  vite = dev
  return () => dev.ssrLoadModule('./src/main.server.ts') as Promise<Site>
}

/** In development Vite answers for its own files first, and every request meets the newest code. */
function listener(): RequestListener {
  if (!vite) return getRequestListener(site.createSite(market).fetch)
  const pages = getRequestListener(async (request, env) => (await load()).createSite(market).fetch(request, env as never))
  return (request, response) => vite!.middlewares(request, response, () => void pages(request, response))
}
