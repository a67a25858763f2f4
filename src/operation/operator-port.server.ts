import { createServer } from 'node:http'
import type { Market } from '#src/market.server.ts'
import { metricsOf } from './metrics.server.ts'
import { isReady, readinessOf } from './readiness.server.ts'

/**
 * The operator's port (OPERATOR_PORT), on the loopback interface unless OPERATOR_HOST says otherwise: /metrics for Prometheus, and /readyz
 * with reasons. Throws when the port is in use.
 */
export async function openOperatorPort(market: Market): Promise<void> {
  const { operatorPort, operatorHost } = market.env
  if (operatorPort === null) return
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string) =>
      void response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body)
    const answer = async () => {
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
