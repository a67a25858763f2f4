import { and, desc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { invalidField, notFound, Problem, type FieldProblem } from '#src/kit/base/problem.ts'
import { can, placeFor } from '#src/accounts/policy.ts'
import { SELLER_TYPES } from '#src/accounts/rules.ts'
import { isHere, users } from '#src/accounts/tables.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { addressUse } from './address-use.server.ts'
import { MAX_ADDRESSES } from './address-limits.ts'
import type { PincodePlace } from './places.server.ts'
import type { AddressInput } from './address-schemas.ts'
import { addresses, pincodes } from './tables.ts'

export interface SavedAddress extends AddressInput, PincodePlace {
  id: number
}

const placeColumns = columnsOf(pincodes, 'pincode', 'taluk', 'district', 'state', 'isDeliverable')
const { id, name, phone, typeId, address1, address2, userId, removedAt } = getTableColumns(addresses)
const addressColumns = { id, name, phone, typeId, address1, address2, ...placeColumns }

/** NOT_FOUND for an unknown PIN code. */
export async function getPincodePlace(ctx: Ctx, pincode: string, unknown = notFound()): Promise<PincodePlace> {
  const [place] = await ctx.db.select(placeColumns).from(pincodes).where(eq(pincodes.pincode, pincode))
  if (!place) throw unknown
  return place
}

/** The same for a form's field: VALIDATION for an unknown PIN code. */
export const getTypedPlace = (ctx: Ctx, pincode: string) =>
  getPincodePlace(ctx, pincode, invalidField('pincode', 'field_address_pincode_unknown'))

/** All PIN codes with their delivery flag: about 19,400 rows, ordered by code. */
export async function listDeliverablePincodes(ctx: Ctx): Promise<{ pincode: string; isDeliverable: boolean }[]> {
  const { pincode, isDeliverable } = pincodes
  return ctx.db.select({ pincode, isDeliverable }).from(pincodes).orderBy(pincode)
}

/** An address book, newest first: the viewer's own, or any for an admin, for whom `placeFor` decides how numbers and streets are shown. */
export async function listAddresses(ctx: Ctx, ownerId: number): Promise<SavedAddress[]> {
  if (!can(ctx.viewer, 'see-own', { userId: ownerId })) throw notFound()
  const rows = await ctx.db
    .select(addressColumns)
    .from(addresses)
    .innerJoin(pincodes, eq(pincodes.pincode, addresses.pincode))
    .where(and(eq(addresses.userId, ownerId), isNull(addresses.removedAt)))
    .orderBy(desc(addresses.id))
  if (ctx.viewer?.id === ownerId) return rows
  if (rows.length === 0) await ensurePerson(ctx, ownerId)
  await audit(ctx, 'sensitive_read', `user:${ownerId}`, { what: 'addresses' })
  return rows.map((row) => placeFor(ctx.viewer, row, ownerId))
}

/** One address: the viewer's own, or any for an admin. NOT_FOUND for removed, other people's and unknown ones. */
export async function getAddress(ctx: Ctx, id: number): Promise<SavedAddress> {
  const [row] = await ctx.db
    .select({ ...addressColumns, ownerId: userId })
    .from(addresses)
    .innerJoin(pincodes, eq(pincodes.pincode, addresses.pincode))
    .where(and(eq(addresses.id, id), isNull(removedAt)))
  if (!row || !can(ctx.viewer, 'see-own', { userId: row.ownerId })) throw notFound()
  const { ownerId, ...address } = row
  if (ownerId !== ctx.viewer?.id) await audit(ctx, 'sensitive_read', `address:${id}`, { owner: ownerId })
  return placeFor(ctx.viewer, address, ownerId)
}

/**
 * Adds an address and returns its id: to the viewer's own book, or, for an admin who lists for a seller, to that seller's. NOT_FOUND for
 * other books, or when the owner was deactivated or erased meanwhile; IDENTITY_MISMATCH when the input names another owner
 * (`namedOwnerId`); VALIDATION for an unknown PIN code, with `blankPlace` beside it; TOO_MANY_ADDRESSES at the limit.
 */
export async function addAddress(
  ctx: Ctx,
  ownerId: number,
  input: AddressInput,
  { namedOwnerId = ownerId, blankPlace = [] }: { namedOwnerId?: number; blankPlace?: FieldProblem[] } = {},
): Promise<number> {
  await ensureMayAdd(ctx, ownerId)
  if (namedOwnerId !== ownerId) throw new Problem('IDENTITY_MISMATCH')
  await requirePlace(ctx, input.pincode, blankPlace)
  return inTransaction(ctx, async (ctx) => {
    // Lock the owner: concurrent additions to a book run one after the other, so two cannot both take the last place.
    const [owner] = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, ownerId), isHere))
      .for('no key update')
    if (!owner) throw notFound()
    const inBook = and(eq(addresses.userId, ownerId), isNull(addresses.removedAt))
    if ((await ctx.db.$count(addresses, inBook)) >= MAX_ADDRESSES) throw new Problem('TOO_MANY_ADDRESSES')
    const [row] = await ctx.db
      .insert(addresses)
      .values({ ...ownFields(input), userId: ownerId })
      .returning({ id: addresses.id })
    await audit(ctx, 'sensitive_create', `address:${row!.id}`, { owner: ownerId })
    return row!.id
  })
}

/**
 * Changes an own address and the place of its listings (address-use.server.ts) in one transaction. A transaction that links a listing to
 * the address must lock the address's row `for share`, or the listing keeps the old place. NOT_FOUND for another person's address.
 */
export async function changeAddress(ctx: Ctx, id: number, input: AddressInput): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    const before = await lockOwn(ctx, id)
    const place = await requirePlace(ctx, input.pincode)
    await ctx.db.update(addresses).set(ownFields(input)).where(eq(addresses.id, id))
    await audit(ctx, 'sensitive_update', `address:${id}`)
    if (before.pincode !== place.pincode) await addressUse().move(ctx, id, place)
  })
}

/** Removes an own address from the book. Its row stays, because listings and orders may reference it. */
export async function removeAddress(ctx: Ctx, id: number): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    await lockOwn(ctx, id)
    await ctx.db
      .update(addresses)
      .set({ removedAt: sql`now()` })
      .where(eq(addresses.id, id))
    await audit(ctx, 'sensitive_delete', `address:${id}`)
  })
}

const ownFields = ({ name, phone, typeId, address1, address2, pincode }: AddressInput) => ({
  name,
  phone,
  typeId,
  address1,
  address2,
  pincode,
})

async function lockOwn(ctx: Ctx, id: number): Promise<{ pincode: string }> {
  const [row] = await ctx.db
    .select({ pincode: addresses.pincode })
    .from(addresses)
    .where(and(eq(addresses.id, id), eq(addresses.userId, ctx.viewer?.id ?? 0), isNull(addresses.removedAt)))
    .for('no key update')
  if (!row) throw notFound()
  return row
}

async function requirePlace(ctx: Ctx, pincode: string, blankPlace: FieldProblem[] = []): Promise<PincodePlace> {
  const [place] = await ctx.db.select(placeColumns).from(pincodes).where(eq(pincodes.pincode, pincode))
  if (!place) throw new Problem('VALIDATION', { fields: [{ field: 'pincode', message: 'field_address_pincode_unknown' }, ...blankPlace] })
  return place
}

async function ensureMayAdd(ctx: Ctx, ownerId: number): Promise<void> {
  if (ctx.viewer?.id === ownerId) return
  const typeId = can(ctx.viewer, 'operate') ? await ensurePerson(ctx, ownerId) : null
  if (typeId === null || !SELLER_TYPES.includes(typeId)) throw notFound()
}

/** Returns the person's type; NOT_FOUND for an unknown, erased or deactivated person. */
async function ensurePerson(ctx: Ctx, id: number): Promise<number> {
  const [person] = await ctx.db
    .select({ typeId: users.typeId })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)))
  if (!person) throw notFound()
  return person.typeId
}
