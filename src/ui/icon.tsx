import file from './icons.svg?url'

export type IconName =
  | 'back'
  | 'badge'
  | 'big'
  | 'boxes'
  | 'calendar'
  | 'camera'
  | 'cart'
  | 'chat'
  | 'close'
  | 'compare'
  | 'filter'
  | 'heart'
  | 'home'
  | 'lactation'
  | 'login'
  | 'mail'
  | 'menu'
  | 'mic'
  | 'milk'
  | 'next'
  | 'palette'
  | 'pause'
  | 'person'
  | 'phone'
  | 'pin'
  | 'play'
  | 'plus'
  | 'previous'
  | 'rows'
  | 'search'
  | 'sex'
  | 'share'
  | 'star'
  | 'stethoscope'
  | 'syringe'
  | 'tag'
  | 'teeth'
  | 'truck'
  | 'video'
  | 'wanted'
  | 'weight'

/**
 * An icon of the sheet (icon-sheet.tsx): a list of animals has a hundred of them, and no page carries their drawings.
 * The browser asks for the file with the first icon of the header, so it comes with the stylesheet; no preload of ours would be taken for it.
 */
export function Icon({ name, size = 24, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg aria-hidden="true" width={size} height={size} className={className}>
      <use href={`${file}#${name}`} />
    </svg>
  )
}
