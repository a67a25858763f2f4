import { useEffect, type RefObject } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'

/**
 * Submits the form again as a document when the login had expired on the script's submit: the server then shows the typed text next to the
 * login (content/site-frame/interrupted-form.tsx).
 */
export function useResubmitAfterLogin(form: RefObject<HTMLFormElement | null>, refused: FormRefusal | undefined): void {
  useEffect(() => {
    if (refused?.code === 'AUTH_REQUIRED') form.current?.submit()
  }, [form, refused])
}
