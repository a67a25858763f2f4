import { m } from '#src/paraglide/messages.js'

interface PagerProps {
  /** What is leafed through. */
  label: string
  /** The address of the first page; null on it. */
  first: string | null
  /** Of the next one; null on the last. */
  next: string | null
  firstText?: string
  nextText?: string
}

/** Below a list that goes on: back to where it begins, and on. Nothing where all of it is seen. */
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
