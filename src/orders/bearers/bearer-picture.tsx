import { m } from '#src/paraglide/messages.js'
import { Picture } from '#src/ui/picture.tsx'

export function BearerPicture({ name, pictureKey, isLarge = false }: { name: string; pictureKey: string | null; isLarge?: boolean }) {
  const size = isLarge ? 'size-24 text-4xl' : 'size-12 text-xl'
  return (
    <span className={`block shrink-0 overflow-hidden rounded-full bg-leaf-soft ${size}`}>
      {pictureKey ? (
        <Picture
          mediaKey={pictureKey}
          alt={m.profile_picture_of({ name })}
          sizes={isLarge ? '96px' : '48px'}
          width={96}
          height={96}
          isSmall
          className="size-full object-cover"
        />
      ) : (
        <span aria-hidden="true" className="flex size-full items-center justify-center font-bold text-leaf">
          {[...name][0]}
        </span>
      )}
    </span>
  )
}
