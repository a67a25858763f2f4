import { createContext, type ReactElement } from 'react'
import type { Locale } from '#src/kit/locale.ts'

interface PageInfo {
  nonce: string | undefined
  requestId: string
  /** On the server: the HTML of a part that is the same on every page of a language (kept-part.tsx). */
  drawOnce?: (id: string, locale: Locale, part: ReactElement) => string
}

/** What the frame needs to know about its own response. */
export const PageInfo = createContext<PageInfo>({ nonce: undefined, requestId: '' })
