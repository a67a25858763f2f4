import { searchText } from '#src/kit/text/plain-text.ts'
import { internalTypes, userTypes } from '#src/accounts/reference-data.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { USERS_PER_PAGE } from '#src/accounts/people/users.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { HiddenFields } from '#src/ui/post-form.tsx'
import { readPageNumber, readSort, sortText, tableAddress } from '#src/ui/desk-query.ts'
import { Tick } from '#src/ui/choice.tsx'
import { DeskFilter, FilterSelect } from '#src/ui/desk-filter.tsx'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Select } from '#src/ui/select.tsx'
import { countUserViews, readUserTable, userSorts, userViews, type TableUser, type UserView } from './user-table.server.ts'
import { bulkActs, bulkActTexts } from './bulk/bulk-acts.ts'
import type { Route } from './+types/users-page'

export const loader = pageLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const text = searchText(query.get('q') ?? '', 80)
  const typeId = userTypes.find((type) => String(type.id) === query.get('type'))?.id ?? null
  const view: UserView = userViews.find((name) => name === query.get('show')) ?? 'all'
  const sort = readSort(query.get('sort'), userSorts, { by: 'registered', isDown: true })
  const page = readPageNumber(query.get('page'))
  const { users, found } = await readUserTable(ctx, { text, typeId, view, sort, page })
  return {
    users: users.map((user) => shown(ctx, user)),
    found,
    perPage: USERS_PER_PAGE,
    page,
    text,
    typeId,
    view,
    sort,
    counts: await countUserViews(ctx),
    /** Ticked before an act on several, whose page links back here. */
    ticked: query.getAll('ids').map(Number),
    types: userTypes.filter(({ id }) => id > 0).map((type) => ({ id: type.id, name: type[ctx.locale] })),
  }
})

/** The list masks phone numbers; the person's own page shows the whole number and records the view. */
function shown(ctx: Ctx, { registeredAt, seenAt, ...user }: TableUser) {
  const typeName = (id: number | null) => userTypes.find((type) => type.id === id)?.[ctx.locale] ?? null
  return {
    ...user,
    phone: maskPhone(user.phone),
    type: typeName(user.typeId) ?? '',
    requested: typeName(user.requestedTypeId),
    internal: internalTypes.find((type) => type.id === user.internalType)?.[ctx.locale] ?? null,
    isVetWaiting: user.typeId === 5 && !user.vetApproved,
    since: formatDay(registeredAt, ctx.locale),
    seen: seenAt && formatDaysAgo(seenAt, ctx.now, ctx.locale),
  }
}

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.menu_users(), description: m.users_lead() }))

type UsersData = Route.ComponentProps['loaderData']
type User = UsersData['users'][number]

/** In the order of the tabs; views of waiting people come last. */
const viewTexts: Record<UserView, () => string> = {
  all: m.users_filter_all,
  requests: m.users_filter_requests,
  vets: m.users_filter_vets,
  unverified: m.users_filter_unverified,
  reported: m.users_filter_reported,
  new: m.users_filter_new,
  admins: m.users_filter_admins,
  inactive: m.users_filter_inactive,
}

export default function UsersPage({ loaderData: data }: Route.ComponentProps) {
  const to = useLocalPath()
  const { users, found, text, typeId, view, sort, page } = data
  const address = (changes: Record<string, string | number | null>) =>
    to(tableAddress('/admin/users', { q: text, type: typeId, show: view === 'all' ? null : view, sort: sortText(sort), ...changes }))
  const pageAddress = (number: number) => address({ page: number })
  const pages = <TablePages page={page} perPage={data.perPage} count={found} pageAddress={pageAddress} />
  return (
    <div className="group/chosen space-y-2">
      <div className="row gap-x-4 gap-y-2">
        <h1 className="text-2xl md:text-xl">{m.menu_users()}</h1>
        <Search {...data} />
      </div>
      <TableViews
        views={(Object.keys(viewTexts) as UserView[]).map((name) => ({
          name: viewTexts[name](),
          address: address({ q: null, type: null, show: name === 'all' ? null : name }),
          isHere: name === view,
          count: data.counts[name],
        }))}
      />
      {users.length === 0 && (
        <p className="panel p-4">
          {m.users_none()}{' '}
          <a href={to('/admin/users')} className="link font-semibold">
            {m.users_show_all()}
          </a>
        </p>
      )}
      {users.length === 0 ? (
        pages
      ) : (
        <DeskTable
          caption={m.menu_users()}
          columns={columns()}
          rows={users}
          keyOf={({ id }) => id}
          lead={(user) => <Box user={user} isTicked={data.ticked.includes(user.id)} />}
          addressOf={({ id }) => to(`/admin/users/${id}`)}
          sort={sort}
          sortAddress={(by) => address({ sort: by })}
          foot={
            <>
              <BulkBar {...data} />
              {pages}
            </>
          }
        />
      )}
    </div>
  )
}

const BULK_FORM = 'users-bulk'

const Box = ({ user, isTicked }: { user: User; isTicked: boolean }) => (
  <label className="grid size-11 place-items-center md:size-8 pointer-coarse:md:size-11">
    <span className="sr-only">{m.users_bulk_choose({ name: user.name })}</span>
    <Tick type="checkbox" name="ids" value={user.id} form={BULK_FORM} defaultChecked={isTicked} />
  </label>
)

/** The act on the ticked people. It leads to the preview, and appears once somebody is ticked. */
function BulkBar({ text, typeId, view, sort, page }: UsersData) {
  const to = useLocalPath()
  return (
    <form
      id={BULK_FORM}
      method="get"
      action={to('/admin/users/bulk')}
      className="row gap-2 group-not-has-[input[name=ids]:checked]/chosen:hidden"
    >
      <HiddenFields q={text} type={typeId ?? ''} show={view} sort={sortText(sort)} page={page} />
      <label htmlFor="users-bulk-act" className="text-sm font-semibold">
        {m.users_bulk()}
      </label>
      <Select id="users-bulk-act" name="act" className="max-w-60">
        {bulkActs.map((act) => (
          <option key={act} value={act}>
            {bulkActTexts[act]()}
          </option>
        ))}
      </Select>
      <button type="submit" className="button-plain">
        {m.users_bulk_look()}
      </button>
    </form>
  )
}

const columns = (): Column<User>[] => [
  { id: 'name', label: m.profile_name(), sorts: 'up', width: 'md:w-1/4', cell: ({ name }) => name },
  { id: 'phone', label: m.profile_phone(), onCard: 'bare', cell: Phone },
  { id: 'type', label: m.profile_type(), sorts: 'up', width: 'md:w-1/3', onCard: 'bare', cell: Type },
  { id: 'seen', label: m.users_last_seen(), sorts: 'down', from: 'xl', cell: ({ seen }) => seen },
  { id: 'listings', label: m.users_listings(), sorts: 'down', isNumber: true, cell: ({ listings }) => listings },
  { id: 'orders', label: m.users_orders(), sorts: 'down', isNumber: true, cell: ({ orders }) => orders },
  {
    id: 'reports',
    label: m.users_reports(),
    sorts: 'down',
    isNumber: true,
    cell: ({ reports, openReports }) => reports && <Reports count={reports} open={openReports} />,
  },
  {
    id: 'registered',
    label: m.users_since(),
    sorts: 'down',
    from: 'xl',
    onCard: 'never',
    cell: ({ since }) => since,
  },
]

const Phone = ({ id, phone }: User) => (
  <>
    <span className="whitespace-nowrap">{phone}</span> <span className="text-stone">#{id}</span>
  </>
)

/** The state comes first, where the column never clips it. */
function Type(user: User) {
  return (
    <>
      <span className="inline-flex flex-wrap gap-1 empty:hidden md:flex-nowrap">
        {user.requested && <span className="chip-heed">{m.users_asks({ type: user.requested })}</span>}
        {!user.isActive && <span className="chip-bad">{m.users_inactive()}</span>}
        {user.isVetWaiting && <span className="chip-heed">{m.users_vet_waiting_short()}</span>}
        {user.isVerified && (
          <span className="sign-badge inline-flex items-center text-leaf" title={m.card_verified_seller()}>
            <span className="sr-only">{m.card_verified_seller()}</span>
          </span>
        )}
      </span>{' '}
      {[user.type, user.internal].filter(Boolean).join(' · ')}
    </>
  )
}

const Reports = ({ count, open }: { count: number; open: number }) => (
  <>
    {count}
    {open > 0 && <span className="chip-bad ml-1">{m.users_open_reports({ count: open })}</span>}
  </>
)

function Search({ text, typeId, types, view, sort }: UsersData) {
  const to = useLocalPath()
  return (
    <DeskFilter action={to('/admin/users')} label={m.users_search()} find={m.users_find()} text={text}>
      <FilterSelect name="type" label={m.profile_type()} none={m.users_any_type()} options={types} defaultValue={typeId ?? ''} />
      <HiddenFields show={view === 'all' ? undefined : view} sort={sortText(sort)} />
    </DeskFilter>
  )
}
