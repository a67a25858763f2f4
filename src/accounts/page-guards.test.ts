import { describe, expect, test } from 'vitest'
import { returnPath } from './page-guards.server.ts'

describe('the login leads back to where the visitor came from', () => {
  test.each(['/my-cart', '/en/buy/2?sort=price&q=%E0%AE%AE', '/product/7', '/register-a-cow'])('accepts %s', (next) => {
    expect(returnPath(next, '/en')).toBe(next)
  })

  test.each([
    '',
    null,
    'my-cart',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '\\\\evil.example',
    '/ok\\..\\evil',
    'javascript:alert(1)',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%0d%0aSet-Cookie:x=1\r\n',
    `/${'x'.repeat(600)}`,
  ])('goes home instead of %j', (next) => {
    expect(returnPath(next, '/en')).toBe('/en')
  })

  test.each([
    '/login',
    '/en/login?next=/x',
    '/logout',
    '/en/Logout',
    '/register',
    '/consent',
    '/reset-password',
    '/login/second-step',
    '/%6Cogout',
    '/e%6e/%4cogout',
    '/en%2Flogout',
    '/%E0%A4%A',
  ])('goes home instead of the login or logout path %s', (next) => {
    expect(returnPath(next, '/')).toBe('/')
  })
})
