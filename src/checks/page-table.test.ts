import { expect, test, vi } from 'vitest'
import { railOf } from '#src/content/site-frame/desks.ts'
import { copyKindOf } from '#src/content/offline/copy-rules.ts'
import { proseSlugs } from '#src/content/prose/prose.ts'
import { copiedPages, framesFor, pageTable } from '#src/page-table.ts'

vi.stubGlobal('COPIED', copiedPages)

/** An address of the page by its id. */
const addresses = Object.fromEntries(
  pageTable.map(({ id, path }) => [
    id,
    `/${path.replace(':breed', 'kangayam').replace(':kind', 'thread').replace(':page', 'aboutus').replace(':token', 'a1b2').replace(/:\w+/g, '7')}`,
  ]),
)
const viewer = (typeId: number) => ({ id: 1, name: 'Selvi', typeId, vetApproved: true, superAdmin: false })
const frameOf = (path: string, typeId: number | null) =>
  Object.entries(framesFor(typeId === null ? null : viewer(typeId))).find(([first]) => first === path.split('/')[1])?.[1]

test.each([
  ['market', 'home list product seller breeds breed market-days'],
  [
    'own',
    'compare addresses cart sell edit-listing proofs seller-product earnings vet-desk vet-check orders handover first-days invoice me saved forum ' +
      'thread add-enquiry view-enquiry wanted my-enquiries support prose',
  ],
  ['link', 'bring'],
  [
    'never',
    'referred related-product addresses-for confirm-order newsletter newsletter-confirm newsletter-unsubscribe profile person-data delete-account ' +
      'review report sell-import owner owner-code listing-question verify offline flag consent terms-sheet find login login-code logout',
  ],
])('phones copy as %s: %s', (kind, ids) => {
  for (const id of ids.split(' ')) expect([id, copyKindOf(addresses[id]!)]).toEqual([id, kind])
})

test('phones never copy files, logins, and desks with other people’s data', () => {
  const isFileOrLogin = /\.(csv|pdf|json)$|^(login|register|reset|logout|dev)/
  const closed = pageTable.filter(({ path, who }) => who === 'operate' || isFileOrLogin.test(path))
  expect(closed.filter(({ id }) => copyKindOf(addresses[id]!) !== 'never').map(({ id }) => id)).toEqual([])
})

test('phones copy the texts about the market, and none that only search engines lead to', () => {
  expect(proseSlugs.filter((slug) => copyKindOf(`/${slug}`) !== 'own')).toEqual([
    'coming-soon',
    'jersey-cattle-sale-coimbatore',
    'indian-milk-cow-breeds-sale',
    'goat-farming-in-coimbatore',
    'farm-animals-pets-in-coimbatore',
    'pet-shops-in-coimbatore',
  ])
})

test.each([
  ['an admin', 9, /^\/(admin|orders|vet-verify)(\/|$)/],
  ['a vet', 5, /^\/vet-verify(\/|$)/],
  ['a buyer', 1, null],
  ['an anonymous visitor', null, null],
])('%s has the frame of a desk at the addresses of their desks only, and a bearer’s day is a task for anybody', (_, typeId, desks) => {
  for (const path of [...Object.values(addresses), '/admin/no-such-page', '/en', '/constructor'])
    expect([path, frameOf(path, typeId)]).toEqual([path, desks?.test(path) ? 'desk' : path.startsWith('/bring/') ? 'task' : undefined])
})

test('each place of the rail is a page in the frame of a desk', () => {
  for (const typeId of [5, 9])
    for (const { path } of railOf(viewer(typeId))) {
      expect(Object.values(addresses)).toContain(path)
      expect([path, frameOf(path, typeId)]).toEqual([path, 'desk'])
    }
})
