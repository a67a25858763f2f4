import { m } from '#src/paraglide/messages.js'

interface PagerProps {
  label: string
  /** The URL of the first page; null on the first page. */
  first: string | null
  /** The URL of the next page; null on the last page. */
  next: string | null
  firstText?: string
  nextText?: string
}

/** Links to the first and the next page of a list. Renders nothing when there is only one page. */
export function Pager({ label, first, next, firstText = m.own_first_page(), nextText = m.own_next_page() }: PagerProps) {
  if (first === null && next === null) return null
  return (
    <nav aria-label={label} className="flex flex-wrap gap-2">
      {first !== null && (
        <a href={first} className="button-plain">
          {firstText}
        </a>
      )}
      {next !== null && (
        <a href={next} className="button-plain">
          {nextText}
        </a>
      )}
    </nav>
  )
}
