import { useEffect, useRef, useState } from 'react'
import { GREET_AFTER_MS, isGoodMoment, isQuiet, LOOK_AGAIN_MS, quietCookie } from './welcome.ts'
import type { WelcomeWizard } from './welcome-wizard.tsx'

const prompts = 'dialog[open], [data-prompt]'

/**
 * The place of the welcome wizard in the home page. The page is the same for everybody; whether to greet is decided here, in
 * the browser, and only then is the wizard itself loaded.
 */
export function Welcome({ isLoggedIn }: { isLoggedIn: boolean }) {
  const place = useRef<HTMLDivElement>(null)
  const [Wizard, setWizard] = useState<typeof WelcomeWizard | null>(null)
  useEffect(() => {
    if (isLoggedIn || isQuiet(document.cookie)) return
    let timer = 0
    let isHere = true
    const mayGreet = () =>
      isGoodMoment({
        isTaken: document.querySelector(prompts) !== null,
        placeTop: place.current!.getBoundingClientRect().top,
        windowHeight: window.innerHeight,
      })
    const greet = async () => {
      const wizard = await import('./welcome-wizard.tsx').catch(() => null)
      // Without a line there is no greeting, and no harm done. Meanwhile the moment may have passed.
      if (!isHere || !wizard) return
      if (mayGreet()) setWizard(() => wizard.WelcomeWizard)
      else timer = window.setTimeout(lookAround, LOOK_AGAIN_MS)
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
    document.cookie = quietCookie(window.location.protocol === 'https:')
    setWizard(null)
    // The button that was pressed is gone; the next Tab goes on from here.
    place.current?.focus({ preventScroll: true })
  }
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      {Wizard && <Wizard onClose={close} />}
    </div>
  )
}
