import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'

interface SaveHeartProps {
  id: number
  name: string
  className?: string
}

/**
 * A heart that saves an animal where one is (hearts-script.ts). The page may be everybody's: whose hearts are full is found out in the
 * browser. Without scripts it is a link to the page that asks and saves.
 */
export function SaveHeart({ id, name, className = 'heart-on-card' }: SaveHeartProps) {
  const to = useLocalPath()
  return (
    <a
      href={to(`/saved?listing=${id}`)}
      data-heart={id}
      aria-label={m.card_save({ name })}
      rel="nofollow"
      className={`group/heart ${className}`}
    >
      <Icon name="heart" size={22} className="fill-none group-aria-pressed/heart:fill-current" />
    </a>
  )
}
