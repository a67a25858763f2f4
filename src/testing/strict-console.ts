import '@hono/zod-openapi'
import { afterEach, expect, vi } from 'vitest'

// Every output on console.error is a warning that somebody should read, so it fails the test that caused it.
const error = vi.spyOn(console, 'error')
afterEach(() => {
  const calls = error.mock.calls.map((call) => call.map(String).join(' '))
  error.mockClear()
  expect(calls).toEqual([])
})
