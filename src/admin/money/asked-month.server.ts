import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { MONTH } from '#src/selling/earnings/earnings.server.ts'

/** The month in the address; the current one by default or when it is unreadable. */
export function askedMonth(ctx: Ctx, url: URL): { month: string; now: string } {
  const now = indianDay(ctx.now).slice(0, 7)
  const month = url.searchParams.get('month') ?? ''
  return { month: MONTH.test(month) ? month : now, now }
}

/** The page whose form requests the files of this month. */
export const monthPage = (ctx: Ctx, url: URL): string => localized(`/admin/money/month?month=${askedMonth(ctx, url).month}`, ctx.locale)

const shifted = (month: string, by: number) => {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}
export const monthBefore = (month: string) => shifted(month, -1)
export const monthAfter = (month: string) => shifted(month, 1)
