import { BlockList, isIPv6 } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import type { Market } from '#src/market/market.server.ts'
import type { AppEnv } from './request.server.ts'

/** Networks from which our own proxy connects: this machine, or a private network. */
const near = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(network, bits)
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  near.addSubnet(network, bits, 'ipv6')

/**
 * Logs once when TRUSTED_PROXIES does not fit the requests. Too low, and all visitors share one address and its limits; too high, and
 * anybody may claim any address. Health checks come without a proxy, so they do not count.
 */
export function proxyWatch({ env, log }: Market): MiddlewareHandler<AppEnv> {
  let hasSaid = false
  return async (c, next) => {
    if (!hasSaid) {
      const forwarded = c.req.header('x-forwarded-for')
      const remote = c.env?.incoming?.socket?.remoteAddress?.replace(/^::ffff:/, '')
      const isNear = remote !== undefined && near.check(remote, isIPv6(remote) ? 'ipv6' : 'ipv4')
      if (env.trustedProxies === 0 && forwarded !== undefined && isNear) {
        hasSaid = true
        log.warn(
          'TRUSTED_PROXIES is 0, but requests come through a proxy: all visitors count as one address. Set how many proxies stand in front.',
        )
      }
      if (env.trustedProxies > 0 && forwarded === undefined && remote !== undefined) {
        hasSaid = true
        log.warn(
          `TRUSTED_PROXIES is ${env.trustedProxies}, but a request came without X-Forwarded-For: without a proxy in front, anybody may claim any address.`,
        )
      }
    }
    await next()
  }
}
