import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocale } from '#src/ui/language.ts'

const languages: [Locale, string][] = [
  ['ta', 'தமிழ்'],
  ['en', 'English'],
]

/**
 * The welcome as a template for welcome-script.ts: a line that opens three steps in both languages, one of them
 * visible. Its two language buttons switch only this wizard. Server only.
 */
export function WelcomeWizard() {
  const here = useLocale()
  return (
    <template id="welcome-template">
      <section id="welcome" aria-label={m.site_name()} className="relative overflow-hidden rounded-card border border-leaf bg-paper">
        <details>
          <summary>{m.welcome_line()}</summary>
          {languages.map(([locale]) => stepsIn(locale).map((step, index) => <Step key={step.title} {...{ locale, index, ...step }} />))}
        </details>
        {languages.map(([locale]) => (
          <button key={locale} type="button" lang={locale} hidden={locale !== here} data-welcome="skip">
            {m.welcome_skip({}, { locale })}
            <Icon name="close" size={18} />
          </button>
        ))}
      </section>
    </template>
  )
}

interface StepProps {
  locale: Locale
  index: number
  title: string
  text: string
}

function Step({ locale, index, title, text }: StepProps) {
  const isLast = index === LAST
  const isShownFirst = useLocale() === locale && index === 0
  return (
    <div hidden={!isShownFirst} lang={locale} data-step={index}>
      <Languages locale={locale} />
      <div className="words">
        <div>
          <h2 tabIndex={-1}>{title}</h2>
          <p>{m.welcome_step({ number: index + 1, count: LAST + 1 }, { locale })}</p>
        </div>
        <p>{text}</p>
        <div>
          {index > 0 && (
            <button type="button" data-welcome="back" className="button-plain">
              {m.welcome_back({}, { locale })}
            </button>
          )}
          <button type="button" data-welcome={isLast ? 'finish' : 'next'} className="button-primary col-start-2">
            {isLast ? m.welcome_finish({}, { locale }) : m.welcome_next({}, { locale })}
          </button>
        </div>
      </div>
    </div>
  )
}

const Languages = ({ locale }: { locale: Locale }) => (
  <div role="group" aria-label={m.welcome_language({}, { locale })}>
    {languages.map(([language, name]) => (
      <button key={language} type="button" lang={language} data-welcome={language} aria-pressed={language === locale}>
        {name}
      </button>
    ))}
  </div>
)

const LAST = 2

const stepsIn = (locale: Locale) => [
  { title: m.welcome_title({}, { locale }), text: m.welcome_text({}, { locale }) },
  { title: m.welcome_buy_title({}, { locale }), text: m.welcome_buy_text({}, { locale }) },
  { title: m.welcome_sell_title({}, { locale }), text: m.welcome_sell_text({}, { locale }) },
]
