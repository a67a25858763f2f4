import { shownPlace, findPlace } from '#src/addresses/places.server.ts'
import { districts } from '#src/accounts/reference-data.ts'
import { can } from '#src/accounts/policy.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { decodeCursor, encodeCursor } from '#src/kit/http/pagination.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { categories, categoryTypes } from '#src/listings/reference/reference-data.ts'
import { radii } from '#src/listings/browse/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { Field } from '#src/ui/field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Select } from '#src/ui/select.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { shownEnquiry } from './enquiry-view.server.ts'
import { countOpen, listWanted, WANTED_STATES, type WantedFilters } from './queries.server.ts'
import { EnquiryCards, NoEnquiries } from './enquiry-list.tsx'
import type { Route } from './+types/wanted-page'

const WITHIN_KM = 100
const LONGEST_PLACE = 80
const LIST = 'wanted'

/** 'Wanted' of B §2: an anonymous visitor sees only the number of open enquiries. */
export const loader = pageLoader(async (ctx, { url }) => {
  if (!ctx.viewer) return { kind: 'logged-out' as const, count: await countOpen(ctx) }
  const isAdmin = can(ctx.viewer, 'operate')
  const chosen = choicesIn(url.searchParams, isAdmin)
  const near = chosen.near === '' ? null : findPlace(chosen.near)
  const page = await listWanted(ctx, { ...chosen.filters, near: near && { point: near, withinKm: chosen.withinKm } })
  if (isAdmin) await audit(ctx, 'sensitive_read', 'enquiries:all', { what: 'contacts' })
  return {
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

export const meta = publicMeta<Route.MetaArgs>(({ kind }) => ({
  path: '/view-requirements',
  title: m.frame_wanted(),
  description: m.wanted_lead(),
  keywords: import.meta.env.SSR && m.home_keywords(),
  noIndex: kind === 'list',
}))

type ListPage = Extract<Route.ComponentProps['loaderData'], { kind: 'list' }>

export default function WantedPage({ loaderData: page }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="space-y-4 py-2">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 space-y-2">
          <h1 className="text-2xl">{m.frame_wanted()}</h1>
          <p className="text-stone">{m.wanted_lead()}</p>
        </div>
        <a href={to('/add-enquiry')} className="button-primary">
          {m.enquiry_add_title()}
        </a>
      </div>
      {page.kind === 'logged-out' ? (
        <>
          <p className="panel p-5 text-center text-xl font-bold">
            {page.count === 1 ? m.wanted_open_one() : m.wanted_open({ count: page.count.toLocaleString('en-IN') })}
          </p>
          <LoggedOut path="/view-requirements" text={m.wanted_login()} />
        </>
      ) : (
        <List page={page} />
      )}
    </div>
  )
}

function List({ page }: { page: ListPage }) {
  const to = useLocalPath()
  const { chosen } = page
  const isFiltered = chosen.kind !== '' || chosen.district !== '' || chosen.near !== '' || chosen.state !== ''
  const { kind, district, near, state, within } = chosen
  const address = (after: string | null) =>
    to(tableAddress('/view-requirements', { kind, district, near, state, within: near ? within : null, after }))
  return (
    <>
      <Filters page={page} isFiltered={isFiltered} />
      {page.isPlaceUnknown && (
        <p role="alert" className="failure">
          {m.wanted_place_unknown({ place: chosen.near })}
        </p>
      )}
      {page.enquiries.length === 0 ? (
        <NoEnquiries showAll={isFiltered || !page.isFirstPage ? '/view-requirements' : null} />
      ) : (
        <>
          <p role="status" className="text-stone">
            {page.count === 1 ? m.wanted_found_one() : m.wanted_found({ count: countText(page) })}
            {page.place && ` · ${m.wanted_near({ place: page.place, km: chosen.within })}`}
          </p>
          <EnquiryCards enquiries={page.enquiries} first={page.isFirstPage ? null : address(null)} next={page.next && address(page.next)} />
        </>
      )}
    </>
  )
}

const countText = ({ count, countsUpTo }: ListPage) => `${count.toLocaleString('en-IN')}${count >= countsUpTo ? '+' : ''}`

const stateTexts = {
  pending: m.wanted_pending,
  open: m.wanted_state_open,
  refused: m.wanted_not_verified,
  over: m.wanted_state_over,
}

/** A plain form, collapsed while no filter is set: its result is an address that people can share. */
function Filters({ page, isFiltered }: { page: ListPage; isFiltered: boolean }) {
  const to = useLocalPath()
  const { chosen } = page
  return (
    <details open={isFiltered || undefined} className="panel">
      <summary className="fold-filters">
        <Icon name="filter" size={20} />
        {m.list_filter_options()}
      </summary>
      <form
        method="get"
        action={to('/view-requirements')}
        className={`grid items-end gap-3 p-4 pt-0 sm:grid-cols-2 ${page.isAdmin ? 'lg:grid-cols-3' : 'lg:grid-cols-[1fr_1fr_1.3fr_auto]'}`}
      >
        <KindField page={page} />
        <SelectField
          id="wanted-district"
          name="district"
          label={m.address_district()}
          none={m.wanted_all()}
          options={page.districts}
          defaultValue={chosen.district}
        />
        <NearField page={page} />
        {page.isAdmin && (
          <SelectField
            id="wanted-state"
            name="state"
            label={m.wanted_state()}
            none={m.wanted_all()}
            options={Object.entries(stateTexts).map(([id, text]) => ({ id, name: text() }))}
            defaultValue={chosen.state}
          />
        )}
        <button type="submit" className="button-plain">
          {m.wanted_show()}
        </button>
      </form>
    </details>
  )
}

function KindField({ page: { kinds, chosen } }: { page: ListPage }) {
  return (
    <SelectField id="wanted-kind" name="kind" label={m.wanted_kind()} none={m.wanted_all()} defaultValue={chosen.kind}>
      {kinds.map((type) => (
        <optgroup key={type.id} label={type.name}>
          <option value={`t${type.id}`}>{m.wanted_all_of({ type: type.name })}</option>
          {type.categories.map((category) => (
            <option key={category.id} value={`c${category.id}`}>
              {category.name}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

function NearField({ page: { radii, chosen } }: { page: ListPage }) {
  return (
    <div className="grid min-w-0 grid-cols-[1fr_auto] items-end gap-2">
      <Field
        id="wanted-near"
        name="near"
        label={m.wanted_near_label()}
        defaultValue={chosen.near}
        maxLength={80}
        autoComplete="postal-code"
        placeholder="641001"
      />
      <Select name="within" aria-label={m.wanted_within()} defaultValue={chosen.within} className="w-auto">
        {radii.map((km) => (
          <option key={km} value={km}>
            {m.card_km({ km })}
          </option>
        ))}
      </Select>
    </div>
  )
}
