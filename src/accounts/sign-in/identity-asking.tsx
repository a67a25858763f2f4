import { useState, type ReactNode, type RefObject } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { askIdentity, type Asked } from './identity-calls.ts'

/** Sends one request at a time and keeps the latest answer until the next. */
export function useAsk() {
  const [state, setState] = useState<{ isAsking: boolean; refused?: Extract<Asked, { isTaken: false }> }>({ isAsking: false })
  const form = useFocusOnError(state.refused)
  async function ask(...question: Parameters<typeof askIdentity>): Promise<object | null> {
    if (state.isAsking) return null
    setState({ isAsking: true })
    const asked = await askIdentity(...question)
    setState(asked.isTaken ? { isAsking: false } : { isAsking: false, refused: asked })
    return asked.isTaken ? asked.answer : null
  }
  return { ask, form, isAsking: state.isAsking, refused: state.refused }
}

interface AskFormProps {
  /** The `form` of `useAsk`. */
  form: RefObject<HTMLFormElement | null>
  /** `by`: the button that was pressed. */
  onSend: (sent: HTMLFormElement, by: HTMLElement | null) => Promise<void>
  children: ReactNode
}

/** A step of the login modal: sends its form by fetch, without navigation. */
export function AskForm({ form, onSend, children }: AskFormProps) {
  const send = (event: React.SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    void onSend(event.currentTarget, event.nativeEvent.submitter)
  }
  return (
    <form ref={form} noValidate onSubmit={send} className="grid gap-4">
      {children}
    </form>
  )
}

export const textsOf = (form: HTMLFormElement) => Object.fromEntries(new FormData(form)) as Record<string, string | undefined>

export function Submit({ isAsking, label }: { isAsking: boolean; label: string }) {
  return (
    <button type="submit" aria-disabled={isAsking || undefined} className="button-primary aria-disabled:opacity-70">
      {isAsking ? m.accounts_sending() : label}
    </button>
  )
}
