import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '#src/kit/vault.server.ts'

/** What a message carries to its device, so that the device can answer without a session: for one act on one row, and for nothing else. */
type Act = 'shown' | 'stop'

export const markFor = (vault: Vault, act: Act, id: number): string =>
  vault.mac(`push-${act}`, String(id)).subarray(0, 16).toString('base64url')

export function isMarkFor(vault: Vault, act: Act, id: number, mark: string): boolean {
  const expected = Buffer.from(markFor(vault, act, id))
  const given = Buffer.from(mark)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
