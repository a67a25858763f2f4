import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import { mayNot } from '#src/accounts/policy.ts'
import { formHeaders, formLoader, pageAction, type FormRefusal } from '#src/kit/http/page.server.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { parseId } from '#src/kit/ids.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { FormDone } from '#src/ui/form-failure.tsx'
import { FilterForm } from '#src/ui/desk-filter.tsx'
import { Field } from '#src/ui/field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { can } from './policy.ts'
import { DESK_PAGE_SIZE, readDesk, type Desk } from './vet-desk-view.server.ts'
import { VetAct } from './vet-desk.tsx'
import { DeskMap } from './desk-map.tsx'
import { useForgetCheckDraft } from './check-draft.ts'
import { OwnChecksTable } from './own-checks-table.tsx'
import { takeEach, type TakeEnd } from './taking.server.ts'
import { AnimalRow } from './vet-desk-row.tsx'
import { Rows, TakeableRows } from './vet-desk-rows.tsx'
import type { Route } from './+types/vet-desk-page'

/** The vets' desk. Admins may open it; a vet without approval sees their status. */
export const loader = formLoader(async (ctx, { url }) => {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, 'open-vet-desk')) throw mayNot(viewer, 'vet')
  const isReady = !can(viewer, 'be-vet') || can(viewer, 'vet')
  return { desk: isReady ? await readDesk(ctx, url.searchParams) : null }
})

export const action = pageAction('vet-desk', async (ctx, { form }): Promise<TakeEnd[]> => {
  const ids = [...new Set(form.getAll('ids').flatMap((id) => parseId(String(id)) ?? []))]
  if (ids.length === 0) throw invalidField('ids', 'field_desk_none')
  return takeEach(ctx, ids.slice(0, DESK_PAGE_SIZE))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.menu_checkup(), description: m.vet_desk_lead() }))

export default function VetDeskPage({ loaderData: { desk }, actionData }: Route.ComponentProps) {
  return desk ? <VetDeskView desk={desk} refused={actionData?.refused} ends={actionData?.done} /> : <DeskWaiting />
}

interface ViewProps {
  desk: Desk
  refused: FormRefusal | undefined
  ends: TakeEnd[] | undefined
}

/** For a vet whose registration an admin has not checked yet. */
function DeskWaiting() {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-xl py-2">
      <h1 className="text-2xl">{m.menu_checkup()}</h1>
      <p className="panel mt-4 p-4">{m.vet_waiting_text()}</p>
      <a href={to('/buy/0')} className="button-plain mt-4">
        {m.verify_queue_empty_buy()}
      </a>
    </div>
  )
}

function VetDeskView({ desk, refused, ends }: ViewProps) {
  const to = useLocalPath()
  const { saved, route } = desk
  // If the vet has taken the animal again, the draft belongs to a new check, so keep it.
  useForgetCheckDraft(route.stops.some(({ id }) => id === saved) ? null : saved)
  return (
    <div className="space-y-5 py-2">
      {desk.ownChecks ? <h1 className="text-2xl">{m.menu_checkup()}</h1> : <DeskTitle>{m.menu_checkup()}</DeskTitle>}
      {saved !== null && <FormDone>{m.vet_saved()}</FormDone>}
      {desk.full && (
        <p role="alert" className="failure">
          {desk.full === 'day' ? m.vet_day_full({ count: desk.maxChecks }) : m.vet_full()}
        </p>
      )}
      {route.stops.length > 0 && <DayRoute desk={desk} isOpen={!ends && !refused} />}
      <div className="grid items-start gap-4 xl:has-[>details]:grid-cols-[1fr_18rem]">
        <div className="space-y-4">
          <Tabs desk={desk} />
          {!desk.ownChecks && <Filters desk={desk} />}
          {!desk.ownChecks && <ListHead desk={desk} />}
        </div>
        {desk.map && <DeskMap map={desk.map} />}
      </div>
      {desk.ownChecks ? (
        <OwnChecksTable checks={desk.ownChecks} pageAddress={(page) => to(`/vet-verify?tab=own&page=${page}`)} />
      ) : (
        <Animals desk={desk} refused={refused} ends={ends} />
      )}
    </div>
  )
}

/** The desk's URL with the current filters and some changes; null removes a filter. */
const pathOf = (desk: Desk, changes: Record<string, string | null> = {}): string =>
  tableAddress('/vet-verify', {
    tab: desk.isComplete ? 'completed' : null,
    district: desk.district,
    pincode: desk.typed,
    sort: desk.isComplete || desk.isByDistance || !desk.hasPlace ? null : 'longest',
    ...changes,
  })

function Tabs({ desk }: { desk: Desk }) {
  const to = useLocalPath()
  const tabs = [
    { tab: 'completed', text: m.vet_tab_completed(), isHere: desk.isComplete },
    { tab: null, text: m.vet_tab_pending(), isHere: !desk.isComplete && !desk.ownChecks },
    ...(desk.isVet ? [{ tab: 'own', text: m.vet_tab_own(), isHere: desk.ownChecks !== null }] : []),
  ]
  return (
    <nav aria-label={m.menu_checkup()} className="flex flex-wrap border-b-2 border-line">
      {tabs.map(({ tab, text, isHere }) => (
        <a
          key={text}
          href={to(pathOf(desk, { tab, sort: null }))}
          aria-current={isHere ? 'page' : undefined}
          className="-mb-0.5 flex min-h-14 items-center justify-center border-b-4 border-transparent px-1 py-2 text-center leading-tight font-semibold max-sm:grow max-sm:basis-0 max-sm:text-sm sm:px-4 text-stone aria-[current]:border-leaf aria-[current]:text-leaf"
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

function ListHead({ desk }: { desk: Desk }) {
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="desk-list" className="text-xl">
          {desk.isComplete ? m.vet_completed_title() : m.vet_tab_pending()}
        </h2>
        {desk.found > 0 && (
          <p className="font-semibold text-stone">
            {desk.foundMore
              ? m.vet_found_more({ count: desk.found })
              : desk.found === 1
                ? m.vet_found_one()
                : m.vet_found({ count: desk.found })}
          </p>
        )}
      </div>
      {desk.from && desk.isByDistance && <p className="text-stone">{m.vet_from({ place: desk.from })}</p>}
    </div>
  )
}

function Animals({ desk, refused, ends }: ViewProps) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="desk-list" className="space-y-3">
      {desk.cards.length === 0 && (
        <p className="panel p-4">
          {desk.isComplete ? m.vet_empty_completed() : m.vet_empty_pending()}{' '}
          {desk.district !== null && (
            <a href={to(pathOf(desk, { district: null }))} className="tap-link font-semibold">
              {m.vet_all_districts()}
            </a>
          )}
        </p>
      )}
      {desk.isVet && !desk.isComplete ? <TakeableRows cards={desk.cards} refused={refused} ends={ends} /> : <Rows cards={desk.cards} />}
      <Pages desk={desk} />
    </section>
  )
}

function Pages({ desk }: { desk: Desk }) {
  const to = useLocalPath()
  return (
    <nav aria-label={m.users_pages()} className="flex flex-wrap gap-2">
      {!desk.isFirstPage && (
        <a href={to(pathOf(desk))} className="button-plain">
          {m.own_first_page()}
        </a>
      )}
      {desk.next !== null && (
        <a href={to(pathOf(desk, { after: desk.next }))} className="button-plain">
          {m.vet_more()}
        </a>
      )}
    </nav>
  )
}

/** The vet's day route, at the top because holds expire. Folded after a taking, so that the list stays in sight. */
function DayRoute({ desk, isOpen }: { desk: Desk; isOpen: boolean }) {
  const { stops, kilometres, maps } = desk.route
  return (
    <section aria-labelledby="desk-held" className="space-y-3">
      <details open={isOpen} className="space-y-3">
        <summary className="cursor-pointer py-2">
          <h2 id="desk-held" className="inline text-xl">
            {m.vet_held({ count: stops.length, max: desk.maxHolds })}
          </h2>
        </summary>
        <div className="row justify-between gap-x-4 gap-y-2">
          <p className="text-stone">
            {desk.from && desk.hasPlace ? m.vet_route({ place: desk.from, km: kilometres }) : m.vet_route_no_start()}
          </p>
          {maps.map(({ stops, address }) => (
            <a key={stops} href={address} target="_blank" rel="noopener noreferrer" className="button-plain">
              {m.vet_route_map({ stops })}
            </a>
          ))}
        </div>
        <ol className="panel divide-y divide-line">
          {stops.map((stop, n) => (
            <li key={stop.id}>
              <Stop stop={stop} n={n} />
            </li>
          ))}
        </ol>
      </details>
    </section>
  )
}

function Stop({ stop: { id, card, kilometres }, n }: { stop: Desk['route']['stops'][number]; n: number }) {
  const to = useLocalPath()
  const release = <VetAct listingId={id} act="give" text={m.vet_give_back()} from="desk" />
  if (!card)
    return (
      <div className="row gap-3 p-2">
        <p>{m.vet_gone({ id })}</p>
        {release}
      </div>
    )
  const hours = card.hold?.hoursLeft ?? 0
  const left = hours > 1 ? m.vet_hours_left({ count: hours }) : m.vet_hour_left()
  return (
    <AnimalRow
      card={card}
      lead={<b className="chip bg-leaf text-white tabular-nums">{n + 1}</b>}
      note={[legText(n, kilometres), left].filter(Boolean).join(' · ')}
    >
      <div className="col-span-3 row gap-2 pb-1 max-md:order-last md:col-start-2 [&_:is(a,button)]:px-3 [&_:is(a,button)]:text-sm">
        {card.pickup && (
          <a href={`tel:${card.pickup.phone}`} className="button-plain">
            {phoneText(card.pickup.phone)}
          </a>
        )}
        <a href={to(`/vet-verify/${id}`)} className="button-primary">
          {m.vet_enter()}
        </a>
        {release}
      </div>
    </AnimalRow>
  )
}

/** Places are known by PIN code only, so the distance within one is unknown. */
function legText(n: number, kilometres: number | null): string | null {
  if (kilometres === null) return null
  if (kilometres === 0) return n === 0 ? m.vet_leg_at_start() : m.vet_leg_same()
  return n === 0 ? m.vet_leg_first({ km: kilometres }) : m.vet_leg({ km: kilometres })
}

/** One line on a phone until somebody opens it; always open on a wider screen. */
function Filters({ desk }: { desk: Desk }) {
  const to = useLocalPath()
  const { isComplete, hasPlace, isByDistance } = desk
  const on = [desk.district, !isComplete && desk.typed, !isComplete && hasPlace && !isByDistance].filter(Boolean).length
  return (
    <details open={desk.isUnknownPincode || undefined} className="panel sm:unfolded">
      <summary className="fold-filters">
        <Icon name="filter" size={20} />
        {m.list_filter_options()}
        {on > 0 && <span className="chip-heed">{on}</span>}
      </summary>
      <FilterForm
        reloadDocument
        action={to('/vet-verify')}
        className="grid items-start gap-2 p-4 sm:grid-cols-2 lg:grid-cols-[auto_1fr_13rem_auto]"
      >
        {isComplete && <input type="hidden" name="tab" value="completed" />}
        <SelectField
          id="desk-district"
          name="district"
          label={m.vet_district()}
          none={m.vet_all_districts()}
          options={desk.districts}
          defaultValue={desk.district ?? ''}
        />
        {!isComplete && (
          <>
            <Field
              id="desk-pincode"
              name="pincode"
              inputMode="numeric"
              autoComplete="postal-code"
              maxLength={60}
              label={m.vet_pincode()}
              defaultValue={desk.typed}
              placeholder={desk.from?.slice(0, 6)}
              error={desk.isUnknownPincode ? m.product_delivery_unknown() : undefined}
            />
            <SelectField
              id="desk-sort"
              name="sort"
              label={m.vet_sort()}
              none={m.vet_sort_nearest()}
              options={[{ id: 'longest', name: m.vet_sort_longest() }]}
              defaultValue={isByDistance ? '' : 'longest'}
            />
          </>
        )}
        <button type="submit" className="button-primary hidden sm:mt-6.5 lg:justify-self-start noscript:inline-flex">
          {m.vet_show()}
        </button>
      </FilterForm>
    </details>
  )
}
