import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Problem } from '#src/kit/base/problem.ts'
import { ListingMutex } from './listing-mutex.server.ts'

/** Simulates buyers who stay inside until the test tells them to leave. */
function shop() {
  const mutex = new ListingMutex()
  const inside: string[] = []
  const doors = new Map<string, { leave: () => void; refuse: (error: Error) => void }>()
  const come = (name: string, ids: number[]) => {
    const visit = mutex.inTurn(ids, async () => {
      inside.push(name)
      await new Promise<void>((leave, refuse) => doors.set(name, { leave, refuse })).finally(() => inside.splice(inside.indexOf(name), 1))
    })
    visit.catch(() => {})
    return visit
  }
  const leave = async (name: string) => {
    doors.get(name)!.leave()
    for (let n = 0; n < 5; n++) await turn()
  }
  const refuse = async (name: string, id: number) => {
    doors.get(name)!.refuse(new Problem('STOCK_CHANGED', { lines: [{ id: 1, product: id, name: '', items_count: 1, stock: 0 }] }))
    for (let n = 0; n < 5; n++) await turn()
  }
  return { inside, come, leave, refuse }
}

test('buyers of one animal enter one by one in order of arrival; buyers of other animals do not wait for them', async () => {
  const { inside, come, leave } = shop()
  for (const name of ['first', 'second', 'third']) void come(name, [7])
  void come('other', [8])
  await turn()
  expect(inside).toEqual(['first', 'other'])
  await leave('first')
  expect(inside).toEqual(['other', 'second'])
  await leave('second')
  expect(inside).toEqual(['other', 'third'])
})

test('when the first buyer gets STOCK_CHANGED, all waiting buyers enter together', async () => {
  const { inside, come, refuse, leave } = shop()
  const visits = ['first', 'second', 'third'].map((name) => come(name, [7]))
  await turn()
  await refuse('first', 7)
  await expect(visits[0]).rejects.toThrow('STOCK_CHANGED')
  expect(inside).toEqual(['second', 'third'])
  // A new buyer waits until all of them have left.
  void come('fourth', [7])
  await leave('second')
  expect(inside).toEqual(['third'])
  await leave('third')
  expect(inside).toEqual(['fourth'])
})

test('any other error keeps the queue closed: the next buyer may still get the animal', async () => {
  const { inside, come, refuse } = shop()
  void come('first', [7, 8])
  void come('second', [7])
  void come('third', [7])
  await turn()
  await refuse('first', 8)
  expect(inside).toEqual(['second'])
})

test('carts with the same animals in different order do not deadlock', async () => {
  const { inside, come, leave } = shop()
  void come('first', [7, 8])
  void come('second', [8, 7])
  void come('third', [8])
  await turn()
  for (let n = 0; n < 3; n++) await leave(inside[0]!)
  expect(inside).toEqual([])
})

test('each buyer acts in the async context of their own request', async () => {
  const request = new AsyncLocalStorage<string>()
  const mutex = new ListingMutex()
  const seen: (string | undefined)[] = []
  const visit = (name: string) =>
    request.run(name, () =>
      mutex.inTurn([7], async () => {
        await turn()
        seen.push(request.getStore())
      }),
    )
  await Promise.all(['first', 'second', 'third'].map(visit))
  expect(seen).toEqual(['first', 'second', 'third'])
})
