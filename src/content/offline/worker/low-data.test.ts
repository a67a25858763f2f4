import { expect, test } from 'vitest'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { smallest } from './low-data.ts'

test('in low data mode every picture is asked for in its smallest size', () => {
  const key = 'a'.repeat(20)
  expect([640, 1280, 2048].map((width) => smallest(mediaUrl(key, width as 640, 'webp')))).toEqual(Array(3).fill(mediaUrl(key, 320, 'webp')))
  expect(smallest(mediaUrl(key, 320, 'webp'))).toBeNull()
})
