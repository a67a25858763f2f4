import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { namedBy } from '#src/ui/named-by.ts'

type SaveHeartProps = { id: number; className?: string } & (
  | { name: string }
  /** The id of the element that says the name, on a page with `SaveWords`: a list says it once for each row. */
  | { nameId: string }
)

/**
 * A heart that saves an animal where one is (hearts-script.ts). The page may be everybody's: whose hearts are full is found out in the
 * browser. Without scripts it is a link to the page that asks and saves, which robots.txt keeps crawlers from.
 */
export function SaveHeart({ id, className = 'heart-on-card', ...by }: SaveHeartProps) {
  const to = useLocalPath()
  const label =
    'name' in by ? { 'aria-label': m.card_save({ name: by.name }) } : { 'aria-labelledby': namedBy(by.nameId, SAVE_WORDS, m.card_save) }
  return (
    <a href={to(`/saved?listing=${id}`)} data-heart={id} {...label} className={className}>
      {/* Where the stylesheet is missing; it draws the heart in its place. */}♡
    </a>
  )
}

const SAVE_WORDS = 'to-save'

export const SaveWords = () => (
  <span hidden id={SAVE_WORDS}>
    {m.card_save({ name: '' })}
  </span>
)
