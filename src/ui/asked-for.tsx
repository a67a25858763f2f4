import type { ReactNode } from 'react'
import { useIsFirstPaint } from './first-paint.ts'

/**
 * A field that a form asks for only after a certain choice. Without scripts the choice is unknown, so the field is always shown. While
 * scripts are still loading it is hidden from the start: else the buttons below would move under the finger when they arrive.
 */
export function AskedFor({ isAsked, children }: { isAsked: boolean; children: ReactNode }) {
  const isFirstPaint = useIsFirstPaint()
  return isAsked || isFirstPaint ? <div className={isAsked ? 'contents' : 'hidden noscript:contents'}>{children}</div> : null
}
