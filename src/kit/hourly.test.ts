import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everyHour } from './hourly.server.ts'
import type { Log } from './log.server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an hourly job that fails is logged by its name, and the others still run', async () => {
  const done: string[] = []
  const failed: unknown[] = []
  const log = { error: (what: unknown) => void failed.push(what) } as unknown as Log
  const rounds = {
    first: async () => {
      throw new Error('a row that nobody expected')
    },
    second: async () => void done.push('second'),
  }
  const job = everyHour({ rounds, firstAfterMs: 1000, log })
  await vi.advanceTimersByTimeAsync(1000)
  expect(done).toEqual(['second'])
  expect(failed).toMatchObject([{ job: 'first' }])
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(done).toEqual(['second', 'second'])
  await job.stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(done).toHaveLength(2)
})
