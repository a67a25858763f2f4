import type { ReactNode } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { phoneText } from '../phone-text.ts'
import { PushSection } from '#src/accounts/notifications/push-section.tsx'
import { Fact, internalText } from './profile-fact.tsx'
import type { ProfilePageData } from './profile-page.tsx'
import { ProfilePicture } from './profile-picture.tsx'
import { NoPasswordSection, PasswordSection, SessionsSection } from './profile-security.tsx'

const savedTexts = {
  profile: m.profile_saved,
  phone: m.profile_phone_saved,
  picture: m.profile_picture_saved,
  password: m.profile_password_saved,
  sessions: m.profile_sessions_saved,
}

export function ProfileView(page: ProfilePageData & { refused: FormRefusal | undefined }) {
  const { profile, saved, refused, csrf } = page
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
        <ProfilePicture profile={profile} csrf={csrf} refused={refused?.typed.act === 'picture' ? refused : undefined} />
        <OwnFacts profile={profile} own={own} hasPassword={page.hasPassword} />
      </section>
      <Referral code={profile.referralCode} origin={page.origin} />
      <SessionsSection sessions={page.sessions} csrf={csrf} />
      {page.hasPassword ? <PasswordSection csrf={csrf} refused={refused} /> : <NoPasswordSection profileId={profile.id} />}
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
  const to = useLocalPath()
  return (
    <section aria-labelledby="profile-invite" className="panel p-4 sm:p-6">
      <h2 id="profile-invite" className="text-lg">
        {m.profile_referral()}
      </h2>
      <p className="mt-1">{m.profile_referral_text()}</p>
      <p className="row mt-2 gap-x-4 gap-y-2">
        <b className="text-xl">{code}</b>
        <a href={to(`/refcode/${code}`)} className="tap-link break-all">
          {origin}
          {to(`/refcode/${code}`)}
        </a>
      </p>
      <Bonus />
    </section>
  )
}

function OwnData({ page, own }: { page: ProfilePageData; own: string }) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="profile-data" className="panel p-4 sm:p-6">
      <h2 id="profile-data" className="text-lg">
        {m.profile_data()}
      </h2>
      <p className="mt-1 text-stone">{m.profile_data_text()}</p>
      {page.dataRefused !== null && (
        <div className="mt-3">
          <FormFailure detail={page.dataRefused} />
        </div>
      )}
      <form method="post" action={to(`${own}/data`)} className="mt-3">
        <input type="hidden" name="csrf" value={page.csrf} />
        <button type="submit" className="button-plain">
          {m.profile_data_download()}
        </button>
      </form>
      <p className="mt-4">
        <a href={to(`${own}/delete`)} className="inline-flex min-h-11 items-center font-semibold text-brick underline underline-offset-2">
          {m.profile_delete()}
        </a>
      </p>
    </section>
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
