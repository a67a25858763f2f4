import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { namedBy } from '#src/ui/named-by.ts'

type SaveHeartProps = { id: number; className?: string } & (
  | { name: string }
  /** Id of the element with the animal's name, on a page with `SaveWords`, so that a list has the text once per row. */
  | { nameId: string }
)

/**
 * A heart that saves an animal in place (hearts-script.ts). The page may come from a shared cache, so the browser finds out which hearts
 * are full. Without scripts it is a link to a page that asks and saves; robots.txt excludes it from crawling.
 */
export function SaveHeart({ id, className = 'heart-on-card', ...by }: SaveHeartProps) {
  const to = useLocalPath()
  const label =
    'name' in by ? { 'aria-label': m.card_save({ name: by.name }) } : { 'aria-labelledby': namedBy(by.nameId, SAVE_WORDS, m.card_save) }
  return (
    <a href={to(`/saved?listing=${id}`)} data-heart={id} {...label} className={className}>
      {/* Shown without the stylesheet, which draws the heart in its place. */}♡
    </a>
  )
}

const SAVE_WORDS = 'to-save'

export const SaveWords = () => (
  <span hidden id={SAVE_WORDS}>
    {m.card_save({ name: '' })}
  </span>
)
