import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { getProfile } from '#src/accounts/profile/profile.server.ts'
import { internalTypes, userTitles, userTypes } from '#src/accounts/reference-data.ts'
import { can, phoneFor } from '#src/accounts/policy.ts'
import { seenUser } from '#src/accounts/people/seen-user.server.ts'
import { SELLER_TYPES, VET_TYPE } from '#src/accounts/rules.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import type { FormPage, PageArgs } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { idIn } from '#src/kit/ids.ts'
import { isCalledOff, statusName } from '#src/orders/process.server.ts'
import { readTimeline, timelineGroups, type TimelineEvent } from './user-timeline.server.ts'

export async function readUserPage(ctx: Ctx, { params, url }: PageArgs) {
  const viewer = requireViewer(ctx, url)
  const id = idIn(params.userId)
  const seen = await seenUser(ctx, id)
  const user = await getProfile(ctx, id)
  const nameIn = (rows: { id: number; ta: string; en: string }[], rowId: number | null) =>
    rows.find((row) => row.id === rowId)?.[ctx.locale] ?? null
  return {
    user: {
      ...user,
      phone: phoneFor(viewer, user.phone, id),
      title: nameIn(userTitles, user.titleId),
      type: nameIn(userTypes, user.typeId) ?? '',
      requestedType: nameIn(userTypes, user.requestedTypeId),
      isSeller: SELLER_TYPES.includes(user.typeId),
      isVet: user.typeId === VET_TYPE,
      since: formatMoment(user.createdAt, ctx.locale),
    },
    seen,
    isOwn: viewer.id === id,
    // Only a super admin decides about another admin.
    mayEndLogin: can(viewer, 'appoint-admins') || user.typeId !== 9,
    isForSuperAdmin: can(viewer, 'appoint-admins'),
    types: userTypes.filter(({ id: typeId }) => typeId > 0).map((type) => ({ id: type.id, name: type[ctx.locale] })),
    internalTypes: [{ id: 0, name: m.profile_external() }, ...internalTypes.map((type) => ({ id: type.id, name: type[ctx.locale] }))],
    timeline: await timelineIn(ctx, id, url.searchParams),
    done: url.searchParams.get('done'),
  }
}

async function timelineIn(ctx: Ctx, id: number, query: URLSearchParams) {
  const group = timelineGroups.find((name) => name === query.get('kind')) ?? null
  const page = readPageNumber(query.get('page'))
  const { events, hasMore } = await readTimeline(ctx, id, { group, page })
  return { group, page, hasMore, events: events.map((event) => shownEvent(ctx, event)) }
}

function shownEvent({ locale }: Ctx, event: TimelineEvent) {
  const status = event.kind === 'bought' || event.kind === 'sold' ? Number(event.state) : null
  return {
    ...event,
    at: formatMoment(event.at, locale),
    order: status === null ? null : { name: statusName(status, locale), isCalledOff: isCalledOff(status) },
  }
}

export type UserPageData = FormPage<typeof readUserPage>
