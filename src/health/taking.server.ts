import { takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { listProductsById } from '#src/listings/queries.server.ts'
import { m } from '#src/paraglide/messages.js'
import { readDeskCard } from './desk-card.server.ts'
import { takeAnimal } from './holds.server.ts'

interface Sender {
  site: Pick<Site, 'limits'>
  visitor: Pick<Visitor, 'address'>
}

/**
 * Returns 'day' when the vet has reached the daily limit of revealed addresses and phone numbers, including animals they gave back. An attempt that
 * reveals none does not count.
 */
export async function takeToday(ctx: Ctx, { site, visitor }: Sender, id: number): Promise<'taken' | 'full' | 'day'> {
  try {
    await takeLimits(ctx, site, visitor, 'holdDay')
  } catch (error) {
    if (error instanceof Problem && error.code === 'RATE_LIMITED') return 'day'
    throw error
  }
  // A refusal returns the quota automatically (kit/http/page.server.ts), but 'full' is no refusal.
  const outcome = await takeAnimal(ctx, id)
  if (outcome === 'full') await giveBackQuota(ctx, site)
  return outcome
}

const giveBackQuota = (ctx: Ctx, { limits }: Sender['site']) => limits.giveBackDurable(ctx.db, 'holdDay', String(ctx.viewer!.id))

export interface TakeEnd {
  id: number
  /** As the desk showed it; the id when the animal is no longer visible. */
  name: string
  /** Null: the vet holds the animal now. */
  refusal: string | null
}

/** Takes each of these animals, so that the refusal of one does not affect the others. */
export async function takeEach(ctx: Ctx, sender: Sender, ids: readonly number[]): Promise<TakeEnd[]> {
  const products = await listProductsById(ctx, ids)
  const names = new Map(products.map((product) => [product.id, readDeskCard(ctx, product, null).name]))
  const ends: TakeEnd[] = []
  for (const id of ids) ends.push({ id, name: names.get(id) ?? String(id), refusal: await refusalOfTaking(ctx, sender, id) })
  return ends
}

async function refusalOfTaking(ctx: Ctx, sender: Sender, id: number): Promise<string | null> {
  const { locale } = ctx
  try {
    const outcome = await takeToday(ctx, sender, id)
    return { taken: null, full: m.vet_full({}, { locale }), day: m.vet_day_full({}, { locale }) }[outcome]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The form as a whole is not refused, so this quota is returned here.
    await giveBackQuota(ctx, sender.site)
    return problemDetail(error, locale)
  }
}
