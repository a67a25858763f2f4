import { expect, test } from 'vitest'
import { pairsOf } from './named-photos.tsx'

const waiting = [
  { id: 1, photoName: 'Lakshmi.JPG' },
  { id: 2, photoName: 'C:\\pictures\\velan.jpeg' },
  { id: 3, photoName: 'பசு 1' },
  { id: 4, photoName: 'cow.2024.jpg' },
]

test.each([
  ['lakshmi.jpg', 1],
  ['LAKSHMI.png', 1],
  ['velan.jpg', 2],
  ['பசு 1.jpg', 3],
  ['cow.2024.webp', 4],
])('%s is the photo of draft %d', (name, id) =>
  expect(pairsOf(waiting, [{ name: 'other.jpg' }, { name }])).toEqual([{ id, file: { name } }]),
)

test.each(['cow.jpg', 'lakshmi 2.jpg', 'elan.jpg'])('%s is the photo of none', (name) => expect(pairsOf(waiting, [{ name }])).toEqual([]))
