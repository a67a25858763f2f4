import { expect, test } from 'vitest'
import { mediaUrl } from '#src/kit/media/media-url.ts'
import { savedBytes, smallest } from './low-data.ts'

const key = 'a'.repeat(20)

test('in low data mode a picture saves what a larger one of its format would at least have cost more; the smallest saves nothing', () => {
  expect([640, 1280, 2048].map((width) => smallest(mediaUrl(key, width as 640, 'webp')))).toEqual(Array(3).fill(mediaUrl(key, 320, 'webp')))
  expect(savedBytes(mediaUrl(key, 640, 'avif'), 5000)).toBe(6000)
  expect(savedBytes(mediaUrl(key, 1280, 'avif'), 5000)).toBe(18_500)
  expect(smallest(mediaUrl(key, 320, 'webp'))).toBeNull()
  expect(savedBytes(mediaUrl(key, 320, 'webp'), 5000)).toBe(0)
})
