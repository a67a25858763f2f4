import { expect, test, vi } from 'vitest'
import { copiedPages } from '#src/page-table.ts'
import {
  assetsIn,
  changesWhoIsHere,
  clipScriptsIn,
  copyAddressOf,
  copyKindOf,
  isLinkCopyOver,
  mayShowCopy,
  toDrop,
  withoutMarks,
} from './copy-rules.ts'

vi.stubGlobal('COPIED', copiedPages)

test('an English page has the same rule as the Tamil one, in any letter case', () => {
  expect(copyKindOf('/en/orders/')).toBe('own')
  expect(copyKindOf('/en/Buy/0')).toBe('market')
  expect(copyKindOf('/en/admin/users')).toBe('never')
  expect(copyKindOf('/en/')).toBe('market')
})

test('a login, a new password, a logout and an account deletion may change the person', () => {
  const acts = [
    '/login',
    '/en/login.data',
    '/login/code',
    '/register',
    '/logout',
    '/en/logout',
    '/api/v1/login',
    '/api/v1/auth/reset',
    '/api/v1/userprofile/id=7',
  ]
  for (const act of [...acts, '/userprofile/7/delete', '/api/v1/me']) expect([act, changesWhoIsHere(act)]).toEqual([act, true])
  for (const other of ['/my-cart', '/api/v1/saved-listing/id=7', '/sell', '/api/v1/user-type', '/product/7'])
    expect([other, changesWhoIsHere(other)]).toEqual([other, false])
})

test('a page has one copy, however its address is written', () => {
  const origin = 'https://sandhai.test'
  expect(copyAddressOf(`${origin}/en/seller-product/?tab=1#o7`)).toBe(`${origin}/en/seller-product?tab=1`)
  expect(copyAddressOf(`${origin}/en/seller-product`)).toBe(`${origin}/en/seller-product`)
  expect(copyAddressOf(`${origin}/en/`)).toBe(`${origin}/en`)
  expect(copyAddressOf(`${origin}/`)).toBe(`${origin}/`)
  expect(copyAddressOf(`${origin}/bring/${'a1'.repeat(16)}?done=7`)).toBe(`${origin}/bring/${'a1'.repeat(16)}`)
})

test('the copy of a bearer’s day ends at midnight in India, as the link does', () => {
  const lastMinute = Date.parse('2026-11-26T23:59:00+05:30')
  expect(isLinkCopyOver(Date.parse('2026-11-26T00:01:00+05:30'), lastMinute)).toBe(false)
  expect(isLinkCopyOver(lastMinute, Date.parse('2026-11-27T00:00:00+05:30'))).toBe(true)
})

test('the copy of a list is shown for half a day while the line is slow, and any copy when there is no line', () => {
  const now = Date.parse('2026-11-27T12:00:00Z')
  const halfADay = 43_200_000
  const may = (copiedAt: number, changes: { changedAt?: number; hasFailed?: boolean } = {}) =>
    mayShowCopy(copiedAt, { now, changedAt: 0, hasFailed: false, ...changes })
  expect([may(now - halfADay), may(now - halfADay - 1)]).toEqual([true, false])
  expect(may(now - 60 * halfADay, { hasFailed: true })).toBe(true)
  expect([may(now - 10, { changedAt: now - 11 }), may(now - 10, { changedAt: now - 9 })]).toEqual([true, false])
  expect(may(now - 10, { changedAt: now - 9, hasFailed: true })).toBe(true)
})

test('when the space is used up, only as many entries as necessary are deleted, oldest first', () => {
  const kept = [
    { id: 'new', bytes: 30, at: 3 },
    { id: 'old', bytes: 20, at: 1 },
    { id: 'middle', bytes: 30, at: 2 },
  ]
  expect(toDrop(kept, 80)).toEqual([])
  expect(toDrop(kept, 79).map(({ id }) => id)).toEqual(['old'])
  expect(toDrop(kept, 59).map(({ id }) => id)).toEqual(['old', 'middle'])
  expect(toDrop(kept, 0)).toHaveLength(3)
})

test('two renderings of one page count as the same page', () => {
  const page = (nonce: string, token: string) => `<p nonce="${nonce}"><input value="${token}.${'a'.repeat(43)}"><b>₹ 65,000</b>`
  expect(withoutMarks(page('1', 'x'.repeat(22)))).toBe(withoutMarks(page('2', 'y'.repeat(22))))
  expect(withoutMarks('<b>₹ 65,000</b>')).not.toBe(withoutMarks('<b>₹ 64,000</b>'))
})

test('all files that a page names are found, React’s only on pages that start it', () => {
  const page = (start: string) =>
    `<html${start}><link href="/assets/app-1a.css"><script type="text/late" id="late">import "/assets/react-2b.js"</script><use href="/assets/icons-4d.svg#pin"><img src="/media/x.webp"><script src="/assets/page-3c.js">`
  expect(assetsIn(page(''))).toEqual(['/assets/app-1a.css', '/assets/react-2b.js', '/assets/icons-4d.svg', '/assets/page-3c.js'])
  expect(assetsIn(page(' data-start="on-demand"'))).toEqual(['/assets/app-1a.css', '/assets/icons-4d.svg', '/assets/page-3c.js'])
})

test('the scripts that record clips are found in the built script that loads them', () => {
  const built = 'const a=()=>import(`./recorder-BGgQgOq.js`),b=()=>import(`./make-small-DT0E_0x.js`),c=import("./browser-q3Bwjvd.js")'
  expect(clipScriptsIn(built)).toEqual(['/assets/recorder-BGgQgOq.js', '/assets/make-small-DT0E_0x.js'])
})
