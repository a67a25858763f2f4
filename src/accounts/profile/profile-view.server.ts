import { redirect } from 'react-router'
import type { Ctx } from '#src/kit/context.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { localized } from '#src/kit/text/locale.ts'
import type { FormPage } from '#src/kit/http/page.server.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { findCodeUser } from '#src/accounts/identity/login.server.ts'
import { initialOf } from '#src/kit/text/text.ts'
import { requireViewer } from '../page-guards.server.ts'
import { userTitles, userTypes } from '../reference-data.ts'
import { can } from '../policy.ts'
import { SELLER_TYPES, VET_TYPE } from '../rules.ts'
import { listSessions } from '../sessions.server.ts'
import { openPhone } from './phone-change.server.ts'
import { getProfile } from './profile.server.ts'

export const savedParts = ['profile', 'phone', 'picture', 'password', 'sessions'] as const

export async function readProfilePage(ctx: Ctx, id: number, url: URL) {
  const viewer = requireViewer(ctx, url)
  // Admins decide about other people on a separate page.
  if (id !== viewer.id && can(viewer, 'operate')) throw redirect(localized(`/admin/users/${id}`, ctx.locale))
  const profile = await getProfile(ctx, id)
  const nameIn = (rows: { id: number; ta: string; en: string }[], rowId: number | null) =>
    rows.find((row) => row.id === rowId)?.[ctx.locale] ?? null
  const newPhone = openPhone(ctx, url.searchParams.get('phone'))
  const { createdAt: _, verifiedNote: __, ...shown } = profile
  return {
    profile: {
      ...shown,
      title: nameIn(userTitles, profile.titleId),
      type: nameIn(userTypes, profile.typeId) ?? '',
      requestedType: nameIn(userTypes, profile.requestedTypeId),
      initial: initialOf(profile.name),
      hasPublicPage: SELLER_TYPES.includes(profile.typeId),
      isVetWaiting: profile.typeId === VET_TYPE && !profile.vetApproved,
      isSeller: [profile.typeId, profile.requestedTypeId].some((type) => SELLER_TYPES.includes(type ?? 0)),
    },
    types: userTypes.filter((type) => !type.hidden).map((type) => ({ id: type.id, name: type[ctx.locale], asks: asksOf(type.id) })),
    sessions: (await listSessions(ctx)).map(({ seenAt, id: sessionId, device, isThis }) => ({
      id: sessionId,
      device,
      isThis,
      seen: formatMoment(seenAt, ctx.locale).replace(/:\d\d$/, ''),
    })),
    view: newPhone ? ('phone' as const) : url.searchParams.has('edit') ? ('edit' as const) : ('profile' as const),
    newPhone,
    hasPassword: (await findCodeUser(ctx)) === null,
    saved: savedParts.find((part) => part === url.searchParams.get('saved')) ?? null,
    origin: ctx.publicOrigin,
    dataRefused: fileRefusal(url.searchParams.get('data'), ctx.locale, 'UNAVAILABLE'),
  }
}

/** The field that only this type has. */
const asksOf = (typeId: number) => (SELLER_TYPES.includes(typeId) ? ('pan' as const) : typeId === VET_TYPE ? ('degree' as const) : null)

export type ProfilePageData = FormPage<typeof readProfilePage>
