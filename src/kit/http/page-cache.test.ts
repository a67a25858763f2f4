import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { acceptedEncoding } from './http.server.ts'
import { PageCache, type RenderedPage } from './page-cache.server.ts'
import { withoutNonce } from './security-headers.server.ts'

afterEach(() => vi.useRealTimers())

const page = (body: string, isCacheable = true): RenderedPage => ({
  status: 200,
  headers: {},
  body: Buffer.from(body),
  isCacheable,
  requestId: 'test',
})
const quiet = async () => ({ snapshot: '1:1:', changed: false })

describe('looking whether anything changed', () => {
  test('everybody of one moment shares a question; who comes while it is on its way starts the next', async () => {
    const answers: (() => void)[] = []
    const ask = vi.fn(
      () =>
        new Promise<{ snapshot: string; changed: boolean }>((resolve) => answers.push(() => resolve({ snapshot: '1:1:', changed: false }))),
    )
    const cache = new PageCache(ask)
    const first = Promise.all([cache.look(), cache.look(), cache.look()])
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(1))
    const second = cache.look()
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2))
    for (const answer of answers) answer()
    await Promise.all([first, second])
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('a change makes every page old; without one they stay', async () => {
    let changed = false
    const cache = new PageCache(async () => ({ snapshot: '1:1:', changed }))
    const epoch = (await cache.look())!
    await cache.render('/a', epoch, async () => page('A'))
    expect(cache.find('/a', (await cache.look())!)).toBeDefined()
    changed = true
    expect(cache.find('/a', (await cache.look())!)).toBeUndefined()
    expect(cache.findOld('/a')).toBeDefined()
  })

  test('a page begun before a change and finished after it is old', async () => {
    let changed = false
    const cache = new PageCache(async () => ({ snapshot: '1:1:', changed }))
    const epoch = (await cache.look())!
    let finish = () => {}
    const rendering = cache.render('/a', epoch, () => new Promise((resolve) => (finish = () => resolve(page('before')))))
    changed = true
    const now = (await cache.look())!
    finish()
    await rendering
    expect(cache.find('/a', now)).toBeUndefined()
    // And no later visitor gets the one that was being rendered.
    expect((await cache.render('/a', now, async () => page('after'))).body.toString()).toBe('after')
    expect(cache.find('/a', now)).toBeDefined()
  })

  test('a page that was never cached is rendered at the epoch of the last look, and is stale after a change since', async () => {
    let changed = false
    const cache = new PageCache(async () => ({ snapshot: '1:1:', changed }))
    expect(cache.epochOfUnknown('/a')).toBeNull()
    const epoch = (await cache.look())!
    expect(cache.epochOfUnknown('/a')).toBe(epoch)
    const rendered = cache.render('/a', epoch, async () => page('A'))
    // Whoever comes while it is rendered, or after, has to look: it was read before they came.
    expect(cache.epochOfUnknown('/a')).toBeNull()
    await rendered
    expect(cache.epochOfUnknown('/a')).toBeNull()
    expect(cache.find('/a', epoch)).toBeDefined()
    changed = true
    expect(cache.find('/a', (await cache.look())!)).toBeUndefined()
  })

  test('after a look too long ago, or while the database is away, one has to look also for what was never seen', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    let isAway = false
    const cache = new PageCache(async () => {
      if (isAway) throw new Error('connection refused')
      return { snapshot: '1:1:', changed: false }
    })
    await cache.look()
    vi.setSystemTime(Date.now() + 8 * 60_000)
    expect(cache.epochOfUnknown('/a')).toBeNull()
    await cache.look()
    expect(cache.epochOfUnknown('/a')).not.toBeNull()
    isAway = true
    await cache.look()
    expect(cache.epochOfUnknown('/a')).toBeNull()
  })

  test('the database is away: null at once for a while, and then it is asked again', async () => {
    const ask = vi.fn(async (): Promise<{ snapshot: string; changed: boolean }> => {
      throw new Error('connection refused')
    })
    const cache = new PageCache(ask)
    expect(await cache.look()).toBeNull()
    expect(await cache.look()).toBeNull()
    expect(ask).toHaveBeenCalledTimes(1)
    ask.mockImplementation(quiet)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(await cache.look()).toBeTypeOf('number')
  })

  test('a database that says nothing is away after a while', async () => {
    const cache = new PageCache(() => new Promise(() => {}))
    expect(await cache.look()).toBeNull()
  })
})

describe('caching', () => {
  test('a page is good for a minute, and an hour in place of a database that is away', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const cache = new PageCache(quiet)
    const epoch = (await cache.look())!
    await cache.render('/a', epoch, async () => page('A'))
    vi.setSystemTime(Date.now() + 59_000)
    expect(cache.find('/a', epoch)).toBeDefined()
    vi.setSystemTime(Date.now() + 2000)
    expect(cache.find('/a', epoch)).toBeUndefined()
    expect(cache.findOld('/a')).toBeDefined()
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(cache.findOld('/a')).toBeUndefined()
  })

  test('what may not be cached is not cached, and a failed rendering leaves nothing behind', async () => {
    const cache = new PageCache(quiet)
    const epoch = (await cache.look())!
    await cache.render('/missing', epoch, async () => page('404', false))
    expect(cache.find('/missing', epoch)).toBeUndefined()
    await expect(cache.render('/b', epoch, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect((await cache.render('/b', epoch, async () => page('B'))).body.toString()).toBe('B')
  })

  test('a flood of addresses does not fill the memory: the oldest go', async () => {
    const cache = new PageCache(quiet)
    const epoch = (await cache.look())!
    const big = 'x'.repeat(500_000)
    for (let n = 0; n < 100; n++) await cache.render(`/${n}`, epoch, async () => page(big + n))
    const cached = Array.from({ length: 100 }, (_, n) => cache.find(`/${n}`, epoch)).filter(Boolean)
    expect(cached.length).toBeGreaterThan(10)
    // Each with its bytes and what they come to compressed.
    expect(cached.length * 650_000).toBeLessThan(50 * 1024 * 1024)
    expect(cache.find('/99', epoch)).toBeDefined()
    expect(cache.find('/0', epoch)).toBeUndefined()
  })

  test('the page in place of a database that is away says so, under another name, and the cached one stays as it was', async () => {
    const cache = new PageCache(quiet)
    const epoch = (await cache.look())!
    await cache.render('/a', epoch, async () => page('<p></p>'))
    const cached = cache.find('/a', epoch)!
    const marked = cached.marked((body) => body.replace('<p></p>', '<p>old</p>'))
    expect(brotliDecompressSync(await marked.encoded('br')).toString()).toBe('<p>old</p>')
    expect(Buffer.from(await cached.encoded(null)).toString()).toBe('<p></p>')
    expect(marked.etag).not.toBe(cached.etag)
  })
})

describe('a page without its nonce', () => {
  test('names the scripts that carried it; one that somebody smuggled in stays forbidden', () => {
    const { html, hashes } = withoutNonce(
      '<link nonce="abc" href="/a.css"/><script nonce="abc">1</script><script>2</script><script nonce="abc" src="/a.js"></script><script nonce="xyz">3</script>',
      'abc',
    )
    expect(html).toBe(
      '<link href="/a.css"/><script>1</script><script>2</script><script src="/a.js"></script><script nonce="xyz">3</script>',
    )
    // sha256 of "1"
    expect(hashes).toEqual(['sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='])
  })
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'gzip'],
  ['gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0', null],
  ['identity', null],
  ['zstd', null],
  ['', null],
  [undefined, null],
] as const)('Accept-Encoding %s is answered with %s', (header, encoding) => expect(acceptedEncoding(header)).toBe(encoding))
