import { useEffect, useRef, useState } from 'react'
import { mediaUrl, PICTURE_WIDTHS } from '#src/kit/media/media-url.ts'
import { watchSlowPicture } from './slow-pictures.ts'

interface PictureProps {
  mediaKey: string
  alt: string
  /** The box a picture fills, as CSS `sizes`; decides which width the browser takes. */
  sizes: string
  /** Not where the box has a size of its own, which the picture fills. */
  width?: number
  height?: number
  className?: string
  /** For the first picture of a page: fetched at once and first. */
  isFirst?: boolean
  /** A small box needs no large picture, however fine the screen. */
  isSmall?: boolean
}

/** AVIF, WebP or JPEG at three widths; its place is reserved before it arrives. */
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

/**
 * What stands in a picture's place until it has arrived: its average colour at once (an SVG fill, because the page's policy
 * allows no style attributes), its blurred likeness when somebody looks at it and it does not come.
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
