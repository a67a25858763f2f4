import { useEffect, type RefObject } from 'react'
import type { FormRefusal } from '#src/kit/page.server.ts'

/**
 * The login was over when this was sent by script: it goes once more as a document, for which the server shows every word again beside
 * the login (content/kept-form.tsx).
 */
export function useKeptWords(form: RefObject<HTMLFormElement | null>, refused: FormRefusal | undefined): void {
  useEffect(() => {
    if (refused?.code === 'AUTH_REQUIRED') form.current?.submit()
  }, [form, refused])
}
