import { redirect } from 'react-router'
import { z } from 'zod'
import { RELOAD_DOCUMENT } from '#src/router-seams/reload-document.server.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { m } from '#src/paraglide/messages.js'
import { redirectWith } from '#src/accounts/sign-in/auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { changePassword, findCodeUser } from '#src/accounts/identity/login.server.ts'
import { requireViewer } from '../page-guards.server.ts'
import { userTitles, userTypes } from '../reference-data.ts'
import { can, requireLoggedIn } from '../policy.ts'
import { SELLER_TYPES, VET_TYPE } from '../rules.ts'
import { anyPassword, newPassword, otpCode } from '../schemas.ts'
import { authClientOf, endedCookies, sessionCookies } from '#src/accounts/identity/session-cookies.server.ts'
import { endOwnSession, endSessionsOf, listSessions } from '../sessions.server.ts'
import { idIn } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { initialOf } from '#src/kit/text/text.ts'
import { finishPhoneChange, openPhone, sealPhone, startPhoneChange } from './phone-change.server.ts'
import { ProfileEdit } from './profile-edit.tsx'
import { ProfilePhone } from './profile-phone.tsx'
import { profileFields } from './profile-schemas.ts'
import { ProfileView } from './profile-view.tsx'
import { getProfile, removePicture, savePicture, saveProfile } from './profile.server.ts'
import type { Route } from './+types/profile-page'

const savedParts = ['profile', 'phone', 'picture', 'password', 'sessions'] as const

export const loader = formLoader(async (ctx, { params, url }) => {
  const viewer = requireViewer(ctx, url)
  const id = idIn(params.userId)
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
    dataRefused: fileRefusal(url.searchParams.get('data'), ctx.locale, 'UNAVAILABLE'),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

/** The field that only this type has. */
const asksOf = (typeId: number) => (SELLER_TYPES.includes(typeId) ? ('pan' as const) : typeId === VET_TYPE ? ('degree' as const) : null)

type Args = { form: FormData; url: URL; site: Site; visitor: Visitor }

export const action = pageAction('profile', async (ctx, { params, ...args }) => {
  const id = idIn(params.userId)
  if (id !== requireLoggedIn(ctx).id) throw notFound()
  const acts = new Map<string, () => Promise<Response>>(
    Object.entries({
      save: () => save(ctx, id, args),
      'phone-code': () => provePhone(ctx, id, args),
      picture: () => takePicture(ctx, id, args),
      'picture-remove': () => dropPicture(ctx, id, args),
      password: () => setPassword(ctx, id, args),
      'end-session': () => endOne(ctx, id, args),
      'end-others': () => endOthers(ctx, id),
    }),
  )
  const todo = acts.get(textOf(args.form, 'act'))
  if (!todo) throw new Problem('MALFORMED')
  throw await asInternalProblem(ctx, 'a profile could not be saved', todo)
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: `/userprofile/${loaderData.profile.id}`,
        title: m.menu_profile(),
        description: m.me_profile_text(),
      })
    : []

const home = (ctx: Ctx, id: number, query = '') => localized(`/userprofile/${id}${query}`, ctx.locale)
const done = (ctx: Ctx, id: number, part: (typeof savedParts)[number]) => redirect(home(ctx, id, `?saved=${part}`))
const cookiesFor = ({ site, visitor }: Args, token: string | null) =>
  token === null ? [] : sessionCookies(visitor.cookieNames, site.env.secret, token)

const editForm = z.object({ ...profileFields, typeId: profileFields.typeId.optional() })

async function save(ctx: Ctx, id: number, args: Args): Promise<Response> {
  const { form, site, visitor } = args
  const isAdmin = can(ctx.viewer, 'operate')
  const typed = Object.fromEntries(
    ['name', 'phone', 'email', 'titleId', 'pan', 'degree', 'locale'].map((field) => [field, textOf(form, field)]),
  )
  const { phone: wanted, ...changes } = parseInput(editForm, { ...typed, ...(!isAdmin && { typeId: textOf(form, 'typeId') }) })
  const before = await getProfile(ctx, id)
  const isNewPhone = wanted !== before.phone
  if (isNewPhone) {
    const { password } = parseInput(z.object({ password: anyPassword.optional() }), { password: textOf(form, 'password') || undefined })
    await startPhoneChange(ctx, { phone: wanted, password }, authClientOf(site, visitor))
  }
  const cookies = cookiesFor(args, await saveProfile(ctx, id, withoutMissing(changes)))
  // Switch the page's language, too, and remember it.
  const language = changes.locale === before.locale || changes.locale === ctx.locale ? '' : `&lang=${changes.locale}`
  const to = home(ctx, id, isNewPhone ? `?phone=${sealPhone(ctx, wanted)}` : `?saved=profile${language}`)
  // Reload the document, because the frame shows the name and the type's menu (root.tsx).
  return redirectWith(to, cookies, RELOAD_DOCUMENT)
}

const withoutMissing = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as { [K in keyof T]: Exclude<T[K], undefined> }

async function provePhone(ctx: Ctx, id: number, args: Args): Promise<Response> {
  const newPhone = openPhone(ctx, args.url.searchParams.get('phone'))
  if (!newPhone) throw new Problem('OTP_EXPIRED')
  const { otp } = parseInput(z.object({ otp: otpCode }), { otp: textOf(args.form, 'otp') })
  return redirectWith(home(ctx, id, '?saved=phone'), cookiesFor(args, await finishPhoneChange(ctx, { phone: newPhone, code: otp })))
}

async function takePicture(ctx: Ctx, id: number, { form, site }: Args): Promise<Response> {
  const image = form.get('image')
  if (!(image instanceof File) || image.size === 0) throw invalidField('image', 'field_picture_missing')
  await savePicture(ctx, site.media, Buffer.from(await image.arrayBuffer()))
  return done(ctx, id, 'picture')
}

async function dropPicture(ctx: Ctx, id: number, { site }: Args): Promise<Response> {
  await removePicture(ctx, site.media)
  return done(ctx, id, 'picture')
}

async function setPassword(ctx: Ctx, id: number, { form, site }: Args): Promise<Response> {
  const input = parseInput(z.object({ oldPassword: anyPassword, newPassword }), {
    oldPassword: textOf(form, 'oldPassword'),
    newPassword: textOf(form, 'newPassword'),
  })
  await changePassword(ctx, input, site.limits)
  return done(ctx, id, 'password')
}

async function endOne(ctx: Ctx, id: number, { form, visitor }: Args): Promise<Response> {
  const session = idIn(textOf(form, 'session'))
  await endOwnSession(ctx, session)
  if (session !== ctx.sessionId) return done(ctx, id, 'sessions')
  return redirectWith(localized('/', ctx.locale), endedCookies(visitor.cookieNames), { 'Clear-Site-Data': '"cache"' })
}

async function endOthers(ctx: Ctx, id: number): Promise<Response> {
  await endSessionsOf(ctx, id, ctx.sessionId)
  return done(ctx, id, 'sessions')
}

export default function ProfilePage({ loaderData, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  if (loaderData.view === 'phone') return <ProfilePhone {...loaderData} refused={refused} />
  return loaderData.view === 'edit' ? <ProfileEdit {...loaderData} refused={refused} /> : <ProfileView {...loaderData} refused={refused} />
}

export type ProfilePageData = Route.ComponentProps['loaderData']
