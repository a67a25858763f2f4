import { useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'

/**
 * Requests another code, after the minute is over. Without scripts the button is there at once, with the seconds from the server: a person
 * who presses it too early is asked to wait.
 */
export function ResendOtp({ inSeconds, ...button }: { inSeconds: number } & React.ComponentProps<'button'>) {
  const left = useCountdown(inSeconds)
  return (
    <div>
      {/* Not read out every second: the button is announced when it appears. */}
      {left > 0 && <p className="text-sm text-stone">{m.accounts_otp_resend_in({ seconds: left })}</p>}
      <AskedFor isAsked={left === 0}>
        <button type="submit" className="link-button" {...button}>
          {m.accounts_otp_resend()}
        </button>
      </AskedFor>
    </div>
  )
}

/** Seconds from now down to 0. */
function useCountdown(seconds: number): number {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const end = performance.now() + seconds * 1000
    const look = () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1000)))
    look()
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [seconds])
  return left
}
