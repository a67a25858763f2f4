import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { listProductsById } from '#src/listings/queries.server.ts'
import { m } from '#src/paraglide/messages.js'
import { readDeskCard } from './desk-card.server.ts'
import { takeAnimal } from './holds.server.ts'

/** Returns 'day' when the vet has taken the animals of a day. */
export async function takeToday(ctx: Ctx, id: number): Promise<'taken' | 'full' | 'day'> {
  try {
    return await takeAnimal(ctx, id)
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return 'day'
    throw error
  }
}

export interface TakeEnd {
  id: number
  /** As the desk showed it; the id when the animal is no longer visible. */
  name: string
  /** Null: the vet holds the animal now. */
  refusal: string | null
}

/** Takes each of these animals, so that the refusal of one does not affect the others. */
export async function takeEach(ctx: Ctx, ids: readonly number[]): Promise<TakeEnd[]> {
  const products = await listProductsById(ctx, ids)
  const names = new Map(products.map((product) => [product.id, readDeskCard(ctx, product, null).name]))
  const { checks } = (await readSettings(ctx)).vetDay
  const ends: TakeEnd[] = []
  for (const id of ids) ends.push({ id, name: names.get(id) ?? String(id), refusal: await refusalOfTaking(ctx, id, checks) })
  return ends
}

async function refusalOfTaking(ctx: Ctx, id: number, count: number): Promise<string | null> {
  const { locale } = ctx
  try {
    const outcome = await takeToday(ctx, id)
    return { taken: null, full: m.vet_full({}, { locale }), day: m.vet_day_full({ count }, { locale }) }[outcome]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return problemDetail(error, locale)
  }
}
