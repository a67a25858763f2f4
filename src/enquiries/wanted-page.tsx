import { shownPlace, findPlace } from '#src/addresses/places.server.ts'
import { districts } from '#src/accounts/reference-data.ts'
import { can } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { decodeCursor, encodeCursor } from '#src/kit/http/pagination.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { categories, categoryTypes } from '#src/listings/reference/reference-data.ts'
import { radii } from '#src/listings/browse/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import { shownEnquiry } from './enquiry-view.server.ts'
import { countOpen, listWanted, WANTED_STATES, type WantedFilters } from './queries.server.ts'
import { WantedView } from './wanted-view.tsx'
import type { Route } from './+types/wanted-page'

const WITHIN_KM = 100
const LONGEST_PLACE = 80
const LIST = 'wanted'

/** 'Wanted' of B §2: an anonymous visitor sees only the number of open enquiries. */
export const loader = pageLoader(async (ctx, { url }) => {
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin }
  if (!ctx.viewer) return { ...shared, kind: 'logged-out' as const, count: await countOpen(ctx) }
  const isAdmin = can(ctx.viewer, 'operate')
  const chosen = choicesIn(url.searchParams, isAdmin)
  const near = chosen.near === '' ? null : findPlace(chosen.near)
  const page = await listWanted(ctx, { ...chosen.filters, near: near && { point: near, withinKm: chosen.withinKm } })
  if (isAdmin) await audit(ctx, 'sensitive_read', 'enquiries:all', { what: 'contacts' })
  return {
    ...shared,
    kind: 'list' as const,
    isAdmin,
    enquiries: page.enquiries.map(({ kilometres, ...enquiry }) => shownEnquiry(ctx, enquiry, kilometres)),
    count: page.count,
    countsUpTo: page.countsUpTo,
    next: page.next && encodeCursor(LIST, { value: `${page.next.rank}:${page.next.createdMs}`, id: page.next.id }),
    isFirstPage: chosen.filters.after === null,
    chosen: {
      kind: chosen.kind,
      district: chosen.filters.district ?? '',
      near: chosen.near,
      within: chosen.withinKm,
      state: chosen.filters.state ?? '',
    },
    place: near && shownPlace(near, ctx.locale),
    isPlaceUnknown: chosen.near !== '' && near === null,
    kinds: categoryTypes.map((type) => ({
      id: type.id,
      name: type[ctx.locale],
      categories: categories
        .filter(({ typeId }) => typeId === type.id)
        .map((category) => ({ id: category.id, name: category[ctx.locale] })),
    })),
    districts: districts.map((district) => ({ id: district.en, name: district[ctx.locale] })),
    radii: [...radii],
  }
})

/** Ignores unreadable filters, so that a link truncated in a chat still shows the board. */
function choicesIn(query: URLSearchParams, isAdmin: boolean) {
  const kind = query.get('kind') ?? ''
  const type = categoryTypes.find(({ id }) => kind === `t${id}`)
  const category = categories.find(({ id }) => kind === `c${id}`)
  const district = districts.find(({ en }) => en === query.get('district'))
  const within = radii.find((km) => String(km) === query.get('within'))
  const cursor = decodeCursor(query.get('after'), LIST, /^[01]:\d{1,14}$/)
  const [rank = 0, createdMs = 0] = cursor?.value.split(':').map(Number) ?? []
  const filters: Omit<WantedFilters, 'near'> = {
    categoryTypeId: type?.id ?? null,
    categoryId: category?.id ?? null,
    district: district?.en ?? null,
    state: isAdmin ? (WANTED_STATES.find((state) => state === query.get('state')) ?? null) : null,
    after: cursor && { rank, createdMs, id: cursor.id },
  }
  const near = [...(query.get('near') ?? '').trim()].slice(0, LONGEST_PLACE).join('')
  return { filters, kind: type || category ? kind : '', near, withinKm: within ?? WITHIN_KM }
}

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/view-requirements',
        title: m.frame_wanted(),
        description: m.wanted_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: loaderData.kind === 'list',
      })
    : []

export default function WantedPage({ loaderData }: Route.ComponentProps) {
  return <WantedView page={loaderData} />
}

export type WantedPageData = Route.ComponentProps['loaderData']
