import { redirect, useRouteLoaderData } from 'react-router'
import { z } from 'zod'
import type { ReactNode } from 'react'
import { RELOAD_DOCUMENT } from '#src/router-seams/reload-document.server.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { bytesOf, formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { redirectWith } from '#src/accounts/sign-in/auth-forms.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { changePassword } from '#src/accounts/identity/login.server.ts'
import { authClientOf, endedCookies, sessionCookies } from '#src/accounts/identity/session-cookies.server.ts'
import { idIn } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { ShareLink } from '#src/ui/link.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { PushSection } from '#src/accounts/notifications/push-section.tsx'
import { can, requireLoggedIn } from '../policy.ts'
import { anyPassword, newPassword, otpCode } from '../schemas.ts'
import { endOwnSession, endSessionsOf } from '../sessions.server.ts'
import { finishPhoneChange, openPhone, sealPhone, startPhoneChange } from './phone-change.server.ts'
import { ProfileEdit } from './profile-edit.tsx'
import { ProfilePhone } from './profile-phone.tsx'
import { profileFields } from './profile-schemas.ts'
import { getProfile, removePicture, savePicture, saveProfile } from './profile.server.ts'
import { readProfilePage, type ProfilePageData, type savedParts } from './profile-view.server.ts'
import { phoneText } from '../phone-text.ts'
import { Fact, internalText } from './profile-fact.tsx'
import { ProfilePicture } from './profile-picture.tsx'
import { NoPasswordSection, PasswordSection, SessionsSection } from './profile-security.tsx'
import type { Route } from './+types/profile-page'

export const loader = formLoader((ctx, { params, url }) => readProfilePage(ctx, idIn(params.userId), url))

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
  throw await todo()
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.menu_profile(), description: m.me_profile_text() }))

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
  const image = await bytesOf(form, 'image')
  if (!image) throw invalidField('image', 'field_picture_missing')
  await savePicture(ctx, site.media, image)
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

const savedTexts = {
  profile: m.profile_saved,
  phone: m.profile_phone_saved,
  picture: m.profile_picture_saved,
  password: m.profile_password_saved,
  sessions: m.profile_sessions_saved,
}

function ProfileView(page: ProfilePageData & { refused: FormRefusal | undefined }) {
  const { profile, saved, refused } = page
  const to = useLocalPath()
  const own = `/userprofile/${profile.id}`
  return (
    <div className="mx-auto max-w-4xl space-y-6 py-2">
      <h1 className="text-2xl">{m.menu_profile()}</h1>
      {saved && !refused && (
        <div role="status" className="row justify-between gap-3 note p-4">
          <p className="font-semibold">{savedTexts[saved]()}</p>
          <a href={to(own)} className="button-primary">
            {m.profile_continue()}
          </a>
        </div>
      )}
      {refused && !PLACED.some((field) => field in refused.errors) && refused.typed.act !== 'picture' && (
        <FormFailure detail={refused.detail} />
      )}
      <section className="panel grid gap-5 p-4 sm:grid-cols-[auto_1fr] sm:p-6">
        <ProfilePicture profile={profile} refused={refused?.typed.act === 'picture' ? refused : undefined} />
        <OwnFacts profile={profile} own={own} hasPassword={page.hasPassword} />
      </section>
      <Referral code={profile.referralCode} origin={page.origin} />
      <SessionsSection sessions={page.sessions} />
      {page.hasPassword ? <PasswordSection refused={refused} /> : <NoPasswordSection profileId={profile.id} />}
      <OwnData page={page} own={own} />
      <PushSection />
    </div>
  )
}

type OwnProps = Pick<ProfilePageData, 'profile'> & { /** Path of this page. */ own: string }

function OwnFacts({ profile, own, hasPassword }: OwnProps & { hasPassword: boolean }) {
  const to = useLocalPath()
  return (
    <div>
      <p className="text-xl font-bold">{[profile.title, profile.name].filter(Boolean).join(' ')}</p>
      {profile.isVerified && (
        <span className="chip-good mt-1">
          <Icon name="badge" size={16} />
          {m.card_verified_seller()}
        </span>
      )}
      <dl className="mt-3 divide-y divide-line">
        <Fact label={m.profile_phone()}>{phoneText(profile.phone)}</Fact>
        <Fact label={m.profile_email()}>{profile.email ?? m.profile_none()}</Fact>
        <Fact label={m.profile_type()}>
          {profile.type}
          {profile.requestedType && <Note>{m.profile_requested({ type: profile.requestedType })}</Note>}
          {profile.isVetWaiting && <Note>{m.profile_vet_waiting()}</Note>}
          {profile.isVetWaiting && !hasPassword && <Note>{m.field_type_needs_password()}</Note>}
        </Fact>
        <Fact label={m.profile_internal()}>{internalText(profile.internalType)}</Fact>
        <Fact label={m.profile_active()}>{profile.isActive ? m.profile_yes() : m.profile_no()}</Fact>
        {profile.isSeller && <Fact label={m.profile_pan()}>{profile.maskedPan ?? m.profile_none()}</Fact>}
        {profile.degree && <Fact label={m.profile_degree()}>{profile.degree}</Fact>}
        <Fact label={m.profile_language()}>{profile.locale === 'ta' ? 'தமிழ்' : 'English'}</Fact>
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        <a href={to(`${own}?edit=1`)} className="button-primary">
          {m.profile_edit()}
        </a>
        {profile.hasPublicPage && (
          <a href={to(`/seller/${profile.id}`)} className="button-plain">
            {m.profile_public()}
          </a>
        )}
      </div>
    </div>
  )
}

function Referral({ code, origin }: { code: string; origin: string }) {
  const path = useLocalPath()(`/refcode/${code}`)
  return (
    <TitledPanel id="profile-invite" title={m.profile_referral()} className="panel p-4 sm:p-6">
      <p className="mt-1">{m.profile_referral_text()}</p>
      <p className="row mt-2 gap-x-4 gap-y-2">
        <b className="text-xl">{code}</b>
        <a href={path} className="tap-link break-all">
          {origin}
          {path}
        </a>
      </p>
      <ShareLink text={m.profile_referral_message({ link: origin + path })} />
      <Bonus />
    </TitledPanel>
  )
}

function OwnData({ page, own }: { page: ProfilePageData; own: string }) {
  const to = useLocalPath()
  return (
    <TitledPanel id="profile-data" title={m.profile_data()} className="panel p-4 sm:p-6">
      <p className="mt-1 text-stone">{m.profile_data_text()}</p>
      {page.dataRefused !== null && (
        <div className="mt-3">
          <FormFailure detail={page.dataRefused} />
        </div>
      )}
      <PostForm reloadDocument action={to(`${own}/data`)} className="mt-3">
        <button type="submit" className="button-plain">
          {m.profile_data_download()}
        </button>
      </PostForm>
      <p className="mt-4">
        <a href={to(`${own}/delete`)} className="inline-flex min-h-11 items-center font-semibold text-brick underline underline-offset-2">
          {m.profile_delete()}
        </a>
      </p>
    </TitledPanel>
  )
}

/** Fields that show their own errors. */
const PLACED = ['oldPassword', 'newPassword']

const Note = ({ children }: { children: ReactNode }) => <span className="mt-1 block notice px-2 py-1 text-sm">{children}</span>

/** The figure of the menu, from the root loader. */
function Bonus() {
  const { viewer } = (useRouteLoaderData('root') ?? {}) as { viewer?: { bonus: number | null } | null }
  if (viewer?.bonus == null) return null
  return <p className="mt-1 font-semibold">{m.menu_bonus({ amount: formatRupees(rupees(viewer.bonus)) })}</p>
}
