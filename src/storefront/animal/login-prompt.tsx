import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/**
 * A login prompt from the sixth product page on (animal-script.ts). It is optional: people can close it. On a phone it
 * stands below the first screen and covers nothing.
 */
export function LoginPrompt() {
  const to = useLocalPath()
  return (
    <section
      hidden
      aria-labelledby="login-prompt"
      data-prompt
      className="max-w-md rounded-card border-2 border-leaf bg-paper p-3 text-sm md:fixed md:right-6 md:bottom-6 md:z-20 md:p-4 md:text-base md:shadow-card short:static"
    >
      <h2 id="login-prompt" className="text-base md:text-lg">
        {m.product_prompt_title()}
      </h2>
      <p className="md:mt-1">{m.product_prompt_text()}</p>
      <div className="mt-2 grid grid-cols-[auto_1fr] gap-2 md:mt-3">
        <button type="button" data-later className="button-plain">
          {m.product_prompt_later()}
        </button>
        <a href={to('/login')} className="button-primary">
          {m.frame_login()}
        </a>
      </div>
    </section>
  )
}
