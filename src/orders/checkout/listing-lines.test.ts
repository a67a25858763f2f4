import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Problem } from '#src/kit/problem.ts'
import { ListingLines } from './listing-lines.server.ts'

/** Buyers of these animals, each of whom stays inside until told to leave. */
function shop() {
  const lines = new ListingLines()
  const inside: string[] = []
  const doors = new Map<string, { leave: () => void; refuse: (error: Error) => void }>()
  const come = (name: string, ids: number[]) => {
    const visit = lines.inTurn(ids, async () => {
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

test('buyers of one animal go in one after the other, as they came; buyers of others do not wait for them', async () => {
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

test('when the first hears that too few are left, all behind go in together', async () => {
  const { inside, come, refuse, leave } = shop()
  const visits = ['first', 'second', 'third'].map((name) => come(name, [7]))
  await turn()
  await refuse('first', 7)
  await expect(visits[0]).rejects.toThrow('STOCK_CHANGED')
  expect(inside).toEqual(['second', 'third'])
  // Who comes now waits until they have left.
  void come('fourth', [7])
  await leave('second')
  expect(inside).toEqual(['third'])
  await leave('third')
  expect(inside).toEqual(['fourth'])
})

test('another refusal opens nothing: the next may still get the animal', async () => {
  const { inside, come, refuse } = shop()
  void come('first', [7, 8])
  void come('second', [7])
  void come('third', [7])
  await turn()
  await refuse('first', 8)
  expect(inside).toEqual(['second'])
})

test('carts with the same animals in another order do not wait for each other for ever', async () => {
  const { inside, come, leave } = shop()
  void come('first', [7, 8])
  void come('second', [8, 7])
  void come('third', [8])
  await turn()
  for (let n = 0; n < 3; n++) await leave(inside[0]!)
  expect(inside).toEqual([])
})
