import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocale } from '#src/ui/language.ts'
import { HomePicture } from './home-picture.tsx'

const languages: [Locale, string][] = [
  ['ta', 'தமிழ்'],
  ['en', 'English'],
]

/** A section of the page, in the place of the banners. Its words follow its own two language buttons. */
export function WelcomeWizard({ onClose }: { onClose: () => void }) {
  const pageLocale = useLocale()
  const [locale, setLocale] = useState(pageLocale)
  const [step, setStep] = useState(0)
  const heading = useRef<HTMLHeadingElement>(null)
  const steps = stepsIn(locale)
  const { picture, title, text } = steps[step]!
  const isLast = step === steps.length - 1

  const go = (to: number) => {
    setStep(to)
    heading.current?.focus({ preventScroll: true })
  }
  const finish = () => {
    onClose()
    // `lang` in the query makes the server remember the choice (app.server.ts).
    if (locale !== pageLocale) window.location.assign(localized(`/?lang=${locale}`, locale))
  }
  useEffect(() => {
    const skipByKey = (event: KeyboardEvent) => {
      // In a text box it clears the text, in a dialog it closes the dialog.
      const isMeantElsewhere = event.defaultPrevented || (event.target as Element).closest('input, textarea, select, dialog[open]')
      if (event.key === 'Escape' && !isMeantElsewhere) onClose()
    }
    document.addEventListener('keydown', skipByKey)
    return () => document.removeEventListener('keydown', skipByKey)
  }, [onClose])

  return (
    <section
      lang={locale}
      aria-labelledby="welcome-title"
      className="z-10 flex min-w-0 flex-col overflow-hidden rounded-card border-2 border-leaf bg-paper [grid-area:1/1]"
    >
      <WizardBar locale={locale} onChoose={setLocale} onSkip={onClose} />
      <HomePicture
        name={picture}
        sizes="(min-width: 768px) 320px, 100vw"
        className="hidden max-h-44 min-h-0 w-full flex-1 object-cover md:block"
      />
      <div className="flex flex-1 flex-col px-3 pb-3 md:flex-none md:px-4 md:pt-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 id="welcome-title" ref={heading} tabIndex={-1} className="text-xl outline-none">
            {title}
          </h2>
          <p className="text-sm text-stone">{m.welcome_step({ number: step + 1, count: steps.length }, { locale })}</p>
        </div>
        <p className="mt-1 text-sm md:text-base">{text}</p>
        <div className="grid grid-cols-2 gap-2 pt-4 md:mt-auto">
          {step > 0 && (
            <button type="button" onClick={() => go(step - 1)} className="button-plain">
              {m.welcome_back({}, { locale })}
            </button>
          )}
          <button type="button" onClick={isLast ? finish : () => go(step + 1)} className="button-primary col-start-2">
            {isLast ? m.welcome_finish({}, { locale }) : m.welcome_next({}, { locale })}
          </button>
        </div>
      </div>
    </section>
  )
}

interface WizardBarProps {
  locale: Locale
  onChoose: (locale: Locale) => void
  onSkip: () => void
}

/** The language of the words below, and the way out. */
function WizardBar({ locale, onChoose, onSkip }: WizardBarProps) {
  return (
    <div className="flex items-center gap-2 p-1 md:p-2">
      <div role="group" aria-label={m.welcome_language({}, { locale })} className="flex flex-1 gap-1">
        {languages.map(([language, name]) => (
          <button
            key={language}
            type="button"
            lang={language}
            aria-pressed={language === locale}
            onClick={() => onChoose(language)}
            className="min-h-11 cursor-pointer rounded-control px-3 font-semibold text-leaf hover:bg-leaf-soft aria-pressed:bg-leaf aria-pressed:text-white"
          >
            {name}
          </button>
        ))}
      </div>
      <button
        type="button"
        onClick={onSkip}
        className="inline-flex min-h-11 cursor-pointer items-center gap-1 rounded-control px-3 font-semibold text-stone hover:bg-husk-dark"
      >
        {m.welcome_skip({}, { locale })}
        <X aria-hidden="true" size={18} />
      </button>
    </div>
  )
}

const stepsIn = (locale: Locale) =>
  [
    { picture: 'market', title: m.welcome_title({}, { locale }), text: m.welcome_text({}, { locale }) },
    { picture: 'trust', title: m.welcome_buy_title({}, { locale }), text: m.welcome_buy_text({}, { locale }) },
    { picture: 'sell', title: m.welcome_sell_title({}, { locale }), text: m.welcome_sell_text({}, { locale }) },
  ] as const
