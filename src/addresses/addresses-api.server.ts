import { z } from '@hono/zod-openapi'
import { parsePincode } from '#src/kit/text/readers.ts'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, sendPublic, unchanged, type Api } from '#src/kit/http/api.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import type { FieldProblem } from '#src/kit/base/problem.ts'
import { MAX_ADDRESSES, MAX_ADDRESS_LINE } from './address-limits.ts'
import { addressInput } from './address-schemas.ts'
import { addAddress, getAddress, getPincodePlace, listAddresses, type SavedAddress } from './addresses.server.ts'
import { type PincodePlace, placeName } from './places.server.ts'
import { addDeliverablePincodes } from './pincodes-api.server.ts'
import { dropped, droppedFlags } from '#src/kit/http/dropped-fields.ts'

const COUNTRY = 'India'

const id = idInPath()

const ofOurTable = z.unknown().optional().openapi({ description: 'Ignored: derived from the PIN code.' })
const ofKnownPincode = z
  .unknown()
  .optional()
  .openapi({ description: 'Ignored: derived from the PIN code. A blank text is listed in `fields` if the PIN code is unknown.' })

const { name, phone, typeId, address1, address2, pincode } = addressInput.shape
const addressBody = z.strictObject({
  name,
  phone: phone.openapi({ example: '+919876543210' }),
  type: typeId.openapi({ type: 'integer', description: 'An id of address-type.' }),
  address_1: address1.openapi({ description: `At most ${MAX_ADDRESS_LINE} characters.` }),
  address_2: address2.openapi({ description: `At most ${MAX_ADDRESS_LINE} characters.` }),
  pincode: pincode.openapi({ type: 'string', example: '638701' }),
  user: z
    .union([z.string().regex(ID_PATTERN), z.int()], 'The id in the path, or leave it out.')
    .nullish()
    .openapi({ type: 'integer', description: 'The id in the path. Optional; any other id is refused.' }),
  city: ofKnownPincode,
  state: ofKnownPincode,
  country: ofKnownPincode,
  isdeliverable: ofOurTable,
  ...droppedFlags,
  ...dropped('usertype', 'created_by', 'createdon'),
})

const savedAddress = z
  .strictObject({
    id: z.int(),
    address: z.strictObject({
      name: z.string(),
      type: z.int().openapi({ description: 'An id of address-type.' }),
      address_1: z.string(),
      address_2: z.string(),
      taluk: z.string(),
      city: z.string().openapi({ description: 'The district.' }),
      state: z.string(),
      country: z.string(),
      pincode: z.string(),
      phone: z.string(),
      isdeliverable: z.boolean().openapi({ description: 'Whether delivery to the PIN code is offered at present.' }),
    }),
  })
  .openapi('SavedAddress')

const pincodePlace = z
  .strictObject({
    pincode: z.string(),
    taluk: z.string(),
    district: z.string(),
    state: z.string(),
    isdeliverable: z.boolean(),
  })
  .openapi('PincodePlace', { description: 'The place of a PIN code, in the language of the request.' })

/** B §5: a blank state, city or country is named beside a refused PIN code only. */
const blankPlaceOf = (sent: { city?: unknown; state?: unknown; country?: unknown }): FieldProblem[] =>
  [
    { field: 'state', value: sent.state, message: 'field_address_state_blank' },
    { field: 'city', value: sent.city, message: 'field_address_city_blank' },
    { field: 'country', value: sent.country, message: 'field_address_country_blank' },
  ].flatMap(({ field, value, message }) => (typeof value === 'string' && value.trim() === '' ? [{ field, message }] : []))

/** Rows 44 to 46 of api.md, and the PIN code lookup of the form. */
export function addAddressCalls(api: Api): void {
  addAddressBook(api)
  addAddressRead(api)
  addPincodePlace(api)
  addDeliverablePincodes(api)
}

function addAddressBook(api: Api): void {
  call(api, 'GET /user-address/user={id}', {
    tags: ['Accounts'],
    summary: "List a user's addresses",
    description: 'Newest first. People list their own addresses. Admins list those of any user, and each read is audited.',
    request: { params: z.object({ id: id.openapi({ description: "The user's id." }) }) },
    responses: {
      200: answer('The addresses, or an empty list.', z.array(savedAddress)),
      ...refusals('VALIDATION', 'NOT_FOUND'),
    },
    run: async (c) => sendPersonal(c, (await listAddresses(c.var.ctx, c.req.valid('param').id)).map(onWire)),
  })
  call(api, 'POST /user-address/user={id}', {
    tags: ['Accounts'],
    summary: 'Add an address',
    description: [
      `A user has at most ${MAX_ADDRESSES} addresses. Taluk, district, state and`,
      'deliverability are derived from the PIN code. Admins may add an address for a seller.',
    ].join(' '),
    request: { params: z.object({ id: id.openapi({ description: "The user's id." }) }), body: jsonBody(addressBody) },
    responses: {
      200: answer('The id of the address.', z.strictObject({ id: z.int() })),
      ...refusals('VALIDATION', 'NOT_FOUND', 'IDENTITY_MISMATCH', 'TOO_MANY_ADDRESSES'),
    },
    run: async (c) => {
      const { ctx } = c.var
      const ownerId = c.req.valid('param').id
      const { user, type, address_1, address_2, ...rest } = c.req.valid('json')
      const input = { name: rest.name, phone: rest.phone, typeId: type, address1: address_1, address2: address_2, pincode: rest.pincode }
      const named = { namedOwnerId: user == null ? ownerId : Number(user), blankPlace: blankPlaceOf(rest) }
      return sendPersonal(c, { id: await addAddress(ctx, ownerId, input, named) })
    },
  })
}

function addAddressRead(api: Api): void {
  call(api, 'GET /user-delivery-address/id={addressId}', {
    tags: ['Accounts'],
    summary: 'Retrieve an address',
    description: 'People read their own addresses; admins read any, which is audited. NOT_FOUND for other, removed and unknown ones.',
    request: { params: z.object({ addressId: id.openapi({ description: "The address's id." }) }) },
    responses: { 200: answer('The address.', savedAddress), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => sendPersonal(c, onWire(await getAddress(c.var.ctx, c.req.valid('param').addressId))),
  })
}

function addPincodePlace(api: Api): void {
  call(api, 'GET /pincode-place/pincode={pincode}', {
    tags: ['Accounts'],
    summary: 'Look up a PIN code',
    description: 'Returns taluk, district, state and deliverability, for example to fill in an address form.',
    request: {
      params: z.object({
        pincode: z
          .string()
          .refine((text) => parsePincode(text) === text, 'Six digits, the first not 0.')
          .openapi({ example: '638701' }),
      }),
    },
    responses: { 200: answer('The place.', pincodePlace), ...unchanged, ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx } = c.var
      return sendPublic(c, placeOnWire(await getPincodePlace(ctx, c.req.valid('param').pincode), ctx.locale))
    },
  })
}

const placeOnWire = ({ pincode, taluk, district, state, isDeliverable }: PincodePlace, locale: Locale): z.infer<typeof pincodePlace> => ({
  pincode,
  taluk: placeName(taluk, locale),
  district: placeName(district, locale),
  state: placeName(state, locale),
  isdeliverable: isDeliverable,
})

const onWire = (address: SavedAddress): z.infer<typeof savedAddress> => ({
  id: address.id,
  address: {
    name: address.name,
    type: address.typeId,
    address_1: address.address1,
    address_2: address.address2,
    taluk: address.taluk,
    city: address.district,
    state: address.state,
    country: COUNTRY,
    pincode: address.pincode,
    phone: address.phone,
    isdeliverable: address.isDeliverable,
  },
})
