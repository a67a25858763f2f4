import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { showcaseItems } from '#src/storefront/tables.ts'
import weekly from './sample-market-days.json' with { type: 'json' }

type Day = Omit<typeof showcaseItems.$inferInsert, 'kind' | 'changedAt'>

/** Pongal has fixed days; the weekly markets are as newspapers report them. */
const pongal = (year: string): Day => ({
  fromDay: `${year}-01-14`,
  toDay: `${year}-01-17`,
  titleTa: 'பொங்கல்',
  titleEn: 'Pongal',
  textTa: 'பொங்கலுக்கு முன் வாரங்களில் சந்தைகளில் கூட்டம் அதிகம்.',
  textEn: 'In the weeks before Pongal the markets are at their fullest.',
})

export async function addSampleMarketDays(ctx: Ctx): Promise<void> {
  const today = indianDay(ctx.now)
  const year = Number(today.slice(0, 4))
  const next = pongal(String(today <= `${year}-01-17` ? year : year + 1))
  await ctx.db.insert(showcaseItems).values([...weekly, next].map((day) => ({ kind: 'market_day' as const, ...day, changedAt: ctx.now })))
}
