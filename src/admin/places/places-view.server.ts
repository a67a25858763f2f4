import { placeName } from '#src/addresses/places.server.ts'
import { homeGround, onMap } from '#src/addresses/state-map.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { FormPage, PageArgs } from '#src/kit/http/page.server.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { readSort } from '#src/ui/desk-query.ts'
import { lastDeliveryChange, listDeliveryChanges, listDistricts, listPincodes, readDistrict, type District } from './delivery.server.ts'

const HOME_STATE = 'Tamil Nadu'

const sorts = ['name', 'pincodes', 'closed'] as const

/** Delivery by place: the districts of a state, or the PIN codes of one district. */
export async function readPlaces(ctx: Ctx, { url }: PageArgs) {
  const query = url.searchParams
  const key = query.get('district')
  // Raises NOT_FOUND for an unknown key before the trail is queried with it.
  const district = key === null ? null : await readDistrictPage(ctx, key)
  const changes = (await listDeliveryChanges(ctx, key)).map(({ at, district, ...change }) => ({
    ...change,
    district: placeName(district, ctx.locale),
    at: formatMoment(at, ctx.locale),
  }))
  return {
    changes,
    overview: key === null ? await readOverview(ctx, query) : null,
    district,
    done: /^\d{1,5}$/.test(query.get('done') ?? '') ? Number(query.get('done')) : null,
  }
}

const shownDistrict = (ctx: Ctx, { key, district, pincodes, deliverable }: District) => ({
  key,
  name: placeName(district, ctx.locale),
  pincodes,
  deliverable,
  closed: pincodes - deliverable,
})

async function readOverview(ctx: Ctx, query: URLSearchParams) {
  const all = await listDistricts(ctx)
  const states = [...new Set(all.map(({ state }) => state))]
  const state = states.find((each) => each === query.get('state')) ?? HOME_STATE
  const here = all.filter((each) => each.state === state)
  const sort = readSort(query.get('sort'), sorts, { by: 'name', isDown: false })
  const byName = new Intl.Collator(ctx.locale)
  const rows = here
    .map((each) => shownDistrict(ctx, each))
    .toSorted((a, b) => (sort.by === 'name' ? 0 : a[sort.by] - b[sort.by]) || byName.compare(a.name, b.name))
  return {
    state: { id: state, name: placeName(state, ctx.locale) },
    states: states.map((id) => ({ id, name: placeName(id, ctx.locale) })).toSorted((a, b) => byName.compare(a.name, b.name)),
    sort,
    rows: sort.isDown ? rows.toReversed() : rows,
    map: state === HOME_STATE ? { ground: homeGround(), dots: here.flatMap((each) => dotOf(ctx, each)) } : null,
  }
}

function dotOf(ctx: Ctx, district: District) {
  const { lat, lon } = district
  if (lat === null || lon === null) return []
  return [{ ...shownDistrict(ctx, district), ...onMap({ lat, lon }) }]
}

async function readDistrictPage(ctx: Ctx, key: string) {
  const found = await readDistrict(ctx, key)
  // Read before the PIN codes, so that a change between the two reads is refused.
  const seen = await lastDeliveryChange(ctx, key)
  const taluks = Map.groupBy(await listPincodes(ctx, found), ({ taluk }) => taluk)
  return {
    ...shownDistrict(ctx, found),
    seen,
    state: found.state,
    stateName: placeName(found.state, ctx.locale),
    taluks: [...taluks].map(([id, pincodes]) => ({
      id,
      name: placeName(id, ctx.locale),
      deliverable: pincodes.filter(({ isDeliverable }) => isDeliverable).length,
      pincodes: pincodes.map(({ pincode, isDeliverable }) => ({ pincode, isDeliverable })),
    })),
  }
}

export type PlacesData = FormPage<typeof readPlaces>
