import { eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { DAY, formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { isAnimalType } from '#src/listings/fields/listing-questions.ts'
import { lookups } from '#src/listings/reference/lookups.server.ts'
import { vaccinations } from '#src/listings/tables.ts'
import { animalName } from '../order-names.ts'
import { getOrder } from '../queries.server.ts'
import { DELIVERED } from '../process.server.ts'
import { firstDays } from './first-days.server.ts'

/** Incubation time: how long a disease of a new animal takes to show. */
const APART_DAYS = 21

/** For the buyer of a delivered animal, and for admins. NOT_FOUND for others, and before the delivery. */
export async function readFirstDays(ctx: Ctx, id: number) {
  const order = await getOrder(ctx, id)
  const { animal, deliveredOn, listingId } = order
  const isAnimal = isAnimalType(lookups.category(animal.categoryId).typeId)
  const isReader = order.part === 'buyer' || order.part === 'admin'
  if (order.status !== DELIVERED || deliveredOn === null || !isAnimal || !isReader) throw notFound()
  const given = await ctx.db.select().from(vaccinations).where(eq(vaccinations.listingId, listingId))
  const came = new Date(deliveredOn)
  return {
    id,
    orderNo: order.orderNo,
    name: animalName(animal, ctx.locale),
    code: animal.code,
    came: formatDay(came, ctx.locale),
    until: formatDay(new Date(came.getTime() + APART_DAYS * DAY), ctx.locale),
    ...firstDays({ animal, given, today: indianDay(ctx.now), locale: ctx.locale }),
  }
}
