import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findPincode } from '#src/addresses/places.server.ts'
import { can } from '../accounts/policy.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { breeds, categories, colors, genders, livestockAges, vaccines } from '#src/listings/reference/reference-data.ts'
import { CLOSED_AFTER_DAYS, LAST_BELOW } from '#src/listings/life/rules.ts'
import { checkEnquiry } from '../enquiries/schemas.ts'
import { newReply, newThread } from '../forum/schemas.ts'
import { sampleEnquiries } from './sample-enquiries.ts'
import { sampleThreads } from './sample-forum.ts'
import { sampleListings } from './sample-listings.ts'
import { samplePeople } from './sample-people.ts'

const passed = sampleListings.filter((listing) => listing.verification === 'passed')
const isAnimal = (categoryId: number) => categories.find((c) => c.id === categoryId)!.typeId <= 2

describe('the sample market', () => {
  test('has the seven accounts of the README, one per role', () => {
    const account = (phone: string) => samplePeople.find((person) => person.phone === phone)
    expect([1, 2, 3, 4, 5, 6, 9].map((n) => account(`+91900000000${n}`)?.typeId)).toEqual([1, 2, 3, 4, 5, 5, 9])
    expect(account('+919000000005')!.vetApproved).toBe(true)
    expect(account('+919000000006')!.vetApproved).not.toBe(true)
    expect(account('+919000000009')!.superAdmin).toBe(true)
  })

  test('has about sixty listings of all six species, and feeds and equipment', () => {
    const counts = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, sampleListings.filter((listing) => listing.category === id).length]))
    for (const [id, count] of counts) expect(count, `category ${id}`).toBeGreaterThanOrEqual(4)
    expect(sampleListings.length).toBeGreaterThanOrEqual(60)
    expect(sampleListings.filter((listing) => !isAnimal(listing.category)).length).toBeGreaterThanOrEqual(4)
  })

  test('contains every state that a page must show', () => {
    const count = (is: (listing: (typeof sampleListings)[number]) => boolean) => sampleListings.filter(is).length
    expect(count((l) => l.sold !== undefined)).toBeGreaterThanOrEqual(2)
    expect(passed.filter((l) => l.stock > 1 && l.stock < LAST_BELOW).length).toBeGreaterThanOrEqual(2)
    expect(count((l) => l.touchedDaysAgo > CLOSED_AFTER_DAYS)).toBeGreaterThanOrEqual(2)
    expect(count((l) => l.offerRupees !== undefined)).toBeGreaterThanOrEqual(8)
    expect(count((l) => l.verification === 'pending')).toBeGreaterThanOrEqual(2)
    expect(count((l) => l.verification === 'failed')).toBeGreaterThanOrEqual(2)
    expect(count((l) => l.vetCheck?.approved === true)).toBeGreaterThanOrEqual(4)
    expect(count((l) => l.vetCheck?.approved === false)).toBeGreaterThanOrEqual(1)
    expect(count((l) => l.weightKg === 0)).toBeGreaterThanOrEqual(1)
    expect(count((l) => l.verification === 'withdrawn')).toBeGreaterThanOrEqual(1)
    expect(count((l) => l.vetCheck?.findings !== undefined)).toBeGreaterThanOrEqual(3)
  })

  test('has one listing with copied pictures and a copied ear tag', () => {
    const copied = sampleListings.filter((l) => l.verification === 'pending' && l.picturesOf !== undefined && l.tag !== undefined)
    expect(copied.length).toBeGreaterThanOrEqual(1)
    for (const copy of copied) {
      const original = passed.find((l) => l.key === copy.picturesOf)
      expect(original?.seller).not.toBe(copy.seller)
      expect(original?.tag).toBe(copy.tag)
      expect(original?.pictures).toBeGreaterThanOrEqual(copy.pictures)
    }
  })

  test.each(sampleListings.map((listing) => [listing.key, listing] as const))('listing %s is valid in the sell form', (_, listing) => {
    const category = categories.find((c) => c.id === listing.category)!
    const seller = samplePeople.find((person) => person.key === listing.seller)!
    expect(can({ id: 1, name: '', typeId: seller.typeId, vetApproved: false, superAdmin: false }, 'sell')).toBe(true)
    expect(seller.pickup && findPincode(seller.pickup.pincode)?.state).toBe('Tamil Nadu')
    for (let n = 1; n <= listing.pictures; n++)
      expect(existsSync(join(projectRoot, `demo/pictures/${listing.picturesOf ?? listing.key}-${n}.jpg`)), `picture ${n}`).toBe(true)
    if (category.typeId <= 2) {
      expect(breeds.find((b) => b.id === listing.breed)?.categoryId).toBe(listing.category)
      for (const [list, id] of [
        [livestockAges, listing.age],
        [genders, listing.gender],
        [colors, listing.color],
      ] as const)
        expect(list.some((row) => row.id === id)).toBe(true)
    } else {
      expect([listing.breed, listing.age, listing.gender, listing.color]).toEqual([null, null, null, null])
    }
    if (category.variantType !== 1)
      expect([listing.teethPairs, listing.pregnancies, listing.milkLitresPerDay, listing.offspring]).toEqual([
        undefined,
        undefined,
        undefined,
        undefined,
      ])
    if (category.typeId <= 2)
      for (const [, litres] of `${listing.name} ${listing.nameEn}`.matchAll(/(\d+) (?:litre|லிட்டர்)/g))
        expect(Number(litres)).toBe(listing.milkLitresPerDay)
    if (listing.gender !== 0) expect([listing.pregnancies, listing.milkLitresPerDay]).toEqual([undefined, undefined])
    if (listing.offerRupees !== undefined) expect(listing.offerRupees).toBeLessThan(listing.originalRupees)
    for (const { vaccine } of listing.vaccinations ?? [])
      expect(vaccines.find((v) => v.code === vaccine)?.categoryIds).toContain(listing.category)
    expect(listing.vaccinations?.length ?? 0).toBeLessThanOrEqual(category.typeId === 1 ? 2 : 0)
    expect(listing.touchedDaysAgo).toBeLessThanOrEqual(listing.listedDaysAgo)
    if (listing.verification === 'failed') expect(listing.verificationComment).toBeTruthy()
    expect(listing.name).toMatch(/[\u0B80-\u0BFF]/)
    expect(listing.nameEn).not.toMatch(/[\u0B80-\u0BFF]/)
    expect(`${listing.description}${listing.descriptionEn}`).not.toMatch(/\d{5,}/)
    expect(listing.name.normalize('NFC')).toBe(listing.name)
  })
})

describe('the sample enquiries are valid', () => {
  test.each(sampleEnquiries.map((enquiry) => [enquiry.words, enquiry] as const))('%s', (_, enquiry) => {
    const text = (value: number | undefined) => String(value ?? '')
    const typed = {
      categoryTypeId: text(enquiry.type),
      categoryId: text(enquiry.category),
      breedId: text(enquiry.breed),
      ageId: text(enquiry.age),
      genderId: text(enquiry.gender),
      colorId: text(enquiry.color),
      description: enquiry.words,
      requiredCount: text(enquiry.count),
      acceptablePrice: text(enquiry.upToRupees),
      weightKg: text(enquiry.weightKg ?? 0),
      pincode: enquiry.pincode,
      postedFor: 'Selvi',
      contact: '+919000000001',
    }
    expect(checkEnquiry(typed).problems).toEqual([])
    expect(findPincode(enquiry.pincode)).not.toBeNull()
    expect(samplePeople.some(({ key }) => key === enquiry.by)).toBe(true)
    for (const key of enquiry.offers ?? []) expect(passed.find((listing) => listing.key === key)?.category).toBe(enquiry.category)
  })
})

describe('the sample forum posts are valid', () => {
  test.each(sampleThreads.map((thread) => [thread.words, thread] as const))('%s', (_, { by, words, likedBy = [], replies = [], flag }) => {
    expect(newThread.parse({ content: words }).content).toBe(words)
    for (const reply of replies) expect(newReply.parse({ reply: reply.words }).reply).toBe(reply.words)
    for (const key of [by, ...likedBy, ...replies.map((reply) => reply.by), ...(flag ? [flag.by] : [])])
      expect(
        samplePeople.some((person) => person.key === key),
        key,
      ).toBe(true)
  })
})
