import { useEffect, useRef, useState, type ReactNode } from 'react'
import { GREET_AFTER_MS, isGoodMoment, isQuiet, LOOK_AGAIN_MS, quietCookie } from './welcome.ts'
import type { WelcomeWizard } from './welcome-wizard.tsx'

const prompts = 'dialog[open], [data-prompt]'

/**
 * The welcome wizard on the first screen of the home page, once per visitor, in the place of the banners (`children`): they come back when
 * it is done. The page is the same for everybody; whether to greet is decided here, in the browser, and only then is the wizard loaded.
 */
export function Welcome({ isLoggedIn, children }: { isLoggedIn: boolean; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [Wizard, setWizard] = useState<typeof WelcomeWizard | null>(null)
  useEffect(() => {
    if (isLoggedIn || isQuiet(document.cookie)) return
    let timer = 0
    let isHere = true
    const mayGreet = () =>
      isGoodMoment({
        isTaken: document.querySelector(prompts) !== null,
        isInUse: place.current!.matches(':hover, :active, :focus-within'),
      })
    const greet = async () => {
      const wizard = await import('./welcome-wizard.tsx').catch(() => null)
      // Offline there is no greeting, and no harm done. Meanwhile the moment may have passed.
      if (!isHere || !wizard) return
      if (!mayGreet()) return void (timer = window.setTimeout(lookAround, LOOK_AGAIN_MS))
      document.cookie = quietCookie(window.location.protocol === 'https:')
      setWizard(() => wizard.WelcomeWizard)
    }
    const lookAround = () => {
      if (mayGreet()) void greet()
      else timer = window.setTimeout(lookAround, LOOK_AGAIN_MS)
    }
    timer = window.setTimeout(lookAround, GREET_AFTER_MS)
    return () => {
      isHere = false
      window.clearTimeout(timer)
    }
  }, [isLoggedIn])
  const close = () => {
    setWizard(null)
    // The pressed button is gone; the next Tab goes on from here.
    place.current?.focus({ preventScroll: true })
  }
  return (
    <div ref={place} tabIndex={-1} className="grid min-w-0 grid-cols-1 outline-none">
      <div inert={Wizard !== null} className={`min-w-0 [grid-area:1/1] ${Wizard ? 'invisible' : ''}`}>
        {children}
      </div>
      {Wizard && <Wizard onClose={close} />}
    </div>
  )
}
