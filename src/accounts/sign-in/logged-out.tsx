import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'

/** Shown to an anonymous visitor in place of a members' page; the login leads back to `path`. */
export function LoggedOut({ path, refused, text }: { path: string; refused?: FormRefusal | undefined; text?: string }) {
  const to = useLocalPath()
  const next = encodeURIComponent(to(path))
  return (
    <div className="panel space-y-3 p-5 text-center">
      {refused && <FormFailure detail={refused.detail} />}
      <p className="text-lg">{text ?? m.own_logged_out()}</p>
      <div className="row justify-center gap-3">
        <a href={to(`/login?next=${next}`)} className="button-primary">
          {m.own_sign_in()}
        </a>
        <a href={to(`/register?next=${next}`)} className="button-plain">
          {m.own_register()}
        </a>
      </div>
    </div>
  )
}
