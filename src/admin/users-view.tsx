import { m } from '#src/paraglide/messages.js'
import { sortText, tableAddress } from '#src/ui/desk-query.ts'
import { Tick } from '#src/ui/choice.tsx'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { bulkActs, bulkActTexts } from './bulk/bulk-acts.ts'
import type { UsersData } from './users-page.tsx'
import type { UserView } from './user-table.server.ts'

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

export function UsersView(data: UsersData) {
  const to = useLocalPath()
  const { users, found, text, typeId, view, sort, page } = data
  const address = (changes: Record<string, string | number | null>) =>
    to(tableAddress('/admin/users', { q: text, type: typeId, show: view === 'all' ? null : view, sort: sortText(sort), ...changes }))
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.menu_users()}</h1>
      <TableViews
        views={(Object.keys(viewTexts) as UserView[]).map((name) => ({
          name: viewTexts[name](),
          address: address({ q: null, type: null, show: name === 'all' ? null : name }),
          isHere: name === view,
          count: data.counts[name],
        }))}
      />
      <Search {...data} />
      {users.length === 0 ? (
        <p className="panel p-4">
          {m.users_none()}{' '}
          <a href={to('/admin/users')} className="link font-semibold">
            {m.users_show_all()}
          </a>
        </p>
      ) : (
        <>
          <p className="text-stone">{found === 1 ? m.users_found_one() : m.users_found({ count: found.toLocaleString('en-IN') })}</p>
          <div className="group/chosen space-y-3">
            <DeskTable
              caption={m.menu_users()}
              columns={columns()}
              rows={users}
              keyOf={({ id }) => id}
              lead={(user) => <Box user={user} />}
              addressOf={({ id }) => to(`/admin/users/${id}`)}
              sort={sort}
              sortAddress={(by) => address({ sort: by })}
            />
            <BulkBar />
          </div>
        </>
      )}
      <TablePages page={page} perPage={data.perPage} count={found} pageAddress={(number) => address({ page: number })} />
    </div>
  )
}

const BULK_FORM = 'users-bulk'

const Box = ({ user }: { user: User }) => (
  <label className="grid size-11 place-items-center">
    <span className="sr-only">{m.users_bulk_choose({ name: user.name })}</span>
    <Tick type="checkbox" name="ids" value={user.id} form={BULK_FORM} />
  </label>
)

/** The act on the ticked people. It leads to the preview, and appears once somebody is ticked. */
function BulkBar() {
  const to = useLocalPath()
  return (
    <form
      id={BULK_FORM}
      method="get"
      action={to('/admin/users/bulk')}
      className="panel flex flex-wrap items-end gap-3 p-3 group-has-[input[name=ids]:checked]/chosen:sticky group-has-[input[name=ids]:checked]/chosen:bottom-2"
    >
      <div className="min-w-52 flex-1 sm:max-w-80">
        <SelectField
          id="users-bulk-act"
          name="act"
          label={m.users_bulk()}
          options={bulkActs.map((act) => ({ id: act, name: bulkActTexts[act]() }))}
          defaultValue={bulkActs[0]}
        />
      </div>
      <button type="submit" className="button-plain">
        {m.users_bulk_look()}
      </button>
    </form>
  )
}

const columns = (): Column<User>[] => [
  { id: 'name', label: m.profile_name(), sorts: 'up', cell: ({ name }) => name },
  { id: 'phone', label: m.profile_phone(), onCard: 'bare', cell: ({ id, phone }) => <Phone id={id} phone={phone} /> },
  { id: 'type', label: m.profile_type(), sorts: 'up', onCard: 'bare', cell: (user) => <Type user={user} /> },
  { id: 'seen', label: m.users_last_seen(), sorts: 'down', cell: ({ seen }) => seen },
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
    onCard: 'never',
    cell: ({ since }) => <span className="whitespace-nowrap">{since}</span>,
  },
]

const Phone = ({ id, phone }: { id: number; phone: string }) => (
  <>
    <span className="whitespace-nowrap">{phone}</span> <span className="text-stone md:block">#{id}</span>
  </>
)

function Type({ user }: { user: User }) {
  return (
    <>
      {[user.type, user.internal].filter(Boolean).join(' · ')}{' '}
      <span className="inline-flex flex-wrap gap-1 empty:hidden md:flex">
        {user.requested && <span className="chip-heed">{m.users_asks({ type: user.requested })}</span>}
        {!user.isActive && <span className="chip-bad">{m.users_inactive()}</span>}
        {user.isVetWaiting && <span className="chip-heed">{m.users_vet_waiting_short()}</span>}
        {user.isVerified && <span className="chip-good">{m.card_verified_seller()}</span>}
      </span>
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
  return (
    <form method="get" className="panel grid items-end gap-3 p-4 sm:grid-cols-[2fr_1fr_auto]">
      <Field id="users-q" name="q" type="search" label={m.users_search()} defaultValue={text} maxLength={80} />
      <SelectField
        id="users-type"
        name="type"
        label={m.profile_type()}
        none={m.users_any_type()}
        options={types}
        defaultValue={typeId ?? ''}
      />
      {view !== 'all' && <input type="hidden" name="show" value={view} />}
      <input type="hidden" name="sort" value={sortText(sort)} />
      <button type="submit" className="button-primary">
        {m.users_find()}
      </button>
    </form>
  )
}
