import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'

export function SearchInput(props: { className: string; defaultValue?: string }) {
  return (
    <Input
      id="search"
      name="q"
      type="search"
      maxLength={100}
      aria-label={m.frame_search_label()}
      placeholder={m.frame_search_hint()}
      {...props}
    />
  )
}

/** The text search of the home page. A GET form, so that every search has a URL. */
export function SearchBox() {
  const to = useLocalPath()
  return (
    <form method="get" action={to('/buy/0')} role="search" className="mt-4 flex max-w-2xl gap-2 lg:mt-6">
      <SearchInput className="min-h-12 flex-1 lg:min-h-14 lg:text-lg" />
      <button type="submit" className="button-primary min-h-12 px-4 sm:px-6 lg:min-h-14">
        <Icon name="search" size={20} />
        <span className="sr-only sm:not-sr-only">{m.frame_search()}</span>
      </button>
    </form>
  )
}
