import { useEffect, useRef, type ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { entryOver } from '#src/router-seams/history-entry.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  /** Unique within the page. */
  id: string
  title: string
  onClose: () => void
  children: ReactNode
}

/**
 * A modal dialog, open while it is rendered. Back, Esc, a click outside and the cross close it; the browser traps the focus and restores it afterwards.
 * Buttons inside use `closeDialogOf`.
 */
export function Dialog({ id, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const entry = useRef<ReturnType<typeof entryOver>>(null)
  const focused = useRef<Element>(null)
  const giveFocusBack = () => void (focused.current instanceof HTMLElement && focused.current.focus({ preventScroll: true }))
  useEffect(() => {
    focused.current = document.activeElement
    if (!dialog.current?.open) dialog.current?.showModal()
    entry.current = entryOver(() => dialog.current?.close())
    return () => {
      entry.current?.leave()
      giveFocusBack()
    }
  }, [])
  // The focused element disappeared with the previous step, so move the focus; screen readers announce the new step.
  useEffect(() => dialog.current?.querySelector<HTMLElement>('form input:not([type=hidden])')?.focus(), [title])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      onClose={() => {
        if (entry.current) void entry.current.takeBack().then(onClose)
        else onClose()
      }}
      onPointerDown={(event) => event.target === event.currentTarget && event.currentTarget.close()}
      className="m-0 mt-auto max-h-[92dvh] w-full scroll-pt-36 max-w-none overflow-y-auto rounded-t-card bg-paper p-0 shadow-card backdrop:bg-ink/60 md:m-auto md:max-w-lg md:rounded-card"
    >
      <div className="sheet-head">
        <h2 id={`${id}-title`} tabIndex={-1} className="text-xl outline-none">
          {title}
        </h2>
        <button type="button" aria-label={m.close()} onClick={() => dialog.current?.close()} className="icon-button hover:bg-leaf-soft">
          <Icon name="close" />
        </button>
      </div>
      <div className="p-4">{children}</div>
    </dialog>
  )
}

export const closeDialogOf = (element: Element): void => element.closest('dialog')?.close()
