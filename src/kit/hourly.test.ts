import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Log } from '#src/kit/base/log.server.ts'
import { everyHour, lastRounds } from './hourly.server.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an hourly job that fails is logged by name, and the other jobs still run', async () => {
  const done: string[] = []
  const failed: unknown[] = []
  const log = { error: (record: unknown) => void failed.push(record) } as unknown as Log
  const rounds = {
    first: async () => {
      throw new Error('a row that nobody expected')
    },
    second: async () => void done.push('second'),
  }
  const plannedAt = Date.now()
  const job = everyHour({ rounds, firstAfterMs: 1000, log })
  // Once a round is planned, an operator can see how late it is, even if it never succeeds.
  expect(lastRounds.get('first')).toEqual({ plannedAt, succeededAt: null })
  await vi.advanceTimersByTimeAsync(1000)
  expect(done).toEqual(['second'])
  expect(failed).toMatchObject([{ job: 'first' }])
  expect(lastRounds.get('first')).toEqual({ plannedAt, succeededAt: null })
  expect(lastRounds.get('second')).toEqual({ plannedAt, succeededAt: plannedAt + 1000 })
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(done).toEqual(['second', 'second'])
  await job.stop()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(done).toHaveLength(2)
})
