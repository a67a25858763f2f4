import { expect, test } from 'vitest'
import { pageTable } from '#src/page-table.ts'
import { actions, policy, type Access } from '#src/policy.ts'
import { gateFor, openGates } from './gates.server.ts'

const gates = openGates(() => 0)
const isOfDesks = ({ who }: Partial<Access>) => who === 'vet' || [who].flat().includes('operate')

test('every call and every form of the office and of vets passes the gate of the desks (decision 0119)', () => {
  const calls = Object.entries(policy).flatMap(([operation, access]) => {
    const [method = '', path = ''] = operation.split(' ')
    return isOfDesks(access) ? [{ method, path: `/api/v1${path.replace(/\{\w+\}/g, '7')}` }] : []
  })
  const ofForms = new Set(
    Object.entries(actions).flatMap(([id, form]) => ([form, ...Object.values(form.acts ?? {})].some(isOfDesks) ? [id] : [])),
  )
  const forms = pageTable
    .filter(({ id }) => ofForms.has(id))
    .flatMap(({ path }) => ['', '/en'].map((locale) => ({ method: 'POST', path: `${locale}/${path.replace(/:\w+/g, '7')}` })))
  expect([calls.length, forms.length].every((count) => count > 15)).toBe(true)
  expect([...calls, ...forms].filter((request) => gateFor(gates, request) !== gates.desks)).toEqual([])
  expect(gateFor(gates, { method: 'GET', path: '/api/v1/product-requirement-enquiry/id=7' })).toBe(gates.reads)
})
