import { languageTags, type Locale } from '#src/kit/text/locale.ts'

/** 0 for Sunday; the first of January 2023 was one. */
export const weekdayText = (weekday: number, locale: Locale): string =>
  new Date(Date.UTC(2023, 0, 1 + weekday)).toLocaleDateString(languageTags[locale], { timeZone: 'UTC', weekday: 'long' })
