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
 * An icon of the sheet (icon-sheet.tsx). A list has a hundred icons, so pages do not contain their drawings. The browser requests the file with the
 * first icon of the header, early enough; it would not use a preload.
 */
export function Icon({ name, size = 24, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg aria-hidden="true" width={size} height={size} className={className}>
      <use href={`${file}#${name}`} />
    </svg>
  )
}
