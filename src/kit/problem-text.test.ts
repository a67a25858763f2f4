import { expect, test } from 'vitest'
import { Problem } from '#src/kit/base/problem.ts'
import { fileRefusal, problemDetail, refusalInUrl } from './problem-text.ts'

const limited = (retryAfterSeconds: number) => new Problem('RATE_LIMITED', { retryAfterSeconds })

test.each([
  [2, '2 seconds.'],
  [90, '90 seconds.'],
  [91, '2 minutes.'],
  [90 * 60, '90 minutes.'],
  [90 * 60 + 1, '2 hours.'],
  [86_400, '24 hours.'],
])('a refusal by a limit for %i seconds says: try again in that time', (seconds, words) => {
  expect(problemDetail(limited(seconds), 'en')).toBe(`Too many requests in a short time. Please try again in ${words}`)
  expect(problemDetail(limited(seconds), 'ta')).toContain(words.split(' ')[0])
})

test('any other refusal is its sentence alone', () => {
  expect(problemDetail(new Problem('UNAVAILABLE', { retryAfterSeconds: 2 }), 'en')).not.toContain('2')
})

test('the wait survives a redirect in the URL; nobody can put other words there', () => {
  const shown = (value: string | null) => fileRefusal(value, 'en', 'PASSWORD_WRONG')
  expect(shown(refusalInUrl(limited(45)))).toBe(problemDetail(limited(45), 'en'))
  expect(shown(refusalInUrl(new Problem('CSRF_REJECTED')))).toBe(problemDetail(new Problem('CSRF_REJECTED'), 'en'))
  const otherwise = problemDetail(new Problem('PASSWORD_WRONG'), 'en')
  expect(['NOT_FOUND', 'RATE_LIMITED:', 'RATE_LIMITED:1e9', 'x'].map(shown)).toEqual([otherwise, otherwise, otherwise, otherwise])
  expect(shown(null)).toBeNull()
})
