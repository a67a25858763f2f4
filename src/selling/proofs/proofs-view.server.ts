import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { milkingClipOnWire } from '#src/listings/clips/clip-wire.server.ts'
import { earliestMilking } from '#src/listings/proofs/proof-rules.ts'
import { getOwnProofs } from './own-proofs.server.ts'

const DONE = ['milking', 'unmilk'] as const

/** Here a seller records milkings. */
export async function readProofs(ctx: Ctx, id: number, query: URLSearchParams) {
  const { milkings, today, ...animal } = await getOwnProofs(ctx, id)
  const dayText = (day: string) => formatDay(new Date(day), ctx.locale)
  return {
    id,
    ...animal,
    milkings: milkings.map((each) => ({ ...each, day: dayText(each.on), clip: each.clip && milkingClipOnWire(each.clip) })),
    today,
    earliest: earliestMilking(today),
    done: DONE.find((each) => each === query.get('done')) ?? null,
  }
}
