import { and, asc, eq, inArray } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { isOn, nextDay } from './rules.ts'
import { showcaseItems, type SHOWCASE_KINDS } from '../tables.ts'

type ShowcaseItem = typeof showcaseItems.$inferSelect
type ShowcaseKind = (typeof SHOWCASE_KINDS)[number]

/** Far more than anybody reads; it bounds the page. */
const MOST = 300

const read = (ctx: Ctx, kinds: ShowcaseKind[], isForAll: boolean) =>
  ctx.db
    .select()
    .from(showcaseItems)
    .where(and(inArray(showcaseItems.kind, kinds), isForAll ? eq(showcaseItems.isShown, true) : undefined))
    .orderBy(asc(showcaseItems.position), asc(showcaseItems.id))
    .limit(MOST)

const inLanguage = (ctx: Ctx, item: ShowcaseItem) => {
  const isTamil = ctx.locale === 'ta'
  return {
    id: item.id,
    title: isTamil ? item.titleTa : item.titleEn,
    text: isTamil ? item.textTa : item.textEn,
    place: isTamil ? item.placeTa : item.placeEn,
  }
}

/** The current banners and testimonials of the home page. */
export async function readFront(ctx: Ctx) {
  const items = await read(ctx, ['banner', 'voice'], true)
  const today = indianDay(ctx.now)
  return {
    banners: items
      .filter((item) => item.kind === 'banner' && isOn(item, today))
      .map((item) => ({ ...inLanguage(ctx, item), path: item.path! })),
    voices: items.filter(({ kind }) => kind === 'voice').map((item) => inLanguage(ctx, item)),
  }
}

/** The coming market days, next first. `next` is a calendar day in India. */
export async function listMarketDays(ctx: Ctx) {
  const today = indianDay(ctx.now)
  const items = await read(ctx, ['market_day'], true)
  return items
    .flatMap((item) => {
      const next = nextDay(item, today)
      return next === null ? [] : [{ ...inLanguage(ctx, item), next, isToday: next === today, weekday: item.weekday, toDay: item.toDay }]
    })
    .toSorted((a, b) => a.next.localeCompare(b.next))
}

/** All items of a kind, including hidden ones. For admins. */
export async function listShowcase(ctx: Ctx, kind: ShowcaseKind): Promise<ShowcaseItem[]> {
  requireCan(ctx, 'operate')
  return read(ctx, [kind], false)
}
