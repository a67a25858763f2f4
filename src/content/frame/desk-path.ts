import { ADMIN_TYPE, VET_TYPE } from '#src/accounts/rules.ts'
import type { Viewer } from '#src/kit/context.ts'

/** Pages that stand in the office's frame instead of the market's: without cart, newsletter and footer. `path` without the language. */
export function isDeskPath(path: string, viewer: Viewer | null): boolean {
  if (viewer?.typeId === ADMIN_TYPE) return /^\/(admin|orders)(\/|$)/i.test(path)
  return viewer?.typeId === VET_TYPE && /^\/vet-verify(\/|$)/i.test(path)
}

/** The day of somebody who brings animals, opened by its link: framed like a desk, without the rail of the office. */
export const isBearersDay = (path: string) => /^\/bring\//i.test(path)
