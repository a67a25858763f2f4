import { useEffect, type RefObject } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'

/**
 * The login had expired when the script sent this form: it is sent again as a document, and the server shows every word again next to
 * the login (content/frame/interrupted-form.tsx).
 */
export function useResubmitAfterLogin(form: RefObject<HTMLFormElement | null>, refused: FormRefusal | undefined): void {
  useEffect(() => {
    if (refused?.code === 'AUTH_REQUIRED') form.current?.submit()
  }, [form, refused])
}
