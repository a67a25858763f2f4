import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/**
 * The only login prompt that opens unasked on any page: for a visitor with an expired session. With JavaScript the login opens over the
 * page (the link has a marker for it); without, the link leads to it.
 */
export function SessionEnded() {
  const to = useLocalPath()
  return (
    <p role="status" data-app="now" className="row justify-center gap-x-4 bg-turmeric px-4 py-1 text-center font-semibold">
      {m.frame_session_ended()}
      <a href={to('/login')} data-login="ended" className="inline-flex min-h-11 items-center underline underline-offset-2">
        {m.frame_login_again()}
      </a>
    </p>
  )
}
