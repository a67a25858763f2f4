import '@hono/zod-openapi'
import { afterEach, beforeEach, expect, vi, type MockInstance } from 'vitest'

// Every output on console.error is a warning that somebody should read, so it fails the test that caused it.
let error: MockInstance<typeof console.error>
beforeEach(() => {
  // `restoreMocks` ends every spy before the next test begins.
  error = vi.spyOn(console, 'error')
})
afterEach(() => {
  const calls = error.mock.calls.map((call) => call.map(String).join(' '))
  error.mockClear()
  expect(calls).toEqual([])
})
