import { useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { AskedFor } from '#src/ui/asked-for.tsx'

/**
 * Button for another code, after a countdown of a minute. Without scripts it is there at once with the server's seconds, and the server
 * refuses an early press.
 */
export function ResendOtp({ inSeconds, ...button }: { inSeconds: number } & React.ComponentProps<'button'>) {
  const left = useCountdown(inSeconds)
  return (
    <div>
      {/* No live region: a screen reader would read every second. The button is announced when it appears. */}
      {left > 0 && <p className="text-sm text-stone">{m.accounts_otp_resend_in({ seconds: left })}</p>}
      <AskedFor isAsked={left === 0}>
        <button type="submit" className="link-button" {...button}>
          {m.accounts_otp_resend()}
        </button>
      </AskedFor>
    </div>
  )
}

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
