import '@hono/zod-openapi'
import { afterEach, expect, vi } from 'vitest'

// Whatever ends up on console.error is a warning somebody should have read: it fails the test that caused it.
const error = vi.spyOn(console, 'error')
afterEach(() => {
  const calls = error.mock.calls.map((call) => call.map(String).join(' '))
  error.mockClear()
  expect(calls).toEqual([])
})
