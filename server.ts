import cluster from 'node:cluster'
import { randomUUID } from 'node:crypto'
import { createServer, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { enableCompileCache } from 'node:module'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { EnvError, readEnv, withSecrets, type Env } from '#src/kit/base/env.server.ts'
import { securityHeaders } from './src/kit/http/security-headers.server.ts'

/**
 * Starts the site: `node server.ts` serves build/, `node server.ts --dev` serves the sources through Vite.
 * Run by Node itself, which is why it is small: everything else lives in one module graph (decision 0002). Only the
 * configuration is read before that graph is loaded, so that a mistake in it is told at once.
 */
const isDev = process.argv.includes('--dev')
// React Router picks its development build unless this is set before it is first imported.
process.env.NODE_ENV = isDev ? 'development' : 'production'
// The next start finds the site compiled: it takes half of the time and 40 MB less. In our own folder, because code from a shared one is
// whoever's could write there; NODE_COMPILE_CACHE chooses another. Where nothing can be written, nothing is kept.
if (!isDev) enableCompileCache(join(import.meta.dirname, 'build/server/.compile-cache'))

type Site = typeof import('./src/server/main.server.ts')

/** How long balancers have to notice, and how long everything may take. */
const DRAIN_MS = 1000
const STOP_WITHIN_MS = 10_000
/** A connection on which nobody has said a word for this long is closed at a stop. */
const QUIET_MS = 500
/**
 * Longer than proxies keep a connection to us (60 s with nginx and most balancers): whoever closes first must be the one who sends,
 * or an order may be sent down a connection that we are just closing.
 */
const KEEP_ALIVE_MS = 65_000

/**
 * The longest that a whole request may take to come: 24 MB of photos at 27 KB a second. What stops coming before, or comes at a trickle,
 * is cut within seconds (src/server/bodies.server.ts).
 */
const REQUEST_WITHIN_MS = 15 * 60_000

let vite: import('vite').ViteDevServer | undefined
let isStopping = false
let hadSignal = false

const started = performance.now()
const env = configuration()
const heldSocket = socketFromSystemd()
// The processes of a cluster share the port (scripts/cluster.ts).
if (!heldSocket && !cluster.isWorker) await ensureAddressIsFree()
const server = createServer({
  requireHostHeader: false,
  requestTimeout: REQUEST_WITHIN_MS,
  headersTimeout: 10_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16_384,
})
const connections = new Map<Socket, number>()
/** The last answer begun on a connection. */
const answering = new WeakMap<object, ServerResponse>()
server.on('connection', (socket) => {
  connections.set(socket, performance.now())
  socket.once('close', () => connections.delete(socket))
})
const load = await loader(server)
const site = await load()

const market = await open(site)
// While we stop, every answer says that it is the connection's last: a request on a connection that we are about to close would be lost.
server.on('request', (_, response) => void (market.isDraining && response.setHeader('Connection', 'close')))
server.on('request', (request, response) => void answering.set(request.socket, response))
server.on('request', listener())
await site
  .openOperatorPort(market)
  .catch((error: NodeJS.ErrnoException) => refuse([listeningProblem(error, 'OPERATOR_PORT', env.operatorPort, 'OPERATOR_HOST')]))
server.on('clientError', refuseUnreadable)
market.database.giveUpOnSilence()
server.listen(heldSocket ?? { port: market.env.port, host: market.env.host }, () => {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : market.env.port
  console.log(
    `சந்தை · Sandhai is open at http://localhost:${port} (${market.database.kind} database, ready in ${((performance.now() - started) / 1000).toFixed(1)} s)`,
  )
})
server.on('error', (error) => refuse([listeningProblem(error)]))

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stopAtSignal)
// Of the process that started this one (scripts/cluster.ts); the same signal may have reached both.
process.on('message', (message) => message === 'stop' && stop())
process.on('unhandledRejection', (error) => market.log.error({ err: error }, 'unhandled rejection'))

/** A second one ends it hard. */
function stopAtSignal(): void {
  if (hadSignal) process.exit(1)
  hadSignal = true
  void stop()
}

/** New work is refused, running requests finish, the database is closed. Ten seconds end it hard. */
async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  market.isDraining = true
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
  // Long enough for a load balancer to read /readyz and send people elsewhere.
  await sleep(DRAIN_MS)
  await quietMoment()
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    setInterval(closeQuietConnections, 100).unref()
  })
  await market.close()
  process.exit(0)
}

/** Just after a look at the network with nothing to do: a visitor let in by the system, but not yet by us, would be cut off. */
async function quietMoment(): Promise<void> {
  for (let look = 0; look < 500; look++) {
    const began = performance.now()
    await setImmediate()
    if (performance.now() - began < 0.2) return
  }
}

/** A browser opens connections in advance. Node does not count those as idle, and they would hold us until the deadline. */
function closeQuietConnections(): void {
  server.closeIdleConnections()
  for (const [socket, openedAt] of connections) if (socket.bytesRead === 0 && performance.now() - openedAt > QUIET_MS) socket.destroy()
}

async function open(site: Site) {
  try {
    const market = await site.openMarket(env)
    await site.seedSampleMarket(market, (line) => console.log(line))
    return market
  } catch (error) {
    refuse([reasonOf(error)])
  }
}

function configuration(): Env {
  try {
    return withSecrets(readEnv(process.env))
  } catch (error) {
    refuse(error instanceof EnvError ? error.lines : [String(error)])
  }
}

/**
 * A socket that systemd holds (ops/sandhai.socket, sd_listen_fds(3)). Visitors who come between two processes wait in its queue, so nobody is
 * refused at a restart (docs/decisions/0088).
 */
function socketFromSystemd(): { fd: number } | null {
  const { LISTEN_PID, LISTEN_FDS } = process.env
  // A process of a cluster listens on the socket of the one that started it.
  if (LISTEN_PID !== String(cluster.isWorker ? process.ppid : process.pid)) return null
  if (LISTEN_FDS !== '1')
    refuse([`systemd hands over ${LISTEN_FDS} sockets. The site takes one: ListenStream stands once in sandhai.socket.`])
  return { fd: 3 }
}

/** Asked before anything is opened: a first start prepares the market for a minute, and would tell only then. */
async function ensureAddressIsFree(): Promise<void> {
  const probe = createSocketServer()
  await new Promise<void>((resolve) => {
    probe.once('error', (error) => refuse([listeningProblem(error)]))
    probe.listen(env.port, env.host, () => probe.close(() => resolve()))
  })
}

function listeningProblem({ code, message }: NodeJS.ErrnoException, name = 'PORT', port: number | null = env.port, host = 'HOST'): string {
  if (code === 'EADDRINUSE') return `${name} ${port} is in use by another program. Stop it, or set another ${name}.`
  if (code === 'EACCES') return `${name} ${port} may be used by the system's administrator only. Set one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `${host} is not an address of this machine.`
  return message
}

/** One line. Of a failed statement the database's own words, not the statement. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!error.message.startsWith('Failed query') || !(cause instanceof Error)) return error.message.split('\n')[0]!
  return `The database could not be made ready: ${cause.message}.`
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
  return () => dev.ssrLoadModule('./src/server/main.server.ts') as Promise<Site>
}

/** What Node or its adapter cannot read never reaches the pipeline, and is refused with the same headers. */
function headersOfRefusal(): Record<string, string> {
  const safe = securityHeaders(env.publicOrigin.startsWith('https:'))
  return { ...safe, 'Cache-Control': 'no-store', 'X-Request-Id': randomUUID() }
}

function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  const answer = answering.get(socket)
  // In the middle of an answer these words would become a part of it.
  const isFree = !answer || !answer.headersSent || answer.writableFinished
  if (socket.writable && isFree && error.code !== 'ECONNRESET') {
    const status = { HPE_HEADER_OVERFLOW: 431, HPE_CHUNK_EXTENSIONS_OVERFLOW: 413, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
    const headers = { ...headersOfRefusal(), Connection: 'close', 'Content-Length': '0' }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n'))
  }
  socket.destroySoon()
}

/** A target or a host that is none. Everything else is answered within the pipeline. */
function errorHandler(): Response {
  return new Response(null, { status: 400, headers: headersOfRefusal() })
}

/** In development Vite answers for its own files first, and every request meets the newest code. */
function listener(): RequestListener {
  if (!vite) return getRequestListener(site.createSite(market).fetch, { errorHandler })
  const pages = getRequestListener(async (request, env) => (await load()).createSite(market).fetch(request, env as never))
  return (request, response) => vite!.middlewares(request, response, () => void pages(request, response))
}
