import { languageTags, type Locale } from '#src/kit/text/locale.ts'

/** 0 is Sunday; 1 January 2023 was a Sunday. */
export const weekdayText = (weekday: number, locale: Locale): string =>
  new Date(Date.UTC(2023, 0, 1 + weekday)).toLocaleDateString(languageTags[locale], { timeZone: 'UTC', weekday: 'long' })
