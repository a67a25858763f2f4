import { createContext, type ReactElement } from 'react'
import type { Locale } from '#src/kit/text/locale.ts'
import type { ContactSetting } from '#src/kit/settings.ts'

interface PageInfo {
  nonce: string | undefined
  requestId: string
  /** Server only, because only the server renders the components that show it. */
  contact?: ContactSetting & { isSample: boolean }
  /** Server only: returns the HTML of a server-only component (router-seams/on-server.ts), cached unless it is personal. */
  renderPart?: (id: string, locale: Locale, part: ReactElement, isPersonal: boolean) => string
}

/** The page frame reads these from its own response. */
export const PageInfo = createContext<PageInfo>({ nonce: undefined, requestId: '' })
