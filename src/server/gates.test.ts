import { expect, test } from 'vitest'
import { isDeskToken, newSessionToken } from '#src/accounts/sessions.server.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { gateFor, openGates } from './gates.server.ts'

const gates = openGates(() => 0)
const gateOf = (method: string, path: string, isOfOffice = false) =>
  Object.entries(gates).find(([, gate]) => gate === gateFor(gates, { method, path }, isOfOffice))![0]

test('whatever the office asks passes the gate of the desks, and nothing else does (decision 0119)', () => {
  for (const path of ['/', '/orders', '/api/v1/order-detail-status/id=7/2', '/api/v1/confirm-order/buyer=7'])
    for (const method of ['GET', 'HEAD', 'POST', 'PUT']) {
      expect(gateOf(method, path, true)).toBe('desks')
      expect(gateOf(method, path)).not.toBe('desks')
    }
})

test('reads, writes and orders of others have gates of their own', () => {
  expect([gateOf('GET', '/orders'), gateOf('POST', '/orders'), gateOf('POST', '/api/v1/confirm-order/buyer=7')]).toEqual([
    'reads',
    'writes',
    'checkouts',
  ])
})

test('the tokens of admins and vets are known without a look, and nobody can invent one', () => {
  const known = (token: string) => isDeskToken(testVault, token)
  expect([1, 2, 3, 4, 5, 9].map((typeId) => known(newSessionToken(testVault, typeId)))).toEqual([false, false, false, false, true, true])
  const [random = '', mark = ''] = newSessionToken(testVault, 9).split('.')
  const [other = ''] = newSessionToken(testVault, 9).split('.')
  for (const invented of [random, `${random}.`, `${other}.${mark}`, `${random}.${mark.slice(1)}A`, `.${mark}`, '.', ''])
    expect(known(invented), invented).toBe(false)
})
