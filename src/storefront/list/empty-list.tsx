import { m } from '#src/paraglide/messages.js'
import { useLocale, useLocalPath } from '#src/ui/language.ts'

/** Nothing matches: what to do next. */
export function EmptyList() {
  const to = useLocalPath()
  const locale = useLocale()
  return (
    <div lang={locale} className="panel px-4 py-10 text-center">
      <img src="/species/none.webp" alt="" width={96} height={96} className="mx-auto mb-4 opacity-70" />
      <p className="mx-auto max-w-lg">{m.list_empty()}</p>
      <div className="row justify-center gap-3 mt-5">
        <a href={to('/buy/0')} className="button-primary">
          {m.list_empty_clear()}
        </a>
        <a href={to('/add-enquiry')} className="button-plain">
          {m.list_empty_wanted()}
        </a>
      </div>
    </div>
  )
}
