import { redirect } from 'react-router'
import { z } from 'zod'
import { textOf, takeLimits } from '#src/accounts/identity-door.server.ts'
import { requireCapability } from '#src/accounts/page-guards.server.ts'
import { badgeNote, vetRegistration } from '#src/accounts/profile-schemas.ts'
import { getProfile } from '#src/accounts/profile.server.ts'
import { internalTypes, userTitles, userTypes } from '#src/accounts/reference-data.ts'
import { can, type InternalType, isSuperAdmin, SELLER_TYPES, VET_TYPE } from '#src/accounts/rules.ts'
import { anyPassword } from '#src/accounts/schemas.ts'
import { listHistory } from '#src/accounts/user-history.server.ts'
import { approveVet, decideTypeRequest, setActive, setBadge, setPowers } from '#src/accounts/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formatMoment } from '#src/kit/dates.ts'
import { localized } from '#src/kit/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm } from '#src/kit/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { UserView } from './user-view.tsx'
import type { Route } from './+types/user-page'

export const loader = formLoader(async (ctx, { params, url }) => {
  const viewer = requireCapability(ctx, url, 'operate')
  const id = idIn(params.userId)
  const user = await getProfile(ctx, id)
  const nameIn = (rows: { id: number; ta: string; en: string }[], rowId: number | null) =>
    rows.find((row) => row.id === rowId)?.[ctx.locale] ?? null
  return {
    user: {
      ...user,
      title: nameIn(userTitles, user.titleId),
      type: nameIn(userTypes, user.typeId) ?? '',
      requestedType: nameIn(userTypes, user.requestedTypeId),
      isSeller: SELLER_TYPES.includes(user.typeId),
      isVet: user.typeId === VET_TYPE,
      since: formatMoment(user.createdAt, ctx.locale),
    },
    isOwn: viewer.id === id,
    // Another admin's row is a super admin's business.
    mayEndLogin: isSuperAdmin(viewer) || user.typeId !== 9,
    isForSuperAdmin: isSuperAdmin(viewer),
    types: userTypes.filter(({ id: typeId }) => typeId > 0).map((type) => ({ id: type.id, name: type[ctx.locale] })),
    internalTypes: [{ id: 0, name: m.profile_external() }, ...internalTypes.map((type) => ({ id: type.id, name: type[ctx.locale] }))],
    history: (await listHistory(ctx, id)).map((event) => ({ ...event, at: formatMoment(event.at, ctx.locale) })),
    isDone: url.searchParams.has('done'),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction(async (ctx, { params, form, site, visitor }) => {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  if (!can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN')
  await takeLimits(ctx, site, visitor, 'writeMinute', 'writeDay')
  const id = idIn(params.userId)
  const decision = decisions.get(textOf(form, 'act'))
  if (!decision) throw new Problem('MALFORMED')
  await decision(ctx, id, form)
  throw redirect(localized(`/admin/users/${id}?done=1`, ctx.locale))
})

export const headers = formHeaders

const password = anyPassword
const internalType = z.coerce.number().pipe(z.literal([0, 1, 2, 3])) as z.ZodType<InternalType>
const anyType = z.coerce
  .number('field_profile_type_blank')
  .refine((id) => id > 0 && userTypes.some((type) => type.id === id), 'field_profile_type_blank')

/** Each form of the page by its name; which may be used by whom, the commands say. */
const decisions = new Map<string, (ctx: Ctx, id: number, form: FormData) => Promise<void>>(
  Object.entries({
    approve: (ctx, id) => decideTypeRequest(ctx, id, true),
    refuse: (ctx, id) => decideTypeRequest(ctx, id, false),
    vet: (ctx, id, form) =>
      approveVet(
        ctx,
        id,
        parseForm(z.object({ registration: vetRegistration }), { registration: textOf(form, 'registration') }).registration,
      ),
    'vet-withdraw': (ctx, id) => approveVet(ctx, id, null),
    badge: (ctx, id, form) => setBadge(ctx, id, { isVerified: true, ...noteIn(form) }),
    'badge-withdraw': (ctx, id, form) => setBadge(ctx, id, { isVerified: false, ...noteIn(form) }),
    active: (ctx, id, form) => {
      const { active, activePassword } = parseForm(
        z.object({ active: z.enum(['yes', 'no'], 'field_profile_active_blank'), activePassword: password }),
        { active: textOf(form, 'active'), activePassword: textOf(form, 'activePassword') },
      )
      return named('activePassword', setActive(ctx, id, { isActive: active === 'yes', password: activePassword }))
    },
    powers: (ctx, id, form) => {
      const { powersPassword, ...powers } = parseForm(z.object({ typeId: anyType, internalType, powersPassword: password }), {
        typeId: textOf(form, 'typeId'),
        internalType: textOf(form, 'internalType'),
        powersPassword: textOf(form, 'powersPassword'),
      })
      return named('powersPassword', setPowers(ctx, id, { ...powers, password: powersPassword }))
    },
  }),
)

const noteIn = (form: FormData) => parseForm(z.object({ note: badgeNote }), { note: textOf(form, 'note') })

/** The page has two boxes for the admin's password; a wrong one is said at the one that was used. */
async function named(field: string, act: Promise<void>): Promise<void> {
  try {
    await act
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'PASSWORD_WRONG') throw error
    throw new Problem('PASSWORD_WRONG', { fields: [{ field, message: 'field_password_wrong' }] })
  }
}

function idIn(text = ''): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound()
  return Number(text)
}

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        path: `/admin/users/${loaderData.user.id}`,
        title: loaderData.user.name,
        description: m.users_lead(),
        keywords: m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function UserPage({ loaderData, actionData }: Route.ComponentProps) {
  return <UserView {...loaderData} refused={actionData?.refused} />
}

export type UserPageData = Route.ComponentProps['loaderData']
