import { useEffect, useState } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useIsFirstPaint } from '#src/ui/first-paint.ts'

/**
 * Another code, after the minute is over. Without scripts the button is there at once, with the seconds as the server knew
 * them: who presses it too early is told to wait.
 */
export function ResendOtp({ inSeconds, ...button }: { inSeconds: number } & React.ComponentProps<'button'>) {
  const left = useCountdown(inSeconds)
  const hasScripts = !useIsFirstPaint()
  return (
    <div>
      {/* Not read out every second: the button says so when it is there. */}
      {left > 0 && <p className="text-sm text-stone">{m.accounts_otp_resend_in({ seconds: left })}</p>}
      {(left === 0 || !hasScripts) && (
        <button type="submit" className="link min-h-11 cursor-pointer font-semibold" {...button}>
          {m.accounts_otp_resend()}
        </button>
      )}
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
