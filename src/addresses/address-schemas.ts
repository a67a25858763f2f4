import { z } from 'zod'
import { leftTo, readBy } from '#src/kit/text/text.ts'
import { parsePincode, readPhone } from '#src/kit/text/readers.ts'
import { MAX_ADDRESS_LINE } from './address-limits.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { addressTypes } from '#src/accounts/reference-data.ts'
import { personName } from '#src/accounts/schemas.ts'

/** Maximum raw length, checked first. No valid address is longer, however many combining marks its letters have. */
const MAX_RAW = 1000

const addressLine = z
  .string('field_address_blank')
  .max(MAX_RAW, { error: 'field_address_long', abort: true })
  .overwrite(singleLine)
  .refine((text) => text !== '', { error: 'field_address_blank', abort: true })
  .refine((text) => [...text].length <= MAX_ADDRESS_LINE, 'field_address_long')

const phone = z
  .string('field_address_phone_blank')
  .max(MAX_RAW, { error: 'field_phone_format', abort: true })
  .overwrite(singleLine)
  .refine((text) => text !== '', { error: 'field_address_phone_blank', abort: true })
  .transform(readBy(readPhone, 'field_phone_format'))

const typeId = z
  .union([z.string().regex(/^\s*\d{1,4}\s*$/, { error: 'field_address_type_blank', abort: true }), z.int()], 'field_address_type_blank')
  .transform(Number)
  .refine((id) => addressTypes.some((type) => type.id === id), 'field_address_type_blank')

/** Six digits in the usual spellings. The database decides whether the code exists. */
const pincode = z
  .union([leftTo('parsePincode', z.string().max(MAX_RAW, 'field_address_pincode_format')), z.int()], 'field_address_pincode_blank')
  .transform(String)
  .overwrite(singleLine)
  .refine((text) => text !== '', { error: 'field_address_pincode_blank', abort: true })
  .transform(readBy(parsePincode, 'field_address_pincode_format'))

/** The fields that a person fills in. Taluk, district, state and delivery come from our own table. */
export const addressInput = z.object({
  name: z.string('field_name_blank').pipe(personName),
  phone,
  typeId,
  address1: addressLine,
  address2: addressLine,
  pincode,
})
export type AddressInput = z.infer<typeof addressInput>
