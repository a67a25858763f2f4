import type { ReactNode } from 'react'
import { useIsFirstPaint } from './first-paint.ts'

/**
 * A field that a form shows only after a certain choice. Without scripts the choice is unknown, so the field is always visible. While scripts load it
 * is already hidden; otherwise the buttons below would move when the scripts arrive.
 */
export function AskedFor({ isAsked, children }: { isAsked: boolean; children: ReactNode }) {
  const isFirstPaint = useIsFirstPaint()
  return isAsked || isFirstPaint ? <div className={isAsked ? 'contents' : 'hidden noscript:contents'}>{children}</div> : null
}
