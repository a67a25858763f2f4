import { searchText } from '#src/kit/text/plain-text.ts'
import { internalTypes, userTypes } from '#src/accounts/reference-data.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { USERS_PER_PAGE } from '#src/accounts/people/users.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatDay, formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber, readSort } from '#src/ui/desk-query.ts'
import { countUserViews, readUserTable, userSorts, userViews, type TableUser, type UserView } from './user-table.server.ts'
import { UsersView } from './users-view.tsx'
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
    types: userTypes.filter(({ id }) => id > 0).map((type) => ({ id: type.id, name: type[ctx.locale] })),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
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

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/users', title: m.menu_users(), description: m.users_lead() }) : []

export default function UsersPage({ loaderData }: Route.ComponentProps) {
  return <UsersView {...loaderData} />
}

export type UsersData = Route.ComponentProps['loaderData']
