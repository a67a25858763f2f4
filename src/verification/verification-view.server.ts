import { placeName } from '#src/addresses/places.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { lookups, nameOf } from '#src/listings/reference/lookups.server.ts'
import type { FormPage, PageArgs } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { parseId } from '#src/kit/ids.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { readQueueFilter } from './queue-filter.ts'
import { readQueue } from './queue.server.ts'
import { getToVerify } from './to-verify.server.ts'
import { readSeen } from './seen-mark.ts'
import { readMissed } from './verify-listing.server.ts'
import { readToVerify } from './verification-facts.server.ts'

/** The verification queue: one listing at a time, the longest waiting first. With `ahead` the desk prefetches it and claims nothing. */
export async function readVerification(ctx: Ctx, { url }: PageArgs) {
  const { searchParams: query } = url
  const wanted = query.get('id')
  const wantedId = wanted === null ? null : parseId(wanted)
  if (wanted !== null && wantedId === null) throw notFound()
  const filter = readQueueFilter(query)
  const { listings, counts, ...place } = await readQueue(ctx, wantedId, {
    filter,
    claims: !query.has('ahead'),
    listFrom: parseId(query.get('list') ?? ''),
  })
  if (wantedId !== null && place.id === null) throw notFound()
  return {
    ...place,
    filter,
    filters: {
      views: counts.views,
      categories: counts.categories.map(({ id, count }) => ({ id, name: `${nameOf(lookups.category(id), ctx.locale)} (${count})` })),
      districts: counts.districts.map(({ name, count }) => ({ id: name, name: `${placeName(name, ctx.locale)} (${count})` })),
    },
    listings: listings.map(({ submittedAt, price, ...each }) => ({
      ...each,
      price: formatRupees(price),
      age: formatDaysAgo(submittedAt, ctx.now, ctx.locale),
    })),
    shown: place.id === null ? null : readToVerify(ctx, await getToVerify(ctx, place.id, parseId(query.get('beside') ?? ''))),
    done: idsIn(query.get('done')),
    missed: await readMissed(ctx, missedIn(query.get('missed') ?? '')),
    result: OTHER_RESULTS.find((each) => query.has(each)) ?? null,
  }
}

/** Other results that the page announces. */
const OTHER_RESULTS = ['undone', 'asked'] as const

/** Listings that one act can decide. */
export const MOST_AT_ONCE = 60

const missedIn = (text: string) =>
  text
    .split(',')
    .flatMap((each) => readSeen(each) ?? [])
    .slice(0, MOST_AT_ONCE)

export const idsIn = (text: string | null): number[] => (text ?? '').split(',').flatMap((id) => parseId(id) ?? [])

export type VerificationPageData = FormPage<typeof readVerification>
