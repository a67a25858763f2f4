interface HomePictureProps {
  name: 'market' | 'goal'
  /** The rendered width, as CSS `sizes`. */
  sizes: string
  /** Its size, which reserves the space while the picture loads. */
  className: string
  /** The first picture of the page: loaded eagerly with high priority. */
  isFirst?: boolean
}

/** A drawing of public/home/. The text beside it says the same, so it needs no alt text. */
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
          // Decode the first picture synchronously, so that it appears in the same frame as the text.
          decoding={isFirst ? 'sync' : 'async'}
          className="h-full w-full object-cover"
        />
      </picture>
    </div>
  )
}
