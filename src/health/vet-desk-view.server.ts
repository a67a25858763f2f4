import { parsePincode } from '#src/kit/text/readers.ts'
import type { Point } from '#src/addresses/places.ts'
import { findPincode, placeName } from '#src/addresses/places.server.ts'
import { districts } from '#src/accounts/reference-data.ts'
import type { Ctx } from '#src/kit/context.ts'
import { decodeCursor } from '#src/kit/http/pagination.ts'
import { parseId } from '#src/kit/ids.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { listProductsById } from '#src/listings/queries.server.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { can } from './policy.ts'
import { readDeskCard } from './desk-card.server.ts'
import { mapOfDesk } from './desk-map.server.ts'
import { listHolds } from './holds.server.ts'
import { lengthOf, mapLinks, shortRoute } from './day-route.ts'
import { listOwnChecks } from './own-checks.server.ts'
import { DESK_CURSOR, deskList, findOwnPincode, listDesk } from './queries.server.ts'

/** A vet chooses from the nearest and does not read all. */
export const DESK_PAGE_SIZE = 24

export async function readDesk(ctx: Ctx, query: URLSearchParams) {
  const isVet = can(ctx.viewer, 'vet')
  const isOwn = isVet && query.get('tab') === 'own'
  const isComplete = query.get('tab') === 'completed'
  const district = districts.find(({ en }) => en === query.get('district'))?.en ?? null
  const typed = (query.get('pincode') ?? '').trim()
  const typedPincode = parsePincode(typed)
  const found = typedPincode === null ? null : findPincode(typedPincode)
  const ownPincode = typed === '' ? await findOwnPincode(ctx) : null
  const pincode = found?.point ? typedPincode : ownPincode
  const isNearest = query.get('sort') !== 'longest' && !isComplete
  const from = pincode === null ? null : findPincode(pincode)
  const near = isNearest ? (from?.point ?? null) : null
  const choices = { isComplete, district, near, isFreeOnly: true as const }
  const after = decodeCursor(query.get('after'), deskList(choices), DESK_CURSOR)
  const ownChecks = isOwn ? await listOwnChecks(ctx, readPageNumber(query.get('page'))) : null
  const { animals, ...page } = ownChecks ? NO_ANIMALS : await listDesk(ctx, { ...choices, after, top: DESK_PAGE_SIZE })
  const { vetDay: most } = await readSettings(ctx)
  const { places: stops, ...route } = await readRoute(ctx, from?.point ?? null)
  return {
    ...page,
    isComplete,
    cards: animals.map(({ product, kilometres }) => readDeskCard(ctx, product, kilometres)),
    ownChecks,
    route,
    map: mapOfDesk({ animals: animals.map(({ product }) => findPincode(product.pincode)), stops, start: from }, ctx.locale),
    maxHolds: most.holds,
    maxChecks: most.checks,
    full: query.get('full') === 'day' ? ('day' as const) : query.has('full') ? ('hands' as const) : null,
    saved: parseId(query.get('checked') ?? undefined),
    isVet,
    district,
    districts: districts.map(({ en }) => ({ id: en, name: placeName(en, ctx.locale) })),
    typed: [...typed].slice(0, 10).join(''),
    isUnknownPincode: typed !== '' && !found?.point,
    isByDistance: near !== null,
    hasPlace: from?.point != null,
    from: pincode && from ? `${pincode} · ${placeName(from.taluk, ctx.locale)}` : null,
    isFirstPage: after === null,
  }
}

const NO_ANIMALS = { animals: [], found: 0, foundMore: false, next: null }

/** The vet's held animals as a route from this place. */
async function readRoute(ctx: Ctx, start: Point | null) {
  const holds = can(ctx.viewer, 'vet') ? await listHolds(ctx, ctx.viewer!.id) : []
  const ids = holds.map(({ listingId }) => listingId)
  const productById = new Map((await listProductsById(ctx, ids)).map((product) => [product.id, product]))
  const stops = ids.map((id) => {
    const product = productById.get(id)
    const place = product ? findPincode(product.pincode) : null
    return { id, product, place, at: place?.point ?? null }
  })
  const route = shortRoute(start, stops)
  return {
    stops: route.map(({ stop: { id, product }, kilometres }) => ({
      id,
      card: product ? readDeskCard(ctx, product, null) : null,
      kilometres,
    })),
    kilometres: lengthOf(route),
    places: route.map(({ stop }) => stop.place),
    maps: mapLinks(route.flatMap(({ stop }) => stop.at ?? [])),
  }
}

export type Desk = Awaited<ReturnType<typeof readDesk>>
