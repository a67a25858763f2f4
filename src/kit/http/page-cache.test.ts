import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { acceptedEncoding } from './http.server.ts'
import { PageCache, type RenderedPage } from './page-cache.server.ts'
import { withoutNonce } from './security-headers.server.ts'

afterEach(() => vi.useRealTimers())

const page = (body: string, isCacheable = true, shows: string[] = []): RenderedPage => ({
  status: 200,
  headers: {},
  body: Buffer.from(body),
  isCacheable,
  shows: new Set(shows),
  requestId: 'test',
})
const quiet = async () => ({ snapshot: '1:1:', changed: false })

describe('the check for changes', () => {
  test('concurrent callers share a query; a caller during the query starts the next one', async () => {
    const answers: (() => void)[] = []
    const ask = vi.fn(
      () =>
        new Promise<{ snapshot: string; changed: boolean }>((resolve) => answers.push(() => resolve({ snapshot: '1:1:', changed: false }))),
    )
    const cache = new PageCache(ask)
    const first = Promise.all([cache.look(), cache.look(), cache.look()])
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(1), { timeout: 60_000 })
    const second = cache.look()
    await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(2), { timeout: 60_000 })
    for (const answer of answers) answer()
    await Promise.all([first, second])
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('a change makes every page stale; without a change pages stay fresh', async () => {
    let changed = false
    const cache = new PageCache(async () => ({ snapshot: '1:1:', changed }))
    const epoch = (await cache.look())!
    await cache.render('/a', epoch, async () => page('A'))
    expect(cache.find('/a', (await cache.look())!)).toBeDefined()
    changed = true
    expect(cache.find('/a', (await cache.look())!)).toBeUndefined()
    expect(cache.findOld('/a')).toBeDefined()
  })

  test('a page whose rendering began before a change and ended after it is stale', async () => {
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
    // A later visitor does not get the page that was being rendered.
    expect((await cache.render('/a', now, async () => page('after'))).body.toString()).toBe('after')
    expect(cache.find('/a', now)).toBeDefined()
  })

  test('a change of one object makes stale exactly the pages that show it, including those being rendered', async () => {
    let names: string[] = []
    const cache = new PageCache(async () => ({ snapshot: '1:1:', changed: false, names }))
    const epoch = (await cache.look())!
    await cache.render('/bull', epoch, async () => page('bull', true, ['animal 1']))
    await cache.render('/cow', epoch, async () => page('cow', true, ['animal 2']))
    let finish = () => {}
    const rendering = cache.render('/both', epoch, () => {
      return new Promise((resolve) => (finish = () => resolve(page('both before', true, ['animal 2', 'animal 1']))))
    })
    names = ['animal 1']
    expect(await cache.look()).toBe(epoch)
    names = []
    expect([cache.find('/bull', epoch), cache.find('/cow', epoch)?.shows]).toEqual([undefined, new Set(['animal 2'])])
    // The names of the running rendering are unknown, so a visitor after the change does not wait for it.
    const rerendered = cache.render('/both', epoch, async () => page('both after', true, ['animal 2', 'animal 1']))
    expect((await rerendered).body.toString()).toBe('both after')
    finish()
    await rendering
    expect(cache.find('/both', epoch)).toBeUndefined()
    await cache.render('/bull', epoch, async () => page('bull', true, ['animal 1']))
    await cache.look()
    expect(cache.find('/bull', epoch)).toBeDefined()
  })

  test('a change of more objects than the cache remembers makes every page stale', async () => {
    let names: string[] = []
    const cache = new PageCache(async () => ({ snapshot: '1:1:', changed: false, names }))
    const epoch = (await cache.look())!
    await cache.render('/cow', epoch, async () => page('cow', true, ['animal 0']))
    names = Array.from({ length: 20_001 }, (_, n) => `animal ${n + 1}`)
    expect(await cache.look()).not.toBe(epoch)
  })

  test('a page that was never cached is rendered at the epoch of the last check, and a later change makes it stale', async () => {
    let changed = false
    const cache = new PageCache(async () => ({ snapshot: '1:1:', changed }))
    expect(cache.epochOfUnknown('/a')).toBeNull()
    const epoch = (await cache.look())!
    expect(cache.epochOfUnknown('/a')).toBe(epoch)
    const rendered = cache.render('/a', epoch, async () => page('A'))
    // A visitor during or after the rendering needs a new check, because the data was read before their request.
    expect(cache.epochOfUnknown('/a')).toBeNull()
    await rendered
    expect(cache.epochOfUnknown('/a')).toBeNull()
    expect(cache.find('/a', epoch)).toBeDefined()
    changed = true
    expect(cache.find('/a', (await cache.look())!)).toBeUndefined()
  })

  test('after an old check or during a database outage, an unknown page also needs a new check', async () => {
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

  test('an unreachable database gives null at once for a while, then the cache asks again', async () => {
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

  test('a database that does not answer counts as unreachable after a time-out', async () => {
    const cache = new PageCache(() => new Promise(() => {}))
    expect(await cache.look()).toBeNull()
  })
})

describe('caching', () => {
  test('a page is fresh for a minute, and is served for an hour while the database is unreachable', async () => {
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

  test('an uncacheable page and a failed rendering leave no entry', async () => {
    const cache = new PageCache(quiet)
    const epoch = (await cache.look())!
    await cache.render('/missing', epoch, async () => page('404', false))
    expect(cache.find('/missing', epoch)).toBeUndefined()
    await expect(cache.render('/b', epoch, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect((await cache.render('/b', epoch, async () => page('B'))).body.toString()).toBe('B')
  })

  test('a flood of addresses does not fill the memory: the oldest pages are evicted', async () => {
    const cache = new PageCache(quiet)
    const epoch = (await cache.look())!
    const big = 'x'.repeat(500_000)
    for (let n = 0; n < 100; n++) await cache.render(`/${n}`, epoch, async () => page(big + n))
    const cached = Array.from({ length: 100 }, (_, n) => cache.find(`/${n}`, epoch)).filter(Boolean)
    expect(cached.length).toBeGreaterThan(10)
    // Each page counts with its bytes and their compressed forms.
    expect(cached.length * 650_000).toBeLessThan(50 * 1024 * 1024)
    expect(cache.find('/99', epoch)).toBeDefined()
    expect(cache.find('/0', epoch)).toBeUndefined()
  })

  test('a page served during an outage carries a note and another ETag, and the cached page stays unchanged', async () => {
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
  test('lists hashes of the scripts that carried it; an injected script stays forbidden', () => {
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
