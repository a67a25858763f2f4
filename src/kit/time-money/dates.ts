import { languageTags, type Locale } from '#src/kit/text/locale.ts'

const zone = 'Asia/Kolkata'

/** 22-நவம்பர்-2026 / 22-November-2026, the calendar day in India. */
export function formatDay(date: Date, locale: Locale): string {
  const parts = days[locale].formatToParts(date)
  const part = (type: string) => parts.find((p) => p.type === type)?.value
  return `${part('day')}-${part('month')}-${part('year')}`
}

/** 22-நவ / 22-Nov, where a whole day does not fit: on a chip. */
export function formatShortDay(date: Date, locale: Locale): string {
  const parts = shortDays[locale].formatToParts(date)
  const part = (type: string) => parts.find((p) => p.type === type)!.value
  // The Tamil abbreviations end with a dot.
  return `${part('day')}-${part('month').replace('.', '')}`
}

const dayOf = (locale: Locale) =>
  new Intl.DateTimeFormat(languageTags[locale], { timeZone: zone, day: '2-digit', month: 'long', year: 'numeric' })
/**
 * Created once, because creating a formatter takes longer than using it. The pure annotations here and below let the bundler drop all the formatters
 * from browser bundles, which use none.
 */
const days = { ta: /* @__PURE__ */ dayOf('ta'), en: /* @__PURE__ */ dayOf('en') }

const shortDayOf = (locale: Locale) => new Intl.DateTimeFormat(languageTags[locale], { timeZone: zone, day: '2-digit', month: 'short' })
const shortDays = { ta: /* @__PURE__ */ shortDayOf('ta'), en: /* @__PURE__ */ shortDayOf('en') }

/** The day with the time in India: 22-நவம்பர்-2026, 18:05:09. */
export function formatMoment(date: Date, locale: Locale): string {
  return `${formatDay(date, locale)}, ${clock.format(date)}`
}
const clock = /* @__PURE__ */ new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium' })

/** நவம்பர் 2026 / November 2026, for a month in the form of URLs: `2026-11`. */
export const formatMonth = (month: string, locale: Locale): string => months[locale].format(new Date(`${month}-15T00:00Z`))

const monthOf = (locale: Locale) => new Intl.DateTimeFormat(languageTags[locale], { timeZone: zone, month: 'long', year: 'numeric' })
const months = { ta: /* @__PURE__ */ monthOf('ta'), en: /* @__PURE__ */ monthOf('en') }

/** "3 நாட்களுக்கு முன்" / "3 days ago"; today and yesterday in words. Counts calendar days in India. */
export function formatDaysAgo(date: Date, now: Date, locale: Locale): string {
  return daysAgo[locale].format(-daysBetween(date, now), 'day')
}

const daysAgo = {
  ta: /* @__PURE__ */ new Intl.RelativeTimeFormat(languageTags.ta, { numeric: 'auto' }),
  en: /* @__PURE__ */ new Intl.RelativeTimeFormat(languageTags.en, { numeric: 'auto' }),
}

/** The calendar day in India as `YYYY-MM-DD`. */
export function indianDay(date: Date): string {
  return new Date(date.getTime() + AHEAD).toISOString().slice(0, 10)
}
// India has one time zone without daylight saving, so a sum suffices. A calendar would cost a page of animals as much as a query.
const AHEAD = 5.5 * 3_600_000

/** The hour in India, 0 to 23. */
export function indianHour(date: Date): number {
  return Number(clock.format(date).slice(0, 2))
}

/** The number of midnights in India between two times; negative when `to` is earlier. */
export function daysBetween(from: Date, to: Date): number {
  return dayNumber(to) - dayNumber(from)
}

export const DAY = 86_400_000
const dayNumber = (date: Date) => Math.floor((date.getTime() + AHEAD) / DAY)
/** The Indian day this many days from now. */
export const indianDayIn = (now: Date, days: number): string => indianDay(daysBefore(now, -days))

export const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * DAY)
