import { timingSafeEqual } from 'node:crypto'
import { inArray } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { localized } from '#src/kit/text/locale.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { invoices } from './tables.ts'

/**
 * The content of a document's QR code: a keyed hash of its number, and its id masked with that hash. It cannot be forged or derived from
 * another; it is the same at every rendering, and no table stores it.
 */
const TAG_BYTES = 12
const ID_BYTES = 6

interface Issued {
  id: number
  number: string
  issuedAt: Date
}

/** Lower-case hex, because paths match in any letter case. Uses the key of the document's day, so that the code never changes. */
export function checkCode(vault: Vault, { id, number, issuedAt }: Issued): string {
  const tag = tagOf(vault, { number, issuedAt })
  const hidden = Buffer.alloc(ID_BYTES)
  hidden.writeUIntBE(id, 0, ID_BYTES)
  return Buffer.concat([tag, masked(vault.macAsOf(issuedAt, 'invoice-check-id', tag), hidden)]).toString('hex')
}

const tagOf = (vault: Vault, { number, issuedAt }: Omit<Issued, 'id'>) =>
  vault.macAsOf(issuedAt, 'invoice-check', number).subarray(0, TAG_BYTES)

/** XOR: applying it twice restores the input. */
const masked = (mask: Buffer, bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ mask[at]!))

/** The address at which the holder of a document can check it. */
export const checkUrl = (ctx: Ctx, invoice: Issued) => ctx.publicOrigin + localized(`/verify/${checkCode(ctx.vault, invoice)}`, ctx.locale)

/** The data that the public page confirms: no names, no animals. */
export interface Confirmation {
  number: string
  issuedAt: Date
  /** Decimal rupees. */
  total: string
}

/** Null: we never issued such a document. */
export async function findConfirmation(ctx: Ctx, code: string): Promise<Confirmation | null> {
  if (!new RegExp(`^[0-9a-f]{${2 * (TAG_BYTES + ID_BYTES)}}$`, 'i').test(code)) return null
  const bytes = Buffer.from(code, 'hex')
  const tag = bytes.subarray(0, TAG_BYTES)
  // The key depends on the document's day, so try all keys.
  const ids = ctx.vault.macs('invoice-check-id', tag).map((mask) => masked(mask, bytes.subarray(TAG_BYTES)).readUIntBE(0, ID_BYTES))
  const found = await ctx.db
    .select({ number: invoices.number, issuedAt: invoices.issuedAt, snapshot: invoices.snapshot })
    .from(invoices)
    .where(inArray(invoices.id, ids))
  const invoice = found.find((each) => timingSafeEqual(tag, tagOf(ctx.vault, each)))
  if (!invoice) return null
  return { number: invoice.number, issuedAt: invoice.issuedAt, total: invoice.snapshot.payable }
}
