import type { FocusEvent, ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface SheetProps {
  /** Unlike any other on the page: the `popoverTarget` of the button that opens it. */
  id: string
  title: ReactNode
  closeLabel: string
  children: ReactNode
}

/**
 * Over the page, opened by a plain button, without a script: `<button type="button" popoverTarget={id}>`. Esc, a tap beside it and
 * the cross close it, and so does the Tab key that leads out of it: nobody's focus stands under its shade. A browser that does not know popovers shows it in its place in the page, where everything works as well.
 */
export function Sheet({ id, title, closeLabel, children }: SheetProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears where the focus goes, and asks for none
    <div
      id={id}
      popover="auto"
      role="dialog"
      aria-labelledby={`${id}-title`}
      onBlur={closeBehindFocus}
      className="mx-0 mt-auto mb-0 max-h-[92dvh] w-full max-w-none overflow-y-auto rounded-t-card bg-paper text-ink shadow-card backdrop:bg-ink/60 md:m-auto md:max-w-lg md:rounded-card"
    >
      <div className="sticky top-0 z-10 flex items-center justify-between gap-2 border-b border-line bg-paper px-4 py-2">
        <h2 id={`${id}-title`} className="text-xl">
          {title}
        </h2>
        <button
          type="button"
          popoverTarget={id}
          popoverTargetAction="hide"
          aria-label={closeLabel}
          className="icon-button shrink-0 hover:bg-leaf-soft"
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="p-4">{children}</div>
    </div>
  )
}

function closeBehindFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover?.()
}
