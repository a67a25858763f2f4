import type { FocusEvent, ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon } from './icon.tsx'

interface SheetProps {
  /** Unique within the page: the `popoverTarget` of the button that opens it. */
  id: string
  title: ReactNode
  children: ReactNode
}

/**
 * A popover that a plain button opens without a script: `<button type="button" popoverTarget={id}>`. Esc, a tap outside and the cross close it.
 * Leaving it with the Tab key closes it too, so that the focus is never hidden behind it. A browser without popovers shows it inline, where
 * everything works as well.
 */
export function Sheet({ id, title, children }: SheetProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- observes focus changes and takes no focus itself
    <div
      id={id}
      popover="auto"
      role="dialog"
      aria-labelledby={`${id}-title`}
      onBlur={closeBehindFocus}
      className="mx-0 mt-auto mb-0 max-h-[92dvh] w-full max-w-none overflow-y-auto rounded-t-card bg-paper whitespace-normal text-ink shadow-card backdrop:bg-ink/60 md:m-auto md:max-w-lg md:rounded-card"
    >
      <div className="sheet-head gap-2">
        <h2 id={`${id}-title`} className="text-xl">
          {title}
        </h2>
        <button
          type="button"
          popoverTarget={id}
          popoverTargetAction="hide"
          aria-label={m.close()}
          className="icon-button shrink-0 hover:bg-leaf-soft"
        >
          <Icon name="close" />
        </button>
      </div>
      <div className="p-4">{children}</div>
    </div>
  )
}

interface SheetButtonProps extends Omit<SheetProps, 'title'> {
  label: ReactNode
  /** Defaults to the label. */
  title?: ReactNode
  className: string
}

/** A button and the sheet that it opens. */
export const SheetButton = ({ label, title = label, className, ...sheet }: SheetButtonProps) => (
  <>
    <button type="button" popoverTarget={sheet.id} className={className}>
      {label}
    </button>
    <Sheet {...sheet} title={title} />
  </>
)

/** 'Yes' submits the form around it, 'No' closes its sheet. */
export const YesOrNo = ({ sheet }: { sheet: string }) => (
  <div className="grid grid-cols-2 gap-2">
    <button type="submit" className="button-primary">
      {m.order_yes()}
    </button>
    <button type="button" popoverTarget={sheet} popoverTargetAction="hide" className="button-plain">
      {m.order_no()}
    </button>
  </div>
)

function closeBehindFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  if (relatedTarget && !currentTarget.contains(relatedTarget)) currentTarget.hidePopover?.()
}
