import { setImmediate } from 'node:timers/promises'
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import type { DBSchema } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Records } from './records.ts'

interface Store extends DBSchema {
  facts: { key: string; value: number }
}
/** The tests move this clock, so that a busy machine makes nothing late. */
const LIMIT_MS = 50
const newRecords = () => new Records<Store>('records', (db) => void db.createObjectStore('facts'), { limitMs: LIMIT_MS, restMs: 60_000 })
const add = (records: Records<Store>) => records.write('facts', async (facts) => facts.put(((await facts.get('n')) ?? 0) + 1, 'n'))
const read = (records: Records<Store>) => records.read('facts', (facts) => facts.get('n'))
const never = () => new Promise<never>(() => {})
/** Lets the first and the second try begin, and makes each late. */
async function lateTwice(tries: () => number): Promise<void> {
  for (const nth of [1, 2]) {
    while (tries() < nth) await setImmediate()
    await vi.advanceTimersByTimeAsync(LIMIT_MS)
  }
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a write that is late leaves nothing behind, and is tried once more on a new connection', async () => {
  const records = newRecords()
  await add(records)
  const open = vi.spyOn(IDBFactory.prototype, 'open')
  let tries = 0
  const late = records.write('facts', async (facts) => {
    tries++
    await facts.put(7, 'n')
    for (;;) await facts.get('n')
  })
  await Promise.all([expect(late).rejects.toMatchObject({ why: 'late' }), lateTwice(() => tries)])
  expect([tries, open.mock.calls.length]).toEqual([2, 1])
  expect(await read(newRecords())).toBe(1)
})

test('after it was late twice, a store fails at once until its rest is over', async () => {
  const records = newRecords()
  const open = vi.spyOn(IDBFactory.prototype, 'open')
  open.mockImplementation(() => Object.create(IDBRequest.prototype, { addEventListener: { value: never } }) as IDBOpenDBRequest)
  await Promise.all([expect(read(records)).rejects.toMatchObject({ why: 'late' }), lateTwice(() => open.mock.calls.length)])
  expect(open).toHaveBeenCalledTimes(2)
  open.mockRestore()
  await expect(read(records)).rejects.toMatchObject({ why: 'late' })
  vi.setSystemTime(Date.now() + 60_000)
  await add(records)
  expect(await read(records)).toBe(1)
})

test('a connection that closes without an event costs nothing: the write is done once, on a new one', async () => {
  const records = newRecords()
  await add(records)
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  transaction.mockImplementationOnce(() => {
    throw new DOMException('The connection is closing.', 'InvalidStateError')
  })
  await add(records)
  expect(await read(records)).toBe(2)
})

test('a database that is deleted elsewhere is let go, and made again at the next use', async () => {
  const records = newRecords()
  await add(records)
  await new Promise((resolve) => (indexedDB.deleteDatabase('records').onsuccess = resolve))
  await add(records)
  expect(await read(records)).toBe(1)
})
