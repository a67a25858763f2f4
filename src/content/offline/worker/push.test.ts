import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const unsubscribe = vi.fn(async () => true)
let owner: string | null

beforeEach(() => {
  vi.resetModules()
  vi.doMock('./owner.ts', () => ({ ownerNow: async () => owner, readToken: async () => null }))
  vi.doMock('./scope.ts', () => ({ scope: { registration: { pushManager: { getSubscription: async () => ({ unsubscribe }) } } } }))
  vi.stubGlobal('fetch', async () => Response.json({ rows: 1 }))
})
afterEach(() => {
  for (const module of ['./owner.ts', './scope.ts']) vi.doUnmock(module)
  vi.unstubAllGlobals()
  unsubscribe.mockClear()
})

test.each([
  ['whom the notification was for', 'selvi', 1],
  ['who logged in since then', 'kavitha', 0],
  ['who logged out', null, 0],
])('Stop on a notification ends the subscription of the person %s %s: %i', async (_, now, times) => {
  owner = now
  const { answerTap } = await import('./push.ts')
  const data = { path: '/orders', device: 3, stop: 'x', owner: 'selvi' }
  await answerTap({ action: 'stop', notification: { close() {}, data } } as never)
  expect(unsubscribe).toHaveBeenCalledTimes(times)
})
