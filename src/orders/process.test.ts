import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pushKinds } from '#src/accounts/notifications/kinds.ts'
import type { Viewer } from '#src/kit/context.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { can } from './policy.ts'
import { hasEffect, isStep, isTerminal, orderStatuses, statusName, steps, wayTo } from './process.server.ts'

/** The published graph and the rights of decisions.md §4, by hand. Admins may take every step. */
const published = [
  'seller: 1 to 2',
  'admin: 2 to 3',
  'admin: 2 to 4',
  'admin: 3 to 4',
  'admin: 4 to 5',
  'bearer: 5 to 6',
  'buyer: 1 to 100',
  'buyer: 2 to 100',
  'buyer: 3 to 100',
  'buyer: 4 to 100',
  'buyer: 5 to 100',
  'buyer: 5 to 101',
  'seller: 1 to 102',
  'seller: 2 to 102',
  'seller: 3 to 102',
  'seller: 4 to 102',
]
const ids = orderStatuses.map(({ id }) => id)

describe('the steps of an order', () => {
  test('are those of the published graph', () => {
    const listed = steps.flatMap(({ from, to, by }) => from.map((each) => `${by[0]}: ${each} to ${to}`))
    expect(listed.toSorted()).toEqual(published.toSorted())
    expect(steps.filter(({ by }) => !by.includes('admin'))).toEqual([])
    const possible = ids.flatMap((from) => ids.filter((to) => isStep(from, to)).map((to) => `${from} to ${to}`))
    expect(possible.toSorted()).toEqual(published.map((row) => row.split(': ')[1]!).toSorted())
  })

  test('are for their parties only, and a buyer of user type 2 may not cancel', () => {
    const order = { buyerId: 1, sellerId: 2, bearerId: 3 }
    const viewer = (id: number, typeId: number): Viewer => ({ id, typeId, name: '', vetApproved: false, superAdmin: false })
    const people = { buyer: viewer(1, 1), seller: viewer(2, 2), bearer: viewer(3, 5), admin: viewer(4, 9) }
    const allowed = Object.entries(people).flatMap(([part, person]) =>
      ids.flatMap((status) =>
        ids.filter((to) => can(person, 'take-step', { ...order, status, to })).map((to) => `${part}: ${status} to ${to}`),
      ),
    )
    const expected = published.flatMap((row) => [row, row.replace(/^\w+/, 'admin')])
    expect(allowed.toSorted()).toEqual([...new Set(expected)].toSorted())
    expect(can(viewer(1, 2), 'take-step', { ...order, status: 1, to: 100 })).toBe(false)
    expect(can(viewer(1, 2), 'take-step', { ...order, status: 5, to: 101 })).toBe(true)
  })

  test('lead to each status, and out of none that is final', () => {
    expect(Object.fromEntries(ids.map((id) => [id, wayTo(id).join(' ')]))).toEqual({
      1: '',
      2: '2',
      3: '2 3',
      4: '2 4',
      5: '2 4 5',
      6: '2 4 5 6',
      100: '100',
      101: '2 4 5 101',
      102: '102',
    })
    expect(ids.filter(isTerminal)).toEqual([6, 100, 101, 102])
    expect(steps.flatMap(({ from }) => from.filter(isTerminal))).toEqual([])
  })

  test('send both sides the text of their template', () => {
    const texts = JSON.parse(readFileSync(join(projectRoot, 'messages/en.json'), 'utf8')) as Record<string, string>
    const names = ['name', 'number', 'when', 'amount', 'sale', 'link', 'paid', 'rest'] as const
    const values = Object.fromEntries(names.map((name) => [name, `{${name}}`])) as Record<(typeof names)[number], string>
    for (const { name, sms } of steps)
      for (const side of ['buyer', 'seller'] as const) {
        expect(Object.keys(pushKinds)).toContain(`order-${name}-${side}`)
        expect(sms[side](values, { locale: 'en' })).toBe(texts[`sms_order_${name.replaceAll('-', '_')}_${side}`])
      }
  })

  test('tell the bearer when they leave and when they need not come', () => {
    expect(steps.flatMap(({ to, sms }) => (sms.bearer ? [`${to} ${sms.bearer}`] : []))).toEqual(['5 leaves', '100 off', '102 off'])
  })

  test('have their buttons and effects', () => {
    expect(steps.flatMap(({ to, bulk }) => (bulk ? [`${bulk.act} ${to}`] : []))).toEqual(['bulk-confirm 2', 'bulk-ready 4', 'bulk-way 5'])
    expect(steps.flatMap(({ to, button }) => (button ? [to] : []))).toEqual([100, 101, 102])
    const returning = steps.filter(({ to }) => hasEffect(to, 'stock and discount return')).map(({ to }) => to)
    expect(returning).toEqual([100, 101, 102])
    expect(steps.filter(({ to }) => hasEffect(to, 'both sides read the reason')).map(({ to }) => to)).toEqual(returning)
    expect(steps.filter(({ to }) => hasEffect(to, 'the same admin may undo it within seconds')).map(({ to }) => to)).toEqual(returning)
    expect(steps.filter(({ to }) => hasEffect(to, 'day and payment are recorded')).map(({ to }) => to)).toEqual([6])
    expect(steps.filter(({ to }) => hasEffect(to, 'receipt and commission invoice get their numbers')).map(({ to }) => to)).toEqual([6])
  })

  test('are the table of docs/rules.md', () => {
    const named = (id: number) => `${id} ${statusName(id, 'en').toLowerCase()}`
    const rows = steps.map(
      ({ from, to, by, sentence, effects = [] }) =>
        `| ${from.join(', ')} | **${named(to)}** | ${by.join(', ')} | ${sentence} | ${effects.join('; ')} |`,
    )
    const rules = readFileSync(join(projectRoot, 'docs/rules.md'), 'utf8')
    expect(
      rules
        .match(/(?<=\| from \| to \| by \|.*\n\|[- |]+\n)(?:\|.*\n)+/)?.[0]
        .trim()
        .split('\n'),
    ).toEqual(rows)
  })
})
