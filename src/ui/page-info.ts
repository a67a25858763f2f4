import { createContext, type ReactElement } from 'react'
import type { Locale } from '#src/kit/text/locale.ts'
import type { ContactSetting } from '#src/kit/settings.ts'

interface PageInfo {
  nonce: string | undefined
  requestId: string
  /** On the server only, as the components that show it are rendered there: it need not travel as data, too. */
  contact?: ContactSetting & { isSample: boolean }
  /** On the server: the HTML of a component that only the server renders (kept-part.tsx), cached unless it is personal. */
  renderPart?: (id: string, locale: Locale, part: ReactElement, isPersonal: boolean) => string
}

/** What the frame needs to know about its own response. */
export const PageInfo = createContext<PageInfo>({ nonce: undefined, requestId: '' })
