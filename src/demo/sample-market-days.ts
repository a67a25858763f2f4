import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { showcaseItems } from '#src/storefront/tables.ts'

type Day = Omit<typeof showcaseItems.$inferInsert, 'kind' | 'changedAt'>

/** Weekly markets as newspapers report them, and Pongal, which has fixed days. */
const weekly: Day[] = [
  {
    weekday: 3,
    titleTa: 'மணப்பாறை மாட்டுச் சந்தை',
    titleEn: 'Manapparai cattle market',
    placeTa: 'மணப்பாறை, திருச்சி மாவட்டம்',
    placeEn: 'Manapparai, Tiruchirappalli district',
    textTa: 'மாடுகள், எருமைகள், ஆடுகள்.',
    textEn: 'Cattle, buffaloes and goats.',
  },
  {
    weekday: 4,
    titleTa: 'கருங்கல்பாளையம் மாட்டுச் சந்தை',
    titleEn: 'Karungalpalayam cattle market',
    placeTa: 'கருங்கல்பாளையம், ஈரோடு',
    placeEn: 'Karungalpalayam, Erode',
    textTa: 'கறவை மாடுகளுக்கும் எருமைகளுக்கும் கன்றுகளுக்கும் பெயர் பெற்றது.',
    textEn: 'Known for milch cows, buffaloes and calves.',
  },
  {
    weekday: 5,
    titleTa: 'கன்னிவாடி ஆட்டுச் சந்தை',
    titleEn: 'Kannivadi goat market',
    placeTa: 'கன்னிவாடி, திருப்பூர் மாவட்டம்',
    placeEn: 'Kannivadi, Tiruppur district',
    textTa: 'ஆடுகளுக்குப் பெயர் பெற்றது.',
    textEn: 'Known for goats.',
  },
]

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
