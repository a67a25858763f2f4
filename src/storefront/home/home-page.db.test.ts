import { expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { openBuiltSite } from '#tools/test-kit/built-site.ts'
import { openTestMarket } from '#tools/test-kit/test-market.ts'

test('fetches twelve trending animals and shows ten', async () => {
  const market = await openTestMarket()
  const site = await openBuiltSite(market)
  try {
    const ids: number[] = []
    const [trusted, plain] = [await makeUser(market.ctx, { typeId: 2, isVerified: true }), await makeUser(market.ctx, { typeId: 2 })]
    // Without views the newest come first: three of a verified seller, which Top in Market shows, then ten others.
    for (let n = 0; n < 13; n++)
      ids.push(
        await makeListing(market.ctx, {
          sellerId: (n < 3 ? trusted : plain).id,
          createdAt: daysBefore(market.ctx.now, n),
          touchedAt: market.ctx.now,
        }),
      )
    const { html } = await site.open('/en', { lang: 'en' })
    const shown = (title: string) => {
      const group = html.slice(html.indexOf(`aria-label="${title}"`))
      const links = group.slice(0, group.indexOf('</section>')).matchAll(/href="\/en\/product\/(\d+)"/g)
      return [...new Set([...links].map(([, id]) => Number(id)))]
    }
    expect(shown('Top in Market')).toEqual(ids.slice(0, 3))
    // Twelve are fetched, so the thirteenth is not among them: nine others, and the most viewed repeat fills the tenth place.
    expect(shown('Trending now')).toEqual([ids[0], ...ids.slice(3, 12)])
  } finally {
    site.close()
    await market.close()
  }
})
