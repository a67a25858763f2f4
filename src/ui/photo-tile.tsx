import type { ReactNode } from 'react'

interface PhotoTileProps {
  url: string
  alt: string
  /** Over the picture's corner, such as the position. */
  badge?: ReactNode
  /** Not uploaded yet. */
  isFaint?: boolean
  /** Facts about the picture, or its fields. */
  children: ReactNode
  /** After the fields, such as a button that removes the picture. */
  after?: ReactNode
}

/** One of several pictures in a form, with its controls. */
export const PhotoTile = ({ url, alt, badge, isFaint = false, children, after }: PhotoTileProps) => (
  <li className="flex min-w-0 items-center gap-3 rounded-control border border-line bg-field p-2">
    <div className="relative h-18 w-24 shrink-0 overflow-hidden rounded bg-husk-dark">
      <img
        src={url}
        alt={alt}
        // This browser cannot decode the picture, so hide it.
        onError={({ currentTarget }) => (currentTarget.hidden = true)}
        className={`h-full w-full object-cover ${isFaint ? 'opacity-50' : ''}`}
      />
      {badge && (
        <span className="absolute bottom-0 left-0 rounded-tr-control bg-ink/75 px-2 text-sm font-semibold text-white">{badge}</span>
      )}
    </div>
    <div className="grid min-w-0 grow gap-1 text-sm">{children}</div>
    {after}
  </li>
)
