import { useState, type ComponentProps } from 'react'
import { shrinkChosen } from '#src/kit/device/send-picture.ts'
import { FieldFrame, framedBox, type FieldFrameProps } from './field.tsx'

interface FileFieldProps extends FieldFrameProps, Omit<ComponentProps<'input'>, 'id'> {
  name: string
}

const KINDS = 'image/jpeg,image/png'

/** Photos from the phone: JPEG or PNG. They are read and made small as soon as they are chosen. */
export function FileField({ id, label, hint, error, isRequired = false, ...input }: FileFieldProps) {
  const [unread, setUnread] = useState('')
  const frame = { id, hint, error: unread || error, isRequired }
  const take = async (chosen: HTMLInputElement) => {
    const messages = await shrinkChosen(chosen)
    if (messages) setUnread(messages.join(' '))
  }
  return (
    <FieldFrame {...frame} label={label}>
      <input
        type="file"
        accept={KINDS}
        {...framedBox(frame)}
        onChange={(event) => void take(event.currentTarget)}
        {...input}
        className="min-h-11 w-full text-sm file:mr-2 file:min-h-11 file:cursor-pointer file:rounded-control file:border file:border-leaf file:bg-paper file:px-3 file:font-semibold file:text-leaf"
      />
    </FieldFrame>
  )
}

/** A button that picks pictures. With scripts the whole button is the file input; without them the chosen file name must be visible. */
export const FileButton = ({ className = '', children, ...input }: ComponentProps<'input'>) => (
  <label className={`relative noscript:flex-wrap focus-within:outline-3 focus-within:outline-turmeric ${className}`}>
    {children}
    <input
      type="file"
      accept={KINDS}
      {...input}
      className="absolute inset-0 h-full w-full cursor-pointer opacity-0 noscript:static noscript:h-auto noscript:min-w-0 noscript:text-sm noscript:opacity-100"
    />
  </label>
)
