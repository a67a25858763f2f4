import { useEffect, useRef } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/**
 * 'Failure during registration!': what was typed stays, and the same submit may be tried again. Without scripts it stands open at the head
 * of the page; with them it is a modal.
 */
export function FailureDialog({ refused }: { refused: FormRefusal }) {
  const to = useLocalPath()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.removeAttribute('open')
    dialog.current?.showModal()
  }, [refused])
  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby="failure-title"
      className="static m-0 w-full max-w-none rounded-card border border-brick bg-paper p-5 backdrop:bg-ink/60 [&:modal]:fixed [&:modal]:m-auto [&:modal]:w-[calc(100%-2rem)] [&:modal]:max-w-md"
    >
      <div role="alert" className="grid gap-3">
        <h2 id="failure-title" className="text-xl text-brick">
          {m.sell_failure_title()}
        </h2>
        <p>{m.sell_failure_text()}</p>
        {refused.detail && <p className="font-semibold">{refused.detail}</p>}
        <p className="text-sm text-stone">{m.sell_failure_kept()}</p>
        <div className="grid gap-2 sm:grid-cols-2">
          {refused.code === 'AUTH_REQUIRED' || refused.code === 'CSRF_REJECTED' ? (
            // Logged out meanwhile, or logged in as somebody else: the same page afterwards, with everything in it.
            <a href={`${to('/login')}?next=${encodeURIComponent(to('/sell'))}`} className="button-primary">
              {m.frame_login()}
            </a>
          ) : (
            <button type="submit" form="sell" name="act" value="submit" onClick={() => dialog.current?.close()} className="button-primary">
              {m.sell_try_again()}
            </button>
          )}
          <a href={to('/support')} className="button-plain">
            {m.footer_support()}
          </a>
        </div>
        <form method="dialog">
          <button type="submit" className="link min-h-11 cursor-pointer">
            {m.close()}
          </button>
        </form>
      </div>
    </dialog>
  )
}
