import { redirect } from 'react-router'
import { z } from 'zod'
import { anyPassword } from '#src/accounts/schemas.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { afterRefusalToo } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { textLine } from '#src/kit/text/text.ts'
import { m } from '#src/paraglide/messages.js'
import { tableAddress, sortText } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { DeskTable, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { FilterForm } from '#src/ui/desk-filter.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { deliveryReasons } from './delivery-reasons.ts'
import { changeDelivery } from './delivery.server.ts'
import { DistrictView } from './district.tsx'
import { readPlaces, type PlacesData } from './places-view.server.ts'
import { DeliveryChanges } from './delivery-changes.tsx'
import type { Route } from './+types/places-page'

export const loader = formLoader(readPlaces)

const LONGEST_NAME = 80
const names = z.array(textLine(LONGEST_NAME))
const change = z.object({
  reason: z.enum(deliveryReasons, 'field_places_reason'),
  taluks: names,
  pincodes: names,
  password: anyPassword.or(z.literal('').transform(() => undefined)),
})

export const action = pageAction('places', async (ctx, { form }): Promise<never> => {
  const typed = {
    reason: textOf(form, 'reason'),
    taluks: form.getAll('taluk'),
    pincodes: form.getAll('pincode'),
    password: textOf(form, 'password'),
  }
  const { reason, password, ...some } = parseInput(change, typed)
  const district = textOf(form, 'district')
  const done = await changeDelivery(ctx, district, {
    chosen: { isAll: form.has('all'), ...some },
    isDeliverable: textOf(form, 'act') === 'open',
    reason,
    password,
    seen: form.has('seen') ? Number(textOf(form, 'seen')) : null,
  })
  throw redirect(localized(tableAddress('/admin/places', { district, done }), ctx.locale))
})

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: page.district ? `${page.district.name} · ${m.places_title()}` : m.places_title(),
  description: m.places_lead(),
}))

export default function PlacesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { overview, district, ...page } = loaderData
  if (district) return <DistrictView {...page} district={district} refused={actionData?.refused} />
  return overview && <PlacesView {...page} overview={overview} />
}

type Overview = NonNullable<PlacesData['overview']>
type Row = Overview['rows'][number]

function PlacesView({ overview, changes }: Pick<PlacesData, 'changes'> & { overview: Overview }) {
  const to = useLocalPath()
  const { state, states, rows, sort, map } = overview
  const sum = (pick: (row: Row) => number) => rows.reduce((all, row) => all + pick(row), 0)
  const addressOf = ({ key }: { key: string }) => to(tableAddress('/admin/places', { district: key }))
  const sortAddress = (by: string) => to(tableAddress('/admin/places', { state: state.id, sort: by }))
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.places_title()}</h1>
      <FilterForm action={to('/admin/places')} className="flex flex-wrap items-end gap-3">
        <input type="hidden" name="sort" value={sortText(sort)} />
        <SelectField id="places-state" name="state" label={m.address_state()} options={states} defaultValue={state.id} key={state.id} />
        <button type="submit" className="button-plain hidden noscript:inline-flex">
          {m.places_show()}
        </button>
      </FilterForm>
      <p className="font-semibold">
        {m.places_of({ place: state.name, deliverable: sum((row) => row.deliverable), pincodes: sum((row) => row.pincodes) })}
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_24rem] xl:grid-rows-[auto_1fr]">
        {map && (
          <div className="xl:col-start-2">
            <DeliveryMap map={map} addressOf={addressOf} />
          </div>
        )}
        <div className="xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <DeskTable
            caption={state.name}
            columns={columns()}
            rows={rows}
            keyOf={({ key }) => key}
            addressOf={addressOf}
            sort={sort}
            sortAddress={sortAddress}
          />
        </div>
        <div className="xl:col-start-2">
          <DeliveryChanges changes={changes} />
        </div>
      </div>
    </div>
  )
}

const columns = (): Column<Row>[] => [
  { id: 'name', label: m.address_district(), sorts: 'up', cell: ({ name }) => name },
  { id: 'pincodes', label: m.places_pincodes(), sorts: 'down', isNumber: true, cell: ({ pincodes }) => pincodes },
  { id: 'deliverable', label: m.places_deliverable(), isNumber: true, cell: ({ deliverable }) => deliverable },
  {
    id: 'closed',
    label: m.places_closed(),
    sorts: 'down',
    isNumber: true,
    cell: ({ closed }) => (closed === 0 ? 0 : <span className="chip-bad">{closed}</span>),
  },
]

const shades = { all: 'fill-leaf', some: 'fill-turmeric', none: 'fill-brick' }
const shadeOf = ({ closed, deliverable }: Row) => (closed === 0 ? 'all' : deliverable === 0 ? 'none' : 'some')

/** A faint dot for every PIN code of Tamil Nadu, and a larger one for each district, which links to its PIN codes. */
function DeliveryMap({ map, addressOf }: { map: NonNullable<Overview['map']>; addressOf: (row: Row) => string }) {
  return (
    <TitledPanel id="places-map" title={m.places_map()}>
      <svg viewBox="0 0 180 230" className="mx-auto mt-2 w-full max-w-96" role="group" aria-labelledby="places-map">
        <path d={map.ground} className="stroke-line" strokeWidth="2" strokeLinecap="round" aria-hidden="true" />
        {map.dots.map((dot) => {
          const text = m.places_of({ place: dot.name, deliverable: dot.deliverable, pincodes: dot.pincodes })
          return (
            <a key={dot.key} href={addressOf(dot)} aria-label={text}>
              <title>{text}</title>
              <circle cx={dot.x} cy={dot.y} r="6" fillOpacity="0" />
              <circle cx={dot.x} cy={dot.y} r="3.5" className={shades[shadeOf(dot)]} />
            </a>
          )
        })}
      </svg>
      <ul className="mt-2 flex flex-wrap gap-x-4 text-sm">
        {(['all', 'some', 'none'] as const).map((shade) => (
          <li key={shade} className="row gap-2">
            <svg viewBox="0 0 10 10" className="size-3" aria-hidden="true">
              <circle cx="5" cy="5" r="5" className={shades[shade]} />
            </svg>
            {{ all: m.places_all_open(), some: m.places_some_open(), none: m.places_none_open() }[shade]}
          </li>
        ))}
      </ul>
    </TitledPanel>
  )
}
