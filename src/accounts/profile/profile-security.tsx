import { useLocation } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import type { ProfilePageData } from './profile-view.server.ts'

export function SessionsSection({ sessions }: Pick<ProfilePageData, 'sessions'>) {
  return (
    <TitledPanel id="profile-sessions" title={m.profile_sessions()} className="panel p-4 sm:p-6">
      <p className="mt-1 text-stone">{m.profile_sessions_text()}</p>
      <ul className="mt-2 divide-y divide-line">
        {sessions.map((session) => {
          const device = session.device || m.profile_session_unknown()
          return (
            <li key={session.id} className="row justify-between gap-2 py-2">
              <span>
                <b>{device}</b> {session.isThis && <span className="chip-good">{m.profile_session_this()}</span>}
                <span className="block text-sm text-stone">{m.profile_session_seen({ when: session.seen })}</span>
              </span>
              <PostForm reloadDocument>
                <HiddenFields act="end-session" session={session.id} />
                <button type="submit" aria-label={m.profile_session_end_label({ device, when: session.seen })} className="button-plain">
                  {m.profile_session_end()}
                </button>
              </PostForm>
            </li>
          )
        })}
      </ul>
      {sessions.length > 1 && (
        <PostForm reloadDocument className="mt-2">
          <input type="hidden" name="act" value="end-others" />
          <button type="submit" className="button-plain">
            {m.profile_sessions_end_others()}
          </button>
        </PostForm>
      )}
    </TitledPanel>
  )
}

export function PasswordSection({ refused }: { refused: FormRefusal | undefined }) {
  const isMine = refused !== undefined && ('oldPassword' in refused.errors || 'newPassword' in refused.errors)
  const form = useFocusOnError(isMine ? refused : undefined)
  // Password managers open this address (well-known.server.ts).
  const isAsked = new URLSearchParams(useLocation().search).get('change') === 'password'
  return (
    <section aria-labelledby="profile-password-title" className="panel p-4 sm:p-6">
      <details open={isMine || isAsked || undefined}>
        <summary className="min-h-11 content-center">
          <h2 id="profile-password-title" className="inline text-lg">
            {m.profile_password()}
          </h2>
        </summary>
        <PostForm ref={form} reloadDocument noValidate className="mt-3 grid max-w-md gap-4">
          <input type="hidden" name="act" value="password" />
          <Field
            id="profile-old-password"
            name="oldPassword"
            type="password"
            autoComplete="current-password"
            label={m.profile_password_old()}
            error={refused?.errors.oldPassword}
          />
          <Field
            id="profile-new-password"
            name="newPassword"
            type="password"
            autoComplete="new-password"
            label={m.profile_password_new()}
            hint={m.accounts_password_hint()}
            error={refused?.errors.newPassword}
          />
          <button type="submit" className="button-primary justify-self-start">
            {m.profile_password_submit()}
          </button>
        </PostForm>
      </details>
    </section>
  )
}

/** For people who sign in with codes: the link to set a password by a code. */
export function NoPasswordSection({ profileId }: { profileId: number }) {
  const to = useLocalPath()
  return (
    <TitledPanel id="profile-password-title" title={m.accounts_password()} className="panel p-4 sm:p-6">
      <p className="mt-1 text-stone">{m.profile_no_password()}</p>
      <a href={to(`/reset-password?next=${encodeURIComponent(to(`/userprofile/${profileId}`))}`)} className="tap-link font-semibold">
        {m.profile_set_password()}
      </a>
    </TitledPanel>
  )
}
