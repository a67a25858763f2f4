import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { EnquiryCards, NoEnquiries } from './enquiry-list.tsx'
import type { WantedPageData } from './wanted-page.tsx'

type ListPage = Extract<WantedPageData, { kind: 'list' }>

export function WantedView({ page }: { page: WantedPageData }) {
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
  const address = (after: string | null) => {
    const query = new URLSearchParams()
    for (const name of ['kind', 'district', 'near', 'state'] as const) if (chosen[name]) query.set(name, chosen[name])
    if (chosen.near) query.set('within', String(chosen.within))
    if (after) query.set('after', after)
    return to(`/view-requirements${query.size > 0 ? `?${query}` : ''}`)
  }
  return (
    <>
      <Filters page={page} isFiltered={isFiltered} />
      {page.isPlaceUnknown && (
        <p role="alert" className="rounded-control bg-brick-soft p-3 font-semibold text-brick">
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

/** A plain form, collapsed while no filter is set: its result is an address that can be shared. */
function Filters({ page, isFiltered }: { page: ListPage; isFiltered: boolean }) {
  const to = useLocalPath()
  const { chosen } = page
  return (
    <details open={isFiltered || undefined} className="panel">
      <summary className="flex min-h-12 list-none items-center gap-2 px-4 font-semibold text-leaf [&::-webkit-details-marker]:hidden">
        <Icon name="filter" size={20} />
        {m.list_filter_options()}
      </summary>
      <form
        method="get"
        action={to('/view-requirements')}
        className={`grid items-end gap-3 p-4 pt-0 sm:grid-cols-2 ${page.isAdmin ? 'lg:grid-cols-3' : 'lg:grid-cols-[1fr_1fr_1.3fr_auto]'}`}
      >
        <div className="min-w-0">
          <label htmlFor="wanted-kind" className="label">
            {m.wanted_kind()}
          </label>
          <select id="wanted-kind" name="kind" defaultValue={chosen.kind} className="field">
            <option value="">{m.wanted_all()}</option>
            {page.kinds.map((type) => (
              <optgroup key={type.id} label={type.name}>
                <option value={`t${type.id}`}>{m.wanted_all_of({ type: type.name })}</option>
                {type.categories.map((category) => (
                  <option key={category.id} value={`c${category.id}`}>
                    {category.name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <div className="min-w-0">
          <label htmlFor="wanted-district" className="label">
            {m.address_district()}
          </label>
          <select id="wanted-district" name="district" defaultValue={chosen.district} className="field">
            <option value="">{m.wanted_all()}</option>
            {page.districts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div className="grid min-w-0 grid-cols-[1fr_auto] items-end gap-2">
          <div className="min-w-0">
            <label htmlFor="wanted-near" className="label">
              {m.wanted_near_label()}
            </label>
            <input
              id="wanted-near"
              name="near"
              defaultValue={chosen.near}
              maxLength={80}
              autoComplete="postal-code"
              placeholder="641001"
              className="field"
            />
          </div>
          <select name="within" aria-label={m.wanted_within()} defaultValue={chosen.within} className="field w-auto">
            {page.radii.map((km) => (
              <option key={km} value={km}>
                {m.card_km({ km })}
              </option>
            ))}
          </select>
        </div>
        {page.isAdmin && (
          <div className="min-w-0">
            <label htmlFor="wanted-state" className="label">
              {m.wanted_state()}
            </label>
            <select id="wanted-state" name="state" defaultValue={chosen.state} className="field">
              <option value="">{m.wanted_all()}</option>
              {Object.entries(stateTexts).map(([state, text]) => (
                <option key={state} value={state}>
                  {text()}
                </option>
              ))}
            </select>
          </div>
        )}
        <button type="submit" className="button-plain">
          {m.wanted_show()}
        </button>
      </form>
    </details>
  )
}
