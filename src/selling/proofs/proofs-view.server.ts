import type { Ctx } from '#src/kit/context.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { milkingClipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { wordText } from '#src/listings/proofs/day-words.ts'
import { earliestMilking } from '#src/listings/proofs/proof-rules.ts'
import { getOwnProofs } from './own-proofs.server.ts'

const DONE = ['milking', 'unmilk', 'photo', 'unphoto'] as const

/** Here a seller records milkings and sends the photo of the day. */
export async function readProofs(ctx: Ctx, id: number, query: URLSearchParams) {
  const { locale, now } = ctx
  const { milkings, dayPhoto, today, ...animal } = await getOwnProofs(ctx, id)
  const dayText = (day: string) => formatDay(new Date(day), locale)
  return {
    id,
    ...animal,
    milkings: milkings.map((each) => ({ ...each, day: dayText(each.on), clip: each.clip && milkingClipOnWire(each.clip) })),
    dayPhoto: dayPhoto && {
      ...dayPhoto.photo,
      state: dayPhoto.state,
      when: formatDaysAgo(new Date(dayPhoto.day), now, locale),
      word: wordText(dayPhoto, locale),
    },
    today: { day: today.day, text: dayText(today.day), words: [wordText(today, 'ta'), wordText(today, 'en')] },
    earliest: earliestMilking(today.day),
    done: DONE.find((each) => each === query.get('done')) ?? null,
  }
}
