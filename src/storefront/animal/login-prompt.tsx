import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/**
 * A login prompt from the sixth product page on. It is optional: people can close it, and the page stays readable. prompt-script.ts shows it. On a
 * phone it is under the header and over the photo, so price and buttons stay visible.
 */
export function LoginPrompt() {
  const to = useLocalPath()
  return (
    <section
      hidden
      aria-labelledby="login-prompt"
      data-prompt
      className="fixed inset-x-3 top-17 z-20 mx-auto max-w-md rounded-card border-2 border-leaf bg-paper p-3 text-sm shadow-card md:inset-x-auto md:top-auto md:right-6 md:bottom-6 md:p-4 md:text-base short:static"
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
