import type { InterruptedForm } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

/** Numbers and names of choices are not the person's own words. */
const isWords = (text: string) => !/^[\w:-]*$/.test(text)

/**
 * Keeps what a person typed when their login had expired on submit. They log in on another page and send the form again; its own page then
 * shows it filled in. Rendered on the server only.
 */
export function InterruptedFormView({ kept }: { kept: InterruptedForm }) {
  const to = useLocalPath()
  const words = kept.fields.filter(([, text]) => isWords(text))
  return (
    <div className="mx-auto grid max-w-xl gap-4 py-4">
      <h1 className="text-2xl">{m.resume_title()}</h1>
      <p role="status" className="done p-4 text-lg">
        {m.resume_text()}
      </p>
      <a href={to('/login')} target="_blank" rel="noopener" className="button-primary min-h-14 text-lg">
        1. {m.resume_log_in()}
      </a>
      <form method="post" action={kept.path} encType="multipart/form-data" className="grid">
        {kept.fields.map(([name, text], index) => (
          <input key={index} type="hidden" name={name} value={text} />
        ))}
        <button type="submit" className="button-plain min-h-14 text-lg">
          2. {m.resume_back()}
        </button>
      </form>
      <p className="text-stone">{m.resume_photos()}</p>
      {words.length > 0 && (
        <section aria-label={m.resume_yours()} className="panel grid gap-2 p-4">
          <h2 className="text-lg">{m.resume_yours()}</h2>
          {words.map(([name, text], index) => (
            <p key={`${name}-${index}`} className="break-words whitespace-pre-wrap">
              {text}
            </p>
          ))}
        </section>
      )}
    </div>
  )
}
