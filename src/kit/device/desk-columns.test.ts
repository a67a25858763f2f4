import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { hideChosenColumns } from './desk-columns.ts'

/** The rule that the inline script makes on a page, for these stored choices. */
function ruleAt(pathname: string, stored: Record<string, string>): string {
  const document = { adoptedStyleSheets: [{ rule: '' }] }
  class CSSStyleSheet {
    rule = ''
    replaceSync(rule: string) {
      this.rule = rule
    }
  }
  runInNewContext(hideChosenColumns, {
    CSSStyleSheet,
    document,
    location: { pathname },
    localStorage: { getItem: (key: string) => stored[key] },
  })
  return document.adoptedStyleSheets[0]!.rule
}

test('hides the chosen columns of a desk in both languages and in all its cases', () => {
  const stored = { 'columns:/admin/money/payouts': 'account key' }
  for (const path of ['/admin/money/payouts', '/en/admin/money/payouts', '/admin/money/payouts/7', '/en/admin/money/payouts/12'])
    expect(ruleAt(path, stored)).toContain('[data-col=account],[data-col=key]')
  expect(ruleAt('/admin/money', stored)).not.toContain('account')
})
