import { can } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'

const OFFICE = /^\/(admin|orders|vet-verify)(\/|$)/i
const VETS = /^\/vet-verify(\/|$)/i

/** Whether this is a desk's address, for viewers who have desks. `path` is without the language prefix. */
export const mayBeDesk = (path: string) => OFFICE.test(path)

/** Pages in the office's frame instead of the market's: without cart, newsletter and footer. */
export function isDeskPath(path: string, viewer: Viewer | null): boolean {
  if (can(viewer, 'operate')) return OFFICE.test(path)
  return can(viewer, 'be-vet') && VETS.test(path)
}

/** A bearer's run sheet, opened by its link: framed like a desk, without the office's rail. */
export const isBearersDay = (path: string) => /^\/bring\//i.test(path)
