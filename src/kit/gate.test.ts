import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { Gate } from './gate.server.ts'

const options = { atOnce: 4, waitAtMostMs: 100, retryAfterSeconds: 2 }

async function crowd(gate: Gate, count: number, stayMs: number) {
  let inside = 0
  let most = 0
  const visits = await Promise.all(
    Array.from({ length: count }, async () => {
      const came = performance.now()
      const refusal = await gate
        .run(async () => {
          most = Math.max(most, (inside += 1))
          await sleep(stayMs)
          inside -= 1
          return null
        })
        .catch((problem: { code: string; retryAfterSeconds: number }) => `${problem.code} ${problem.retryAfterSeconds}`)
      return { refusal, tookMs: performance.now() - came }
    }),
  )
  return { most, done: visits.filter(({ refusal }) => refusal === null), refused: visits.filter(({ refusal }) => refusal !== null) }
}

// Another file's work in this process may have made it late: that is over when a second visitor is let in beside a first.
beforeEach(async () => {
  while ((await crowd(new Gate(options), 2, 1)).refused.length > 0) await sleep(50)
})

describe('the gate before costly work', () => {
  test('lets in so many at once and serves all who can be served soon', async () => {
    const { most, done, refused } = await crowd(new Gate(options), 12, 5)
    expect(most).toBe(4)
    expect([done.length, refused.length]).toEqual([12, 0])
  })

  test('refuses a crowd at once instead of letting it wait, and serves the rest in time', async () => {
    const gate = new Gate(options)
    await crowd(gate, 4, 40)
    const { done, refused } = await crowd(gate, 200, 40)
    expect(done.length).toBeGreaterThan(4)
    expect(new Set(refused.map(({ refusal }) => refusal))).toEqual(new Set(['UNAVAILABLE 2']))
    expect(Math.max(...refused.map(({ tookMs }) => tookMs))).toBeLessThan(50)
    expect(Math.max(...done.map(({ tookMs }) => tookMs))).toBeLessThan(500)
  })

  test('has a shorter queue the longer one stays inside', async () => {
    const served = async (stayMs: number) => {
      const gate = new Gate(options)
      for (let round = 0; round < 5; round += 1) await crowd(gate, 4, stayMs)
      return (await crowd(gate, 60, stayMs)).done.length
    }
    expect(await served(5)).toBeGreaterThan(2 * (await served(80)))
  })

  test('turns away who has waited in vain because those inside were held up', async () => {
    const gate = new Gate(options)
    const { done, refused } = await crowd(gate, 12, 250)
    expect([done.length, refused.length]).toEqual([4, 8])
    expect((await crowd(gate, 4, 1)).done.length).toBe(4)
  })

  test('a failure inside makes its place free again', async () => {
    const gate = new Gate({ ...options, atOnce: 1 })
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(gate.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    }
    expect(await gate.run(async () => 'served')).toBe('served')
  })

  test('refuses while the process is too busy to keep its own appointments, but never a lone visitor', async () => {
    const gate = new Gate(options)
    await crowd(gate, 1, 1) // from here on it looks at the clock
    const hog = async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        const until = performance.now() + 600
        while (performance.now() < until);
        await sleep(1)
      }
    }
    let release = () => {}
    const first = gate.run(() => new Promise<void>((resolve) => (release = resolve)))
    await sleep(5)
    await hog()
    await expect(gate.run(async () => 'served')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    release()
    await first
    expect(await gate.run(async () => 'served')).toBe('served')
  })
})
