import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '#src/kit/vault.server.ts'

/** A mark travels in a message, so that the device can answer without a session. It authorises one act on one row. */
type Act = 'shown' | 'stop'

export const markFor = (vault: Vault, act: Act, id: number): string => marksFor(vault, act, id)[0]!

/** Messages carry the first mark; the others are from before a change of PEPPER. */
const marksFor = (vault: Vault, act: Act, id: number): string[] =>
  vault.macs(`push-${act}`, String(id)).map((mac) => mac.subarray(0, 16).toString('base64url'))

export function isMarkFor(vault: Vault, act: Act, id: number, mark: string): boolean {
  const given = Buffer.from(mark)
  return marksFor(vault, act, id).some((each) => given.length === each.length && timingSafeEqual(given, Buffer.from(each)))
}
