import { createContext, type ReactElement } from 'react'
import type { Locale } from '#src/kit/locale.ts'
import type { ContactSetting } from '#src/kit/settings.ts'

interface PageInfo {
  nonce: string | undefined
  requestId: string
  /** On the server only, as the parts that show it are drawn there: it need not travel as data, too. */
  contact?: ContactSetting & { isSample: boolean }
  /** On the server: the HTML of a part that only the server draws (kept-part.tsx), remembered unless it is personal. */
  drawPart?: (id: string, locale: Locale, part: ReactElement, isPersonal: boolean) => string
}

/** What the frame needs to know about its own response. */
export const PageInfo = createContext<PageInfo>({ nonce: undefined, requestId: '' })
