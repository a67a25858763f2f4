import { readFile } from 'node:fs/promises'
import { DEMO_PASSWORD } from './admins.ts'
import { expectAxeClean } from './axe.ts'
import { core, expect, expectNoSidewaysScroll, onDesks, onPhones, test } from './market.ts'
import { loginByApi } from './people.ts'

for (const prefix of ['', '/en']) {
  test(
    `a link to an animal in ${prefix || 'Tamil'} shows its picture at once, and search engines its price`,
    { tag: [prefix ? onDesks : onPhones, core] },
    async ({ page, request }) => {
      // An animal of the sample market: other journeys add and remove listings.
      await page.goto(`${prefix}/buy/2?q=kodi`)
      await page.goto((await page.locator('article a').first().getAttribute('href'))!)
      const tag = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute('content')
      const url = (await tag('image'))!
      const answer = await request.get(url)
      expect(answer.status()).toBe(200)
      expect(answer.headers()['content-type']).toBe('image/jpeg')
      expect(answer.headers()['cache-control']).toBe('public, max-age=86400')
      const size = await page.evaluate(async (src) => {
        const image = new Image()
        image.src = src
        await image.decode()
        return [image.naturalWidth, image.naturalHeight].map(String)
      }, new URL(url).pathname)
      expect(size).toEqual([await tag('image:width'), await tag('image:height')])
      // An old address of the picture redirects to the present one.
      const old = await request.get(url.replace(/[0-9a-f]{10}\.jpg$/, '0000000000.jpg'), { maxRedirects: 0 })
      expect([old.status(), new URL(old.headers()['location']!, url).href]).toEqual([302, url])

      const things = await page
        .locator('script[type="application/ld+json"]')
        .evaluateAll((blocks) => blocks.map((block) => JSON.parse(block.textContent!) as Record<string, never>))
      expect(things.map((thing) => thing['@type'])).toEqual(['Product', 'BreadcrumbList'])
      const { price, priceCurrency } = things[0]!['offers'] as unknown as { price: string; priceCurrency: string }
      expect(priceCurrency).toBe('INR')
      const shown = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR', maximumFractionDigits: 0 }).format(Number(price))
      await expect(page.getByText(shown, { exact: true }).first()).toBeVisible()
    },
  )
}

test('a list and a breed have previews with name and address in chats', { tag: onPhones }, async ({ page, baseURL }) => {
  const textOf = async () =>
    new URL((await page.getByRole('link', { name: 'WhatsApp-இல் பகிர' }).getAttribute('href'))!).searchParams.get('text')
  await page.goto('/buy/2?q=kodi&utm_source=x')
  expect(await textOf()).toBe(`${(await page.locator('h1').textContent())!}: ${baseURL}/buy/2?q=kodi`)
  await page.goto('/breeds/kangayam')
  expect(await textOf()).toBe(`காங்கேயம்: ${baseURL}/breeds/kangayam`)
})

test('a seller downloads a picture for their status and a poster for the village board', { tag: onPhones }, async ({ page }) => {
  expect(await loginByApi(page, '9000000002', DEMO_PASSWORD)).toBe(200)
  await page.goto('/seller-product/')
  const [poster] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'ஊர்ப் பலகைக்குச் சுவரொட்டி (PDF)' }).click(),
  ])
  expect(poster.suggestedFilename()).toBe('sandhai-poster-ta.pdf')
  expect((await readFile(await poster.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await page.locator('article').filter({ hasText: 'விற்பனையில்' }).first().locator('h2 a').click()
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'வாட்ஸ்அப் ஸ்டேட்டஸுக்குப் படம்' }).click()])
  expect(picture.suggestedFilename()).toMatch(/^sandhai-\d+\.jpg$/)
  expect((await readFile(await picture.path())).subarray(0, 3).toString('hex')).toBe('ffd8ff')
  await expectAxeClean(page)
  await expectNoSidewaysScroll(page)
})

test(
  'the sitemap named by robots.txt leads to pages that search engines may index',
  { tag: onDesks },
  async ({ page, request, baseURL }) => {
    const read = async (path: string) => (await request.get(path)).text()
    const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!)
    const sitemap = /Sitemap: (\S+)/.exec(await read('/robots.txt'))![1]!
    expect(sitemap.startsWith(baseURL!)).toBe(true)
    const parts = locations(await read(sitemap))
    expect(parts).toHaveLength(2)
    const [pages, animals] = await Promise.all(parts.map(async (part) => locations(await read(part))))
    for (const url of [...pages!.slice(0, 6), ...animals!.slice(0, 2), animals!.at(-1)!]) {
      expect((await page.goto(url))!.status(), url).toBe(200)
      await expect(page.locator('meta[name=robots]')).toHaveCount(0)
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(url)
    }
  },
)
