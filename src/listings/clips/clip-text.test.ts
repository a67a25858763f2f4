import { expect, test } from 'vitest'
import { clipText } from './clip-text.ts'

test('a clip shows its length and its size', () => {
  expect([
    clipText({ seconds: 24.4, bytes: 2_200_000 }),
    clipText({ seconds: 0.2, bytes: 900 }),
    clipText({ seconds: 60, bytes: 240_000 }),
    clipText({ seconds: 59.6, bytes: 60_000 }),
  ]).toEqual(['0:24 · 2.1 MB', '0:01 · 1 KB', '1:00 · 0.2 MB', '1:00 · 59 KB'])
})
