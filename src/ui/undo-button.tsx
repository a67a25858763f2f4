import { useEffect, useState, type ReactNode } from 'react'
import { UNDO_SECONDS } from '#src/kit/undo-seconds.ts'
import { m } from '#src/paraglide/messages.js'
import { HiddenFields, PostForm } from './post-form.tsx'
import { sendOnce } from './send-once.ts'

interface UndoProps {
  id?: string
  /** This page's address if missing. */
  action?: string
  /** Further fields of the form. */
  fields: Record<string, string>
  /** The shortcut of the button. */
  children?: ReactNode
}

/** The result of an act, with the button that undoes it if it can be undone. */
export const UndoableDone = ({ text, isUndoable, ...undo }: UndoProps & { text: string; isUndoable: boolean }) => (
  <div key={JSON.stringify(undo.fields)} role="status" className="flex flex-wrap items-center gap-x-4 done">
    <p>{text}</p>
    {isUndoable && <UndoButton {...undo} />}
  </div>
)

/** Disappears when the time is over. Without scripts the button stays, and the server refuses late undos. */
export function UndoButton({ id = 'undo', fields, children, ...form }: UndoProps) {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), UNDO_SECONDS * 1000)
    return () => clearTimeout(timer)
  }, [])
  if (isOver) return null
  return (
    <PostForm {...form} onSubmit={sendOnce}>
      <HiddenFields {...fields} />
      <button id={id} type="submit" className="button-plain relative min-h-9 overflow-hidden px-3">
        {m.verify_undo()} {children}
        <span aria-hidden="true" className="absolute bottom-0 left-0 h-1 animate-runs-out bg-leaf motion-reduce:hidden" />
      </button>
    </PostForm>
  )
}
