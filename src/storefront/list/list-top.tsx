import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { BROWSE_FORM, FILTER_ID } from '#src/listings/browse/filter-ids.ts'
import { SearchInput } from './search-box.tsx'

interface ListTopProps {
  text: string
  filtersOn: number
}

/** Back, the search, and the filters with their number: on a phone, the line that stays above the list. */
export function ListTop({ text, filtersOn }: ListTopProps) {
  const to = useLocalPath()
  return (
    <div className="list-top">
      <a href={to('/')} data-back aria-label={m.list_back()} className="icon-button md:hidden">
        <Icon name="previous" />
      </a>
      <form id={BROWSE_FORM} method="get" action={to('/buy/0')} role="search" className="flex min-w-0 flex-1 gap-2">
        <SearchInput defaultValue={text} className="flex-1" />
        <button type="submit" className="button-primary px-3 md:px-6">
          <Icon name="search" size={20} />
          <span className="sr-only md:not-sr-only">{m.frame_search()}</span>
        </button>
      </form>
      <a
        href={`#${FILTER_ID}`}
        data-filter
        className="button relative flex-col gap-0.5 px-1.5 py-0 text-leaf hover:bg-leaf-soft md:ml-1 md:flex-row md:gap-2 md:py-2 md:border md:border-leaf md:bg-paper md:px-4"
      >
        <Icon name="filter" size={20} />
        <span className="w-min text-sm leading-none md:w-auto md:text-base">{m.list_filter_options()}</span>
        {filtersOn > 0 && (
          <span className="absolute top-0 right-0 min-w-5 md:-top-2 md:-right-2 rounded-full bg-leaf px-1 text-center text-sm leading-5 font-bold text-white">
            <span aria-hidden="true">{filtersOn}</span>
            <span className="sr-only">, {m.list_filters_on({ count: filtersOn })}</span>
          </span>
        )}
      </a>
    </div>
  )
}
