import { createServer } from 'node:http'
import { isIP } from 'node:net'
import type { Market } from '#src/market/market.server.ts'
import { metricsOf } from './metrics.server.ts'
import { isReady, readinessOf } from './readiness.server.ts'

/**
 * The operator's port (OPERATOR_PORT), on the loopback interface unless OPERATOR_HOST says otherwise: /metrics for Prometheus, and /readyz
 * with reasons. Throws when the port is in use. A request for another host is refused, so that no web page reads the port through a browser
 * by a name that its owner points here.
 */
export async function openOperatorPort(market: Market): Promise<void> {
  const { operatorPort, operatorHost } = market.env
  if (operatorPort === null) return
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string) =>
      void response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body)
    const answer = async () => {
      if (!isOperatorHost(request.headers.host, operatorHost)) return send(421, 'text/plain', 'This host is not served here.\n')
      if (request.url === '/metrics') return send(200, 'text/plain; version=0.0.4; charset=utf-8', await metricsOf(market))
      if (request.url !== '/readyz') return send(404, 'text/plain', 'There are /metrics and /readyz.\n')
      const all = await readinessOf(market)
      send(isReady(all) ? 200 : 503, 'application/json', `${JSON.stringify({ isReady: isReady(all), all }, null, 1)}\n`)
    }
    answer().catch((error: unknown) => {
      market.log.error({ err: error }, 'operator port')
      if (!response.headersSent) send(500, 'text/plain', 'See the log.\n')
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(operatorPort, operatorHost, resolve)
  })
  server.unref()
}

/**
 * Addresses, as probes use them; this machine; a name without a dot, as containers have, which nobody can register; and OPERATOR_HOST. A request
 * of HTTP 1.0 has no Host.
 */
export function isOperatorHost(header: string | undefined, operatorHost: string): boolean {
  if (header === undefined) return true
  const host = header
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  return isIP(host) !== 0 || host === operatorHost.toLowerCase() || /^[a-z0-9_-]+$/.test(host)
}
