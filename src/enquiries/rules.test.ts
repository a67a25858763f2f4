import { describe, expect, test } from 'vitest'
import type { Viewer } from '#src/kit/context.ts'
import { DAY } from '#src/kit/time-money/dates.ts'
import { can } from './policy.ts'
import { enquiryCode, isNew, isOpen, stateOf, verifiedOf } from './rules.ts'
import { checkEnquiry, type TypedEnquiry } from './schemas.ts'

const now = new Date('2026-11-21T06:00:00Z')
const ago = (days: number) => new Date(now.getTime() - days * DAY)
const person = (id: number, typeId: number): Viewer => ({ id, name: 'Selvi', typeId, vetApproved: false, superAdmin: false })
const poster = person(1, 1)
const buyer = person(2, 1)
const seller = person(3, 2)
const admin = person(9, 9)
const posterAsAdmin = person(1, 9)
const enquiry = (changes: Partial<{ isVerified: boolean | null; renewedAt: Date; closedAt: Date | null }> = {}) => ({
  posterId: 1,
  isVerified: true as boolean | null,
  renewedAt: ago(1),
  closedAt: null as Date | null,
  ...changes,
})

describe('an enquiry', () => {
  test.each([
    ['pending', { isVerified: null }],
    ['refused', { isVerified: false }],
    ['open', {}],
    ['open', { renewedAt: ago(90) }],
    ['expired', { renewedAt: new Date(ago(90).getTime() - 1) }],
    ['closed', { closedAt: now }],
    ['closed', { closedAt: now, isVerified: null }],
    ['pending', { isVerified: null, renewedAt: ago(200) }],
  ] as const)('is %s when %j', (state, changes) => {
    expect(stateOf(enquiry(changes), now)).toBe(state)
    expect(isOpen(enquiry(changes), now)).toBe(state === 'open')
  })

  test('is new for ten days, and wanted from then on', () => {
    expect(isNew({ createdAt: new Date(ago(10).getTime() + 1) }, now)).toBe(true)
    expect(isNew({ createdAt: ago(10) }, now)).toBe(false)
  })

  test('is verified, not verified, or pending verification', () => {
    expect([true, false, null].map((isVerified) => verifiedOf({ isVerified }))).toEqual(['verified', 'not-verified', 'pending'])
  })

  test('has a number to say on the phone', () => {
    expect([enquiryCode(7), enquiryCode(123_456)]).toEqual(['ENQ-00007', 'ENQ-123456'])
  })
})

describe('who may', () => {
  const everybody = [null, poster, buyer, seller, admin, posterAsAdmin]
  const may = (rule: (viewer: Viewer | null) => boolean) => everybody.map(rule)

  test('see a verified one: anybody logged in; any other: its poster and admins', () => {
    expect(may((viewer) => can(viewer, 'see-enquiry', enquiry()))).toEqual([false, true, true, true, true, true])
    for (const isVerified of [null, false])
      expect(may((viewer) => can(viewer, 'see-enquiry', enquiry({ isVerified })))).toEqual([false, true, false, false, true, true])
  })

  test('see the number: its poster and admins', () => {
    expect(may((viewer) => can(viewer, 'see-enquiry-contact', enquiry()))).toEqual([false, true, false, false, true, true])
  })

  test('judge: admins, but not their own, and not a closed one', () => {
    expect(may((viewer) => can(viewer, 'judge-enquiry', enquiry({ isVerified: null })))).toEqual([false, false, false, false, true, false])
    expect(may((viewer) => can(viewer, 'judge-enquiry', enquiry({ closedAt: now })))).toEqual([false, false, false, false, false, false])
  })

  test('close: its poster and admins; renew: its poster, once it was verified', () => {
    expect(may((viewer) => can(viewer, 'close-enquiry', enquiry({ isVerified: null })))).toEqual([false, true, false, false, true, true])
    expect(may((viewer) => can(viewer, 'renew-enquiry', enquiry({ renewedAt: ago(200) })))).toEqual([
      false,
      true,
      false,
      false,
      false,
      true,
    ])
    for (const changes of [{ isVerified: null }, { isVerified: false }, { closedAt: now }])
      expect(can(poster, 'renew-enquiry', enquiry(changes))).toBe(false)
  })

  test('answer: sellers, but not their own, while it is open', () => {
    expect(may((viewer) => can(viewer, 'answer-enquiry', { ...enquiry(), now: now }))).toEqual([false, false, false, true, true, false])
    for (const changes of [{ isVerified: null }, { isVerified: false }, { closedAt: now }, { renewedAt: ago(91) }])
      expect(can(seller, 'answer-enquiry', { ...enquiry(changes), now: now })).toBe(false)
  })
})

const good: TypedEnquiry = {
  categoryTypeId: '1',
  categoryId: '1',
  breedId: '101',
  ageId: '7',
  genderId: '0',
  colorId: '',
  description: ' உழவுக்கு ஒரு காளை\r\nவேண்டும் ',
  requiredCount: '0',
  acceptablePrice: '₹ 85,000.50',
  weightKg: '௩௫௦.௨௫',
  pincode: '638 701',
  postedFor: ' Selvi ',
  contact: '98765 43210',
}
const wrongIn = (changes: TypedEnquiry) => checkEnquiry({ ...good, ...changes }).problems.map(({ field, message }) => `${field} ${message}`)

describe('typed values', () => {
  test('are accepted in the forms that people write; gender 0 is female', () => {
    expect(checkEnquiry(good)).toEqual({
      problems: [],
      input: {
        categoryTypeId: 1,
        categoryId: 1,
        breedId: 101,
        ageId: 7,
        genderId: 0,
        colorId: null,
        description: 'உழவுக்கு ஒரு காளை\nவேண்டும்',
        requiredCount: 0,
        acceptablePrice: 850_005_000n,
        weightKg: 350.25,
        pincode: '638701',
        postedFor: 'Selvi',
        contact: '+919876543210',
      },
    })
  })

  test('all missing fields are reported at once', () => {
    expect(checkEnquiry({}).problems.map(({ field, message }) => `${field} ${message}`)).toEqual([
      'categoryTypeId field_enquiry_type',
      'description field_enquiry_details',
      'requiredCount field_enquiry_count_blank',
      'weightKg field_enquiry_weight_blank',
      'acceptablePrice field_enquiry_price_blank',
      'pincode field_address_pincode_blank',
      'postedFor field_name_blank',
      'contact field_address_phone_blank',
    ])
  })

  test.each<[TypedEnquiry, string[]]>([
    [{ categoryTypeId: '6' }, ['categoryTypeId field_enquiry_type']],
    [{ categoryId: '' }, ['categoryId field_enquiry_category']],
    [{ categoryTypeId: '2', categoryId: '' }, ['categoryId field_enquiry_category']],
    [{ categoryId: '21' }, ['categoryId field_enquiry_category']],
    [{ breedId: '201' }, ['breedId field_listing_breed']],
    [{ breedId: 'x' }, ['breedId field_listing_breed']],
    [{ requiredCount: '11' }, ['requiredCount field_enquiry_count']],
    [{ requiredCount: '1.5' }, ['requiredCount field_enquiry_count']],
    [{ weightKg: '0.3' }, ['weightKg field_enquiry_weight']],
    [{ weightKg: '5000.25' }, ['weightKg field_enquiry_weight']],
    [{ weightKg: '-1' }, ['weightKg field_enquiry_weight']],
    [{ acceptablePrice: '1.00005' }, ['acceptablePrice field_listing_price']],
    [{ acceptablePrice: '123456789' }, ['acceptablePrice field_listing_price']],
    [{ pincode: '63870' }, ['pincode field_address_pincode_format']],
    [{ contact: '12345' }, ['contact field_phone_format']],
    [{ contact: '971501234567' }, []],
    [{ description: 'x'.repeat(2001) }, ['description field_listing_description_long']],
    [{ description: ' \u200b ' }, ['description field_enquiry_details']],
    [{ description: 'Wanted: a star tortoise' }, ['description field_listing_wildlife']],
    [{ postedFor: 'a\u202eb' }, []],
    [{ postedFor: '\0' }, ['postedFor field_name_blank']],
    [{ postedFor: '...' }, ['postedFor field_name_letters']],
    [{ postedFor: 'Mani 98765 43210' }, ['postedFor field_name_phone']],
  ])('%j', (changes, expected) => {
    expect(wrongIn(changes)).toEqual(expected)
  })

  test('are dropped when the type has no such field: feeds have no breed, age, sex or colour, and need no category', () => {
    const { input } = checkEnquiry({ ...good, categoryTypeId: '4', categoryId: '', breedId: '101' })
    expect(input).toMatchObject({ categoryTypeId: 4, categoryId: null, breedId: null, ageId: null, genderId: null, colorId: null })
    expect(wrongIn({ categoryTypeId: '4', categoryId: '1' })).toEqual(['categoryId field_enquiry_category'])
    expect(checkEnquiry({ ...good, categoryTypeId: '4', categoryId: '21' }).input).toMatchObject({ categoryId: 21 })
  })
})
