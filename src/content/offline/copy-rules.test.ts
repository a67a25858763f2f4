import { expect, test } from 'vitest'
import { pageTable } from '#src/page-table.ts'
import { assetsIn, changesWhoIsHere, copyKindOf, toDrop, withoutMarks } from './copy-rules.ts'

const pathOf = (path: string) =>
  `/${path.replace(':breed', 'kangayam').replace(':kind', 'thread').replace(':page', 'aboutus').replace(/:\w+/g, '7')}`

test('of each page it is known what stays on the phone: nothing of logins, files, the office, and links that open something', () => {
  const kinds = Object.fromEntries(pageTable.map(({ id, path }) => [id, copyKindOf(pathOf(path))]))
  const never = [
    ...pageTable.filter(({ path, who }) => who === 'operate' || /\.(csv|pdf|json)$|^(login|register|reset|logout|dev)/.test(path)),
    ...pageTable.filter(({ id }) =>
      ['bring', 'person-data', 'delete-account', 'confirm-order', 'verify', 'newsletter-confirm'].includes(id),
    ),
  ]
  expect(never.length).toBeGreaterThan(30)
  for (const { id } of never) expect([id, kinds[id]]).toEqual([id, 'never'])
  expect(Object.keys(kinds).filter((id) => kinds[id] === 'market')).toEqual(['home', 'list', 'product', 'seller', 'breeds', 'breed'])
  for (const id of ['orders', 'handover', 'seller-product', 'saved', 'cart', 'sell', 'vet-check', 'forum', 'thread'])
    expect(kinds[id]).toBe('own')
})

test('the English page is as the Tamil one, however it is spelt', () => {
  expect(copyKindOf('/en/orders/')).toBe('own')
  expect(copyKindOf('/en/Buy/0')).toBe('market')
  expect(copyKindOf('/en/admin/users')).toBe('never')
  expect(copyKindOf('/en/')).toBe('market')
})

test('a login, a new password, a logout and an end of the account may bring somebody else', () => {
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

test('when the room is used up the oldest go first, and only as many as must', () => {
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

test('two renderings of the same page are the same page', () => {
  const page = (nonce: string, token: string) => `<p nonce="${nonce}"><input value="${token}.${'a'.repeat(43)}"><b>₹ 65,000</b>`
  expect(withoutMarks(page('1', 'x'.repeat(22)))).toBe(withoutMarks(page('2', 'y'.repeat(22))))
  expect(withoutMarks('<b>₹ 65,000</b>')).not.toBe(withoutMarks('<b>₹ 64,000</b>'))
})

test('the files of a page are found wherever they are named, those of React only where the page starts it', () => {
  const page = (start: string) =>
    `<html${start}><link href="/assets/app-1a.css"><script type="text/late" id="late">import "/assets/react-2b.js"</script><use href="/assets/icons-4d.svg#pin"><img src="/media/x.webp"><script src="/assets/page-3c.js">`
  expect(assetsIn(page(''))).toEqual(['/assets/app-1a.css', '/assets/react-2b.js', '/assets/icons-4d.svg', '/assets/page-3c.js'])
  expect(assetsIn(page(' data-start="on-demand"'))).toEqual(['/assets/app-1a.css', '/assets/icons-4d.svg', '/assets/page-3c.js'])
})
