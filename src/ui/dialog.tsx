import { useEffect, useRef, type ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface DialogProps {
  /** Unlike any other on the page. */
  id: string
  title: string
  closeLabel: string
  onClose: () => void
  children: ReactNode
}

/**
 * Over the page, as long as it is rendered. Esc, the ground beside it and the cross close it; the browser keeps the focus inside
 * and gives it back to what had it.
 */
export function Dialog({ id, title, closeLabel, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    if (!dialog.current?.open) dialog.current?.showModal()
    return () => {
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [])
  // The focused element went with the step before; screen readers announce where one is.
  useEffect(() => dialog.current?.querySelector<HTMLElement>('form input:not([type=hidden])')?.focus(), [title])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      onClose={onClose}
      onPointerDown={(event) => event.target === event.currentTarget && event.currentTarget.close()}
      className="m-0 mt-auto max-h-[92dvh] w-full max-w-none overflow-y-auto rounded-t-card bg-paper p-0 shadow-card backdrop:bg-ink/60 md:m-auto md:max-w-lg md:rounded-card"
    >
      <div className="sticky top-0 z-10 flex items-center justify-between border-b border-line bg-paper px-4 py-2">
        <h2 id={`${id}-title`} tabIndex={-1} className="text-xl outline-none">
          {title}
        </h2>
        <button type="button" aria-label={closeLabel} onClick={() => dialog.current?.close()} className="icon-button hover:bg-leaf-soft">
          <Icon name="close" />
        </button>
      </div>
      <div className="p-4">{children}</div>
    </dialog>
  )
}
