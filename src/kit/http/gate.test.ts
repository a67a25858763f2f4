import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { Gate, processLatenessMs } from './gate.server.ts'

const options = { atOnce: 4, waitAtMostMs: 100, retryAfterSeconds: 2, latenessMs: () => 0 }

async function crowd(gate: Gate, count: number, stayMs: number, addressOf = (n: number) => `10.0.0.${n}`) {
  let inside = 0
  let most = 0
  const order: string[] = []
  const visits = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const refusal = await gate
        .run(addressOf(n), async () => {
          most = Math.max(most, (inside += 1))
          await sleep(stayMs)
          inside -= 1
          return null
        })
        .catch((problem: { code: string; retryAfterSeconds: number }) => `${problem.code} ${problem.retryAfterSeconds}`)
      order.push(refusal === null ? 'served' : 'refused')
      return { refusal }
    }),
  )
  return { most, order, done: visits.filter(({ refusal }) => refusal === null), refused: visits.filter(({ refusal }) => refusal !== null) }
}

describe('the gate before costly work', () => {
  test('lets in so many at once and serves all who can be served soon', async () => {
    const { most, done, refused } = await crowd(new Gate({ ...options, waitAtMostMs: 60_000 }), 12, 5)
    expect(most).toBe(4)
    expect([done.length, refused.length]).toEqual([12, 0])
  })

  test('refuses a crowd at once instead of letting it wait, and serves the rest', async () => {
    const gate = new Gate({ ...options, waitAtMostMs: 10_000 })
    await crowd(gate, 4, 40)
    const { done, refused, order } = await crowd(gate, 200, 40)
    expect(done.length).toBeGreaterThan(4)
    expect(order.indexOf('served')).toBe(refused.length)
    expect(new Set(refused.map(({ refusal }) => refusal))).toEqual(new Set(['UNAVAILABLE 2']))
  })

  test('has a shorter queue the longer one stays inside', async () => {
    const served = async (stayMs: number) => {
      const gate = new Gate(options)
      for (let round = 0; round < 5; round += 1) await crowd(gate, 4, stayMs)
      return (await crowd(gate, 60, stayMs)).done.length
    }
    expect(await served(5)).toBeGreaterThan(await served(400))
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
      await expect(gate.run('10.0.0.1', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    }
    expect(await gate.run('10.0.0.1', async () => 'served')).toBe('served')
  })

  test('refuses while the process is too busy to keep its own appointments, but never a lone visitor', async () => {
    const gate = new Gate({ ...options, latenessMs: processLatenessMs })
    processLatenessMs() // from here on it looks at the clock
    const hog = async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        const until = performance.now() + 600
        while (performance.now() < until);
        await sleep(1)
      }
    }
    let release = () => {}
    const first = gate.run('10.0.0.1', () => new Promise<void>((resolve) => (release = resolve)))
    await sleep(5)
    await hog()
    await expect(gate.run('10.0.0.1', async () => 'served')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    release()
    await first
    expect(await gate.run('10.0.0.1', async () => 'served')).toBe('served')
  })

  test('gives addresses turns: whoever floods it waits behind themselves, not before the others', async () => {
    const gate = new Gate({ ...options, atOnce: 1, waitAtMostMs: 60_000 })
    const served: string[] = []
    const visit = (address: string) =>
      gate.run(address, async () => void served.push(address)).catch(() => served.push(`${address} refused`))
    let open = () => {}
    const first = gate.run('first', () => new Promise<void>((resolve) => (open = resolve)))
    const noop = open
    const flood = Array.from({ length: 40 }, () => visit('flood'))
    const others = Array.from({ length: 5 }, (_, n) => visit(`visitor ${n}`))
    await vi.waitUntil(() => open !== noop)
    open()
    await Promise.all([first, ...flood, ...others])
    expect(served.filter((who) => who.startsWith('visitor') && who.endsWith('refused'))).toEqual([])
    const turns = served.filter((who) => !who.endsWith('refused'))
    // One of the flood, then each of the others, and only then the rest of the flood.
    expect(turns.slice(0, 6)).toEqual(['flood', 'visitor 0', 'visitor 1', 'visitor 2', 'visitor 3', 'visitor 4'])
    expect(turns.slice(6)).toEqual(Array(turns.length - 6).fill('flood'))
    expect(served.filter((who) => who === 'flood refused').length).toBeGreaterThan(8)
  })

  test('keeps others in while one address floods it without end; control: a gate that knows no addresses does not', async () => {
    const share = async (addressOf: (who: string) => string) => {
      const gate = new Gate({ ...options, waitAtMostMs: 10_000 })
      await crowd(gate, 8, 20)
      let isOver = false
      const flood = Array.from({ length: 60 }, async () => {
        while (!isOver) await gate.run(addressOf('flood'), () => sleep(20)).catch(() => sleep(1))
      })
      let done = 0
      for (let visitor = 0; visitor < 40; visitor += 1) {
        await sleep(5)
        await gate
          .run(addressOf(`visitor ${visitor}`), () => sleep(20))
          .then(
            () => (done += 1),
            () => {},
          )
      }
      isOver = true
      await Promise.all(flood)
      return done / 40
    }
    expect(await share((who) => who)).toBeGreaterThanOrEqual(0.9)
    expect(await share(() => 'everybody')).toBeLessThan(0.9)
  })
})
