import { expectNoSidewaysScroll, onDesks, onPhones, test } from './market.ts'
import { loginByApi, ownId } from './people.ts'

/**
 * The sample people by phone, and the pages that only they see; `:me` is the person, `:edit` the first listing they may edit, `:own` their
 * first on the market.
 */
const pagesOf = {
  '9000000001': [
    '/me',
    '/userprofile/:me',
    '/userprofile/:me/delete',
    '/orders',
    '/my-addresses',
    '/saved',
    '/my-cart',
    '/review/2',
    '/report/product/16',
    '/compare?ids=5,6,7',
    '/forum',
    '/my-enquiries',
  ],
  '9000000002': [
    '/me',
    '/earnings',
    '/sell',
    '/seller-product',
    '/seller-product?tab=sold',
    '/seller-product?tab=ordered',
    ':edit',
    ':own',
    '/orders',
  ],
  '9000000005': ['/vet-verify', '/me'],
  '9000000009': [
    '/admin',
    '/admin/audit',
    '/admin/verification',
    '/admin/second-looks',
    '/admin/proofs',
    '/orders',
    '/admin/users',
    '/admin/users/2',
    '/admin/settings',
    '/admin/money',
    '/admin/money/2',
    '/admin/money/cash',
    '/admin/money/month',
    '/admin/enquiries',
    '/admin/reports',
    '/admin/reports?state=closed',
    '/admin/reviews',
    '/admin/reviews?state=hidden',
    '/admin/forum?state=closed',
    '/admin/tickets?state=closed',
    '/admin/forum',
    '/admin/tickets',
    '/admin/messages',
    '/admin/places',
    '/admin/places?district=tamil-nadu_tiruchirappalli',
    '/admin/page-views',
    '/admin/bearers',
    '/admin/run-sheet',
    '/admin/front',
    '/admin/newsletter',
    '/seller-product',
    '/me',
  ],
}

for (const prefix of ['', '/en'])
  for (const [phone, paths] of Object.entries(pagesOf))
    test(`every page of the person ${phone} fits (${prefix || 'Tamil'})`, { tag: prefix ? onDesks : onPhones }, async ({ page }) => {
      await page.goto(`${prefix}/login`)
      await loginByApi(page, phone, 'sandhai-demo')
      const me = await ownId(page)
      const { width, height } = page.viewportSize()!
      for (const path of paths) {
        await page.setViewportSize({ width, height })
        if (path === ':edit') {
          await page.goto(`${prefix}/seller-product`)
          await page.goto((await page.locator('a[href*="/edit"]').first().getAttribute('href'))!)
        } else if (path === ':own') {
          await page.goto(`${prefix}/seller-product`)
          const passed = page.locator('article').filter({ hasText: /விற்பனையில்|For sale/ })
          await page.goto((await passed.first().locator('h2 a').getAttribute('href'))!)
        } else await page.goto(prefix + path.replace(':me', String(me)))
        await expectNoSidewaysScroll(page)
        // The narrowest phones in use.
        if (width < 400) {
          await page.setViewportSize({ width: 320, height })
          await expectNoSidewaysScroll(page)
        }
      }
    })
