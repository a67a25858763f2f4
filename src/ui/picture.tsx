import { useEffect, useRef, useState } from 'react'
import { mediaUrl, PICTURE_WIDTHS } from '#src/kit/media/media-url.ts'
import { watchSlowPicture } from './slow-pictures.ts'

interface PictureProps {
  mediaKey: string
  alt: string
  /** The rendered width as CSS `sizes`, by which the browser chooses a file. */
  sizes: string
  /** Omit these where the box has its own size. */
  width?: number
  height?: number
  className?: string
  /** For the first picture of a page: loaded first, with high priority. */
  isFirst?: boolean
  /** A small box never loads the largest file, even on a high-density screen. */
  isSmall?: boolean
}

/** A picture as AVIF, WebP or JPEG at three widths. Reserves its space before it loads. */
export function Picture({ mediaKey, alt, sizes, width, height, className, isFirst = false, isSmall = false }: PictureProps) {
  const widths = isSmall ? PICTURE_WIDTHS.filter((w) => w <= 640) : PICTURE_WIDTHS
  const sources = (format: 'avif' | 'webp') => widths.map((w) => `${mediaUrl(mediaKey, w, format)} ${w}w`).join()
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
        loading={isFirst ? undefined : 'lazy'}
        fetchPriority={isFirst ? 'high' : undefined}
      />
    </picture>
  )
}

type ThumbnailProps = Omit<PictureProps, 'alt' | 'sizes' | 'isSmall'> & { alt?: string; width: number }

/** A small picture, `width` CSS pixels wide. Without `alt` it is decoration, beside a name that says the same. */
export const Thumbnail = ({ alt = '', ...picture }: ThumbnailProps) => (
  <Picture alt={alt} sizes={`${picture.width}px`} isSmall {...picture} />
)

/**
 * The placeholder of a loading picture: first its average colour (an SVG fill, because the page's policy forbids style attributes), then a blurred
 * preview if the picture is visible and loads slowly.
 */
export function PictureGround({ color, hash }: { color: string; hash: string }) {
  const ground = useRef<SVGSVGElement>(null)
  const [likeness, setLikeness] = useState<string | null>(null)
  useEffect(() => watchSlowPicture(ground.current!, hash, setLikeness), [hash])
  return (
    <>
      <svg ref={ground} data-hash={hash} aria-hidden="true" className="ground" color={color} />
      {likeness && <img src={likeness} alt="" className="fill-picture" />}
    </>
  )
}
