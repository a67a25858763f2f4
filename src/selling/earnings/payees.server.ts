import { requireOwnPassword } from '#src/accounts/identity/login.server.ts'
import { findReceiver, smsTo } from '#src/accounts/notifications/receivers.server.ts'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import { anyPassword, personName } from '#src/accounts/schemas.ts'
import { notFound } from '#src/kit/base/problem.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { plainAccount, plainIfsc, plainUpi } from '#src/kit/text/readers.ts'
import { m } from '#src/paraglide/messages.js'
import { payees } from '../tables.ts'
import { eq, inArray } from 'drizzle-orm'
import { z } from 'zod'

/** The longest text that a field of these reads: a payment link with its other parts. */
const MAX_PASTE = 300
/** NPCI: a name and the handle of a payment app. */
const UPI = /^[a-z\d][a-z\d._-]{1,254}@[a-z][a-z\d]{1,63}$/
/** Indian banks number accounts with 9 to 18 digits (RBI, NEFT). */
const ACCOUNT = /^(?!0+$)\d{9,18}$/
/** RBI: four letters of the bank, a zero, six signs of the branch. */
const IFSC = /^[A-Z]{4}0[A-Z\d]{6}$/

const account = z.string('field_account').max(MAX_PASTE, 'field_account').overwrite(plainAccount)
const upiPayee = z.object({
  method: z.literal('upi'),
  holder: personName,
  upi: z.string('field_upi').max(MAX_PASTE, 'field_upi').overwrite(plainUpi).regex(UPI, 'field_upi'),
})
const bankPayee = z.object({
  method: z.literal('bank'),
  holder: personName,
  account: account.regex(ACCOUNT, 'field_account'),
  ifsc: z.string('field_ifsc').max(MAX_PASTE, 'field_ifsc').overwrite(plainIfsc).regex(IFSC, 'field_ifsc'),
})

/** The account that a seller's earnings are sent to, as it is sealed in the database. */
export const payeeShape = z.discriminatedUnion('method', [upiPayee, bankPayee], 'field_settle_method')
export type Payee = z.output<typeof payeeShape>

/** The form's password is empty for people who log in with codes. */
const password = anyPassword.or(z.literal('').transform(() => undefined))
/** The number is typed twice, because no bank checks it against the name. */
const typedTwice = bankPayee
  .extend({ again: account, password })
  .refine((typed) => typed.again === typed.account, { path: ['again'], message: 'field_account_again' })
export const typedPayee = z.discriminatedUnion('method', [upiPayee.extend({ password }), typedTwice], 'field_settle_method')

/** The account in one line: a UPI id, or number and IFSC. */
export const payeeText = (payee: Payee): string => (payee.method === 'upi' ? payee.upi : `${payee.account} · ${payee.ifsc}`)

/** The same for a phone that others may look at, and for SMS: the last four digits, or the id without its middle. */
export const maskedPayee = (payee: Payee): string =>
  payee.method === 'upi' ? payee.upi.replace(/^(..).*(?=@)/, '$1xxx') : `xxxx${payee.account.slice(-4)}`

export const sealPayee = (ctx: Ctx, payee: Payee): Buffer => ctx.vault.seal('payee', JSON.stringify(payee))
export const openPayee = (ctx: Ctx, sealed: Buffer): Payee => payeeShape.parse(JSON.parse(ctx.vault.open('payee', sealed)))

export interface KnownPayee {
  payee: Payee
  changedAt: Date
}

/**
 * The accounts of these sellers. For an admin, or for a person's own; NOT_FOUND for others. The caller audits an
 * admin's read.
 */
export async function findPayees(ctx: Ctx, userIds: number[]): Promise<Map<number, KnownPayee>> {
  const viewer = requireLoggedIn(ctx)
  if (!userIds.every((userId) => can(viewer, 'see-own', { userId }))) throw notFound()
  const rows = userIds.length === 0 ? [] : await ctx.db.select().from(payees).where(inArray(payees.userId, userIds))
  return new Map(rows.map(({ userId, sealed, changedAt }) => [userId, { payee: openPayee(ctx, sealed), changedAt }]))
}

/**
 * Saves the account that the viewer's earnings are sent to, with their password, and tells them by SMS, because a
 * stranger in the account would change it first. The same account again changes nothing. Raises AUTH_REQUIRED,
 * PASSWORD_WRONG, PROOF_NEEDED, RATE_LIMITED.
 */
export async function savePayee(ctx: Ctx, payee: Payee, password: string | undefined): Promise<void> {
  const { id } = requireLoggedIn(ctx)
  await requireOwnPassword(ctx, password)
  await inTransaction(ctx, async (ctx) => {
    const known = (await findPayees(ctx, [id])).get(id)
    if (known && JSON.stringify(known.payee) === JSON.stringify(payee)) return
    const values = { sealed: sealPayee(ctx, payee), changedAt: ctx.now }
    await ctx.db
      .insert(payees)
      .values({ userId: id, ...values })
      .onConflictDoUpdate({ target: payees.userId, set: values })
    await audit(ctx, 'payee_changed', `user:${id}`)
    const receiver = await findReceiver(ctx, id)
    const account = maskedPayee(payee)
    if (receiver) await queueMessage(ctx, smsTo(receiver, 'payee-changed', { account }, m.sms_payee_changed({ account }, receiver)))
  })
}

/** Deletes the viewer's account details. Raises AUTH_REQUIRED. */
export async function removePayee(ctx: Ctx): Promise<void> {
  const { id } = requireLoggedIn(ctx)
  await inTransaction(ctx, async (ctx) => {
    const [removed] = await ctx.db.delete(payees).where(eq(payees.userId, id)).returning({ id: payees.id })
    if (removed) await audit(ctx, 'payee_removed', `user:${id}`)
  })
}
