import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchDatabase } from './database-watch.server.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a database outage logs one line at its start, one each minute, and one at its end', async () => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  let isThere = false
  const noteAway = watchDatabase(log, async () => {
    if (!isThere) throw new Error('away')
  })
  for (let visitor = 0; visitor < 500; visitor += 1) noteAway(new Error('connection refused'))
  await vi.advanceTimersByTimeAsync(61_000)
  for (let visitor = 0; visitor < 100; visitor += 1) noteAway(new Error('connection refused'))
  isThere = true
  await vi.advanceTimersByTimeAsync(1500)
  expect(lines.map(({ msg, failures }) => [msg, failures])).toEqual([
    ['database away', undefined],
    ['database still away', 500],
    ['database is back', 600],
  ])
  expect(JSON.stringify(lines[0])).toContain('connection refused')

  isThere = false
  noteAway(new Error('again'))
  expect(lines.at(-1)!.msg).toBe('database away')
})
