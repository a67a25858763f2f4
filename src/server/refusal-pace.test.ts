import { Hono, type MiddlewareHandler } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pacedRefusals } from './refusal-pace.server.ts'
import type { AppEnv } from './request.server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const FLOOD = 60

/** Returns how many refusals of a flood are answered at once and within a second, and whether other requests wait, too. */
async function floodThrough(pace: MiddlewareHandler<AppEnv>) {
  const app = new Hono<AppEnv>()
  app.use((c, next) => {
    c.set('address', c.req.header('x-address')!)
    return next()
  })
  app.use(pace)
  app.get('/:status', (c) => c.body('', Number(c.req.param('status')) as 200))
  const answered: string[] = []
  const ask = async (address: string, status: number) => {
    const response = await app.request(`/${status}`, { headers: { 'x-address': address } })
    answered.push(`${address} ${response.status}`)
  }
  const all = Array.from({ length: FLOOD }, (_, n) => ask('flood', n % 2 === 0 ? 503 : 429))
  all.push(ask('flood', 200), ask('neighbour', 503))
  await vi.advanceTimersByTimeAsync(0)
  const refusedOf = (answers: string[]) => answers.filter((answer) => /^flood (429|503)$/.test(answer)).length
  const atOnce = refusedOf(answered)
  const undisturbed = answered.filter((answer) => answer === 'flood 200' || answer === 'neighbour 503').length
  await vi.advanceTimersByTimeAsync(1000)
  await Promise.all(all)
  return { atOnce, undisturbed, inTheEnd: refusedOf(answered) }
}

test('a refused client that retries at once waits for the next refusal; its pages and other addresses do not', async () => {
  expect(await floodThrough(pacedRefusals())).toEqual({ atOnce: 20, undisturbed: 2, inTheEnd: FLOOD })
})

test('control: without a pace a flood gets as many refusals as it sends requests', async () => {
  expect(await floodThrough((_, next) => next())).toMatchObject({ atOnce: FLOOD })
})
