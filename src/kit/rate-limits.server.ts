import { isIPv4, isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Problem } from './problem.ts'

/**
 * Limits that may forget on restart (api.md L0-L2 and views): counted in this process. `address` counts per IP bucket,
 * `user` per person; people behind one carrier's address share a bucket, so the first are wide.
 */
const perMinute = {
  lookup: { address: 600, user: 600 },
  read: { address: 1200, user: 300 },
  ownRead: { address: 120, user: 120 },
  view: { address: 60, user: 60 },
} as const
export type LimitName = keyof typeof perMinute

export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterMemory>()

  constructor(addressFactor: number) {
    for (const [name, { address, user }] of Object.entries(perMinute)) {
      this.limiters.set(`${name}:address`, new RateLimiterMemory({ points: address * addressFactor, duration: 60 }))
      this.limiters.set(`${name}:user`, new RateLimiterMemory({ points: user, duration: 60 }))
    }
  }

  /** Throws RATE_LIMITED with the seconds to wait. */
  async take(name: LimitName, who: { userId: number | null; address: string }): Promise<void> {
    const kind = who.userId === null ? 'address' : 'user'
    try {
      await this.limiters.get(`${name}:${kind}`)!.consume(who.userId === null ? who.address : String(who.userId))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      throw new Problem('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) })
    }
  }
}

/** One bucket per IPv4 address or IPv6 /64. Only as many X-Forwarded-For entries are believed as there are proxies of ours. */
export function addressBucket(remote: string | undefined, forwardedFor: string | undefined, trustedProxies: number): string {
  const chain = (forwardedFor ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return bucketOf(trustedProxies > 0 ? chain.at(-trustedProxies) : undefined) ?? bucketOf(remote) ?? ''
}

/** Some proxies add the port: `1.2.3.4:567`, `[2001:db8::1]:567`. */
function bucketOf(address = ''): string | null {
  const plain = address
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/^::ffff:(?=[\d.]+$)/i, '')
    .replace(/%.*$/, '')
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return null
  // The URL parser knows all spellings; `::` stands for as many zero groups as are missing from eight.
  const [left = '', right] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const groups = left === '' ? [] : left.split(':')
  const missing = right === undefined ? 0 : 8 - groups.length - (right === '' ? 0 : right.split(':').length)
  return [...groups, ...Array<string>(missing).fill('0'), ...(right ? right.split(':') : [])].slice(0, 4).join(':')
}
