import { setImmediate as turnOfEventLoop, setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tallied } from '#src/kit/base/tally.server.ts'
import { Gate, processLatenessMs } from './gate.server.ts'

const options = { name: 'test', atOnce: 4, waitAtMostMs: 100, retryAfterSeconds: 2, latenessMs: () => 0 }

afterEach(() => vi.useRealTimers())

/** Fake time that advances only after the event loop has had its turns, so a busy machine does not lengthen a stay. */
async function inFakeTime<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  let isDone = false
  const result = work().finally(() => (isDone = true))
  result.catch(() => {})
  while (!isDone) {
    for (let turn = 0; turn < 60; turn += 1) await turnOfEventLoop()
    await vi.advanceTimersByTimeAsync(1)
  }
  return result
}
const stay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** How often a gate has refused, by cause. */
function refusalsOf(gate: string) {
  const pattern = new RegExp(`_refusals_total{gate="${gate}",why="(\\w+)"`)
  return Object.fromEntries([...tallied()].map(([name, count]) => [pattern.exec(name)?.[1], count]).filter(([why]) => why))
}

async function crowd(gate: Gate, count: number, stayMs: number, addressOf = (n: number) => `10.0.0.${n}`) {
  let inside = 0
  let most = 0
  const order: string[] = []
  const visits = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const refusal = await gate
        .run(addressOf(n), async () => {
          most = Math.max(most, (inside += 1))
          await stay(stayMs)
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
  test('admits up to its concurrency and serves all who can be served soon', async () => {
    const { most, done, refused } = await crowd(new Gate({ ...options, waitAtMostMs: 60_000 }), 12, 5)
    expect(most).toBe(4)
    expect([done.length, refused.length]).toEqual([12, 0])
  })

  test('refuses most of a crowd at once and serves the rest', async () => {
    await inFakeTime(async () => {
      const gate = new Gate({ ...options, name: 'full', waitAtMostMs: 10_000 })
      await crowd(gate, 4, 40)
      const { done, refused, order } = await crowd(gate, 200, 40)
      expect(refusalsOf('full')).toEqual({ full: refused.length })
      expect(done.length).toBeGreaterThan(4)
      expect(order.indexOf('served')).toBe(refused.length)
      expect(new Set(refused.map(({ refusal }) => refusal))).toEqual(new Set(['UNAVAILABLE 2']))
    })
  })

  test('keeps a shorter queue when requests stay longer inside', async () => {
    await inFakeTime(async () => {
      const served = async (stayMs: number) => {
        const gate = new Gate({ ...options, name: `stay ${stayMs}` })
        for (let round = 0; round < 5; round += 1) await crowd(gate, 4, stayMs)
        return (await crowd(gate, 60, stayMs)).done.length
      }
      const slow = await served(400)
      expect(refusalsOf('stay 400').slow).toBeGreaterThan(50)
      expect(await served(5)).toBeGreaterThan(slow)
    })
  })

  test('refuses waiting requests when the ones inside take too long', async () => {
    await inFakeTime(async () => {
      const gate = new Gate({ ...options, name: 'waited' })
      const { done, refused } = await crowd(gate, 12, 250)
      expect([done.length, refused.length]).toEqual([4, 8])
      expect(refusalsOf('waited')).toEqual({ waited: 8 })
      expect((await crowd(gate, 4, 1)).done.length).toBe(4)
    })
  })

  test('frees the slot when the work fails', async () => {
    const gate = new Gate({ ...options, atOnce: 1 })
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(gate.run('10.0.0.1', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    }
    expect(await gate.run('10.0.0.1', async () => 'served')).toBe('served')
  })

  test('refuses while the event loop is late, but admits the two requests of one phone, and always a lone visitor', async () => {
    // An eighth of eight is one, and half of them are free.
    const gate = new Gate({ ...options, name: 'pages', atOnce: 8, latenessMs: processLatenessMs })
    processLatenessMs() // starts the measurement
    const hog = async () => {
      for (let turn = 0; turn < 6; turn += 1) {
        const until = performance.now() + 600
        while (performance.now() < until);
        await sleep(1)
      }
    }
    const releases: (() => void)[] = []
    const staying = () => gate.run('10.0.0.1', () => new Promise<void>((resolve) => void releases.push(resolve)))
    // A phone loads a page and its data at once.
    const phone = [staying()]
    await sleep(5)
    await hog()
    phone.push(staying())
    await sleep(5)
    expect(refusalsOf('pages')).toEqual({})
    await expect(gate.run('10.0.0.1', async () => 'served')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(refusalsOf('pages')).toEqual({ late: 1 })
    releases.forEach((release) => release())
    await Promise.all(phone)
    expect(await gate.run('10.0.0.1', async () => 'served')).toBe('served')
  })

  test('with 64 slots admits an eighth for one address and half for all while the process is late', async () => {
    await inFakeTime(async () => {
      const gate = new Gate({ ...options, atOnce: 64, latenessMs: () => 1_000 })
      const village = await crowd(gate, 20, 20, () => 'village')
      expect(village.done.length).toBe(8)
      const state = await crowd(gate, 60, 20)
      expect(state.done.length).toBe(32)
    })
  })

  test('takes addresses in turn, so a flood waits behind itself', async () => {
    const gate = new Gate({ ...options, atOnce: 1, waitAtMostMs: 60_000 })
    const served: string[] = []
    const visit = (address: string) =>
      gate.run(address, async () => void served.push(address)).catch(() => served.push(`${address} refused`))
    let open = () => {}
    const first = gate.run('first', () => new Promise<void>((resolve) => (open = resolve)))
    const noop = open
    const flood = Array.from({ length: 40 }, () => visit('flood'))
    const others = Array.from({ length: 5 }, (_, n) => visit(`visitor ${n}`))
    await vi.waitUntil(() => open !== noop, { timeout: 60_000 })
    open()
    await Promise.all([first, ...flood, ...others])
    expect(served.filter((entry) => entry.startsWith('visitor') && entry.endsWith('refused'))).toEqual([])
    const turns = served.filter((entry) => !entry.endsWith('refused'))
    // One request of the flood, then each other address, and only then the rest of the flood.
    expect(turns.slice(0, 6)).toEqual(['flood', 'visitor 0', 'visitor 1', 'visitor 2', 'visitor 3', 'visitor 4'])
    expect(turns.slice(6)).toEqual(Array(turns.length - 6).fill('flood'))
    expect(served.filter((entry) => entry === 'flood refused').length).toBeGreaterThan(8)
  })

  test('serves others while one address floods it; control: a gate without addresses does not', async () => {
    await inFakeTime(async () => {
      const share = async (addressOf: (who: string) => string) => {
        const gate = new Gate({ ...options, waitAtMostMs: 10_000 })
        await crowd(gate, 8, 20)
        let isOver = false
        const flood = Array.from({ length: 60 }, async () => {
          while (!isOver) await gate.run(addressOf('flood'), () => stay(20)).catch(() => stay(1))
        })
        let done = 0
        for (let visitor = 0; visitor < 40; visitor += 1) {
          await stay(5)
          await gate
            .run(addressOf(`visitor ${visitor}`), () => stay(20))
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
})
