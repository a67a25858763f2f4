interface HomePictureProps {
  name: 'trust' | 'sell' | 'door' | 'market' | 'goal'
  /** The rendered width, as CSS `sizes`. */
  sizes: string
  /** Its size: reserves the place while the picture loads. */
  className: string
  /** The first one of the page: loaded eagerly with high priority. */
  isFirst?: boolean
}

/** One of the drawings of public/home/ (scripts/draw-home.ts). Each stands beside words that say the same, so it has none itself. */
export function HomePicture({ name, sizes, className, isFirst = false }: HomePictureProps) {
  const sources = (format: 'avif' | 'webp') => `/home/${name}-720.${format} 720w, /home/${name}-960.${format} 960w`
  return (
    <div className={`overflow-hidden bg-husk-dark ${className}`}>
      <picture className="contents">
        <source type="image/avif" srcSet={sources('avif')} sizes={sizes} />
        <img
          src={`/home/${name}-720.webp`}
          srcSet={sources('webp')}
          sizes={sizes}
          alt=""
          width={960}
          height={540}
          loading={isFirst ? 'eager' : 'lazy'}
          fetchPriority={isFirst ? 'high' : 'auto'}
          // The first one is rendered with the words around it, not a frame later.
          decoding={isFirst ? 'sync' : 'async'}
          className="h-full w-full object-cover"
        />
      </picture>
    </div>
  )
}
