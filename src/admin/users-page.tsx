import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { internalTypes, userTypes } from '#src/accounts/reference-data.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { countWaiting, listUsers, userFilters, type ListedUser, type UserFilter } from '#src/accounts/users.server.ts'
import { countText } from '#src/kit/text/count-text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import type { Route } from './+types/users-page'

const MAX_TEXT = 80

export const loader = pageLoader(async (ctx, { url }) => {
  requireCapability(ctx, url, 'operate')
  const query = url.searchParams
  const text = (query.get('q') ?? '')
    .slice(0, MAX_TEXT)
    .replace(/\p{Cc}/gu, ' ')
    .toWellFormed()
  const typeId = userTypes.find((type) => String(type.id) === query.get('type'))?.id ?? null
  const filter: UserFilter = userFilters.find((name) => name === query.get('show')) ?? 'all'
  const after = query.get('after') ?? ''
  const afterId = /^[1-9]\d{0,14}$/.test(after) ? Number(after) : null
  const { users, found, nextAfterId } = await listUsers(ctx, { text, typeId, filter, afterId })
  return {
    users: users.map((user) => shown(ctx, user)),
    found,
    countsUpTo: COUNT_UP_TO,
    nextAfterId,
    afterId,
    text,
    typeId,
    filter,
    waiting: await countWaiting(ctx),
    types: userTypes.filter(({ id }) => id > 0).map((type) => ({ id: type.id, name: type[ctx.locale] })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

function shown(ctx: Ctx, user: ListedUser) {
  const typeName = (id: number | null) => userTypes.find((type) => type.id === id)?.[ctx.locale] ?? null
  return {
    ...user,
    phone: maskPhone(user.phone),
    type: typeName(user.typeId) ?? '',
    requested: typeName(user.requestedTypeId),
    internal: internalTypes.find((type) => type.id === user.internalType)?.[ctx.locale] ?? null,
    isVetWaiting: user.typeId === 5 && !user.vetApproved,
    since: formatDay(user.createdAt, ctx.locale),
  }
}

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: '/admin/users',
        title: m.menu_users(),
        description: m.users_lead(),
        keywords: import.meta.env.SSR && m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

const filterTexts: Record<UserFilter, (waiting: { requests: number; vets: number }) => string> = {
  all: () => m.users_filter_all(),
  requests: ({ requests }) => m.users_filter_requests({ count: requests }),
  vets: ({ vets }) => m.users_filter_vets({ count: vets }),
  inactive: () => m.users_filter_inactive(),
  unverified: () => m.users_filter_unverified(),
}

type Page = Route.ComponentProps['loaderData']

/** Everybody, the newest first; a phone is whole only on the person's own page, where the view is recorded. */
export default function UsersPage({ loaderData: page }: Route.ComponentProps) {
  const to = useLocalPath()
  const address = (changes: Record<string, string | number | null>) => {
    const query = new URLSearchParams()
    const all = { q: page.text || null, type: page.typeId, show: page.filter === 'all' ? null : page.filter, ...changes }
    for (const [key, value] of Object.entries(all)) if (value !== null) query.set(key, String(value))
    return to(`/admin/users${query.size > 0 ? `?${query}` : ''}`)
  }
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.menu_users()}</h1>
      <Search page={page} />
      {page.waiting.requests + page.waiting.vets > 0 && (
        <p className="flex flex-wrap gap-2">
          {page.waiting.requests > 0 && (
            <a href={address({ q: null, type: null, show: 'requests' })} className="button-plain">
              {filterTexts.requests(page.waiting)}
            </a>
          )}
          {page.waiting.vets > 0 && (
            <a href={address({ q: null, type: null, show: 'vets' })} className="button-plain">
              {filterTexts.vets(page.waiting)}
            </a>
          )}
        </p>
      )}
      {page.users.length === 0 ? (
        <p className="panel p-4">
          {m.users_none()}{' '}
          <a href={to('/admin/users')} className="link font-semibold">
            {m.users_show_all()}
          </a>
        </p>
      ) : (
        <>
          <p className="text-stone">
            {countText(page.found, page.countsUpTo, { one: m.users_found_one, many: m.users_found, more: m.users_found_more })}
          </p>
          <UsersTable users={page.users} />
        </>
      )}
      <nav aria-label={m.users_pages()} className="flex flex-wrap gap-2">
        {page.afterId !== null && (
          <a href={address({ after: null })} className="button-plain">
            {m.users_first_page()}
          </a>
        )}
        {page.nextAfterId !== null && (
          <a href={address({ after: page.nextAfterId })} className="button-plain">
            {m.users_next_page()}
          </a>
        )}
      </nav>
    </div>
  )
}

function Search({ page }: { page: Page }) {
  return (
    <form method="get" className="panel grid items-end gap-3 p-4 md:grid-cols-[2fr_1fr_1fr_auto]">
      <Field id="users-q" name="q" type="search" label={m.users_search()} defaultValue={page.text} maxLength={MAX_TEXT} />
      <SelectField
        id="users-type"
        name="type"
        label={m.profile_type()}
        none={m.users_any_type()}
        options={page.types}
        defaultValue={page.typeId ?? ''}
      />
      <SelectField
        id="users-show"
        name="show"
        label={m.users_show()}
        options={(Object.keys(filterTexts) as UserFilter[]).map((id) => ({ id, name: filterTexts[id](page.waiting) }))}
        defaultValue={page.filter}
      />
      <button type="submit" className="button-primary">
        {m.users_find()}
      </button>
    </form>
  )
}

function UsersTable({ users }: Pick<Page, 'users'>) {
  return (
    <table className="panel block w-full text-left md:table">
      <caption className="sr-only">{m.menu_users()}</caption>
      <thead className="sr-only md:not-sr-only md:table-header-group">
        <tr className="border-b border-line text-sm text-stone">
          {[m.users_number(), m.profile_name(), m.profile_phone(), m.profile_type(), m.users_state(), m.users_since()].map((text) => (
            <th key={text} scope="col" className="px-4 py-2">
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        {users.map((user) => (
          <UserRow key={user.id} user={user} />
        ))}
      </tbody>
    </table>
  )
}

function UserRow({ user }: { user: Page['users'][number] }) {
  const to = useLocalPath()
  return (
    <tr className="block border-b border-line p-4 last:border-0 md:table-row md:p-0">
      <td className="hidden px-4 py-2 text-stone md:table-cell">{user.id}</td>
      <td className="block md:table-cell md:px-4 md:py-2">
        <a href={to(`/admin/users/${user.id}`)} className="tap-link font-semibold break-words">
          {user.name}
        </a>
      </td>
      <td className="block whitespace-nowrap md:table-cell md:px-4 md:py-2">{user.phone}</td>
      <td className="block md:table-cell md:px-4 md:py-2">
        {[user.type, user.internal].filter(Boolean).join(' · ')}
        {user.requested && <span className="chip mt-1 bg-turmeric-soft md:ml-2">{m.users_asks({ type: user.requested })}</span>}
      </td>
      <td className="flex flex-wrap gap-1 md:table-cell md:px-4 md:py-2">
        {!user.isActive && <span className="chip bg-brick-soft text-brick">{m.users_inactive()}</span>}
        {user.isVetWaiting && <span className="chip bg-turmeric-soft">{m.users_vet_waiting()}</span>}
        {user.isVerified && <span className="chip bg-leaf-soft text-leaf">{m.card_verified_seller()}</span>}
      </td>
      <td className="block text-sm whitespace-nowrap text-stone md:table-cell md:px-4 md:py-2">{user.since}</td>
    </tr>
  )
}
