import { mediaUrl, PICTURE_WIDTHS } from '#src/kit/media-url.ts'

interface PictureProps {
  mediaKey: string
  alt: string
  /** The box a picture fills, as CSS `sizes`; decides which width the browser takes. */
  sizes: string
  width: number
  height: number
  className?: string
  /** For the first picture of a page: fetched at once and first. */
  isFirst?: boolean
}

/** AVIF, WebP or JPEG at three widths; its place is reserved before it arrives. */
export function Picture({ mediaKey, alt, sizes, width, height, className, isFirst = false }: PictureProps) {
  const sources = (format: 'avif' | 'webp') => PICTURE_WIDTHS.map((w) => `${mediaUrl(mediaKey, w, format)} ${w}w`).join(', ')
  return (
    <picture>
      <source type="image/avif" srcSet={sources('avif')} sizes={sizes} />
      <source type="image/webp" srcSet={sources('webp')} sizes={sizes} />
      <img
        src={mediaUrl(mediaKey, 640, 'jpeg')}
        alt={alt}
        width={width}
        height={height}
        className={className}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
      />
    </picture>
  )
}

/** The picture's own average colour until it has arrived: an SVG fill, because the page's policy allows no style attributes. */
export function ColorGround({ color }: { color: string }) {
  return (
    <svg aria-hidden="true" className="absolute inset-0 h-full w-full" preserveAspectRatio="none" viewBox="0 0 1 1">
      <rect width="1" height="1" fill={color} />
    </svg>
  )
}
