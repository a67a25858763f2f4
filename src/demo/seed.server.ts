import { eq, sql } from 'drizzle-orm'
import { makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { loadedData } from '../accounts/tables.ts'
import type { Ctx, Viewer } from '../kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { settleInvoice } from '../invoices/commands.server.ts'
import { getInvoice } from '../invoices/queries.server.ts'
import { moneyIn } from '../invoices/rules.ts'
import { rupees } from '#src/kit/time-money/money.ts'
import { hashPassword } from '../kit/passwords.server.ts'
import { factsFrom, fieldTable } from '#src/listings/fields/field-table.ts'
import { makeListing, makeVaccination, type PhotoRow } from '../listings/makers.server.ts'
import { makeVerification } from '#src/verification/makers.server.ts'
import { makeVetCheck } from '#src/health/makers.server.ts'
import { vaccines } from '#src/listings/reference/reference-data.ts'
import { contactTaps, listingViews } from '../listings/tables.ts'
import { SAMPLE_MARKET } from '#src/market/market-marks.server.ts'
import type { Market } from '#src/market/market.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { ON_THE_WAY, type OrderStatus } from '../orders/process.server.ts'
import { orders } from '../orders/tables.ts'
import { makeSecondLook } from '../verification/makers.server.ts'
import { addSampleEnquiries } from './sample-enquiries.ts'
import { addSampleForum } from './sample-forum.ts'
import { addSampleMarketDays } from './sample-market-days.ts'
import { sampleListings, type SampleListing } from './sample-listings.ts'
import { samplePeople } from './sample-people.ts'
import { processSamplePictures, samplePictures } from './sample-pictures.server.ts'

const PASSWORD = 'sandhai-demo'
/** A lock for two processes that start together: the second finds the market seeded. */
const SEED_LOCK = 7_263_426

/**
 * Seeds an empty demo market with people and animals; the pictures pass the same pipeline as uploads. It processes the pictures first and then
 * inserts all rows in one transaction, so a kill leaves an empty market and the next start repeats it. Does nothing in live mode or in a seeded
 * market.
 */
export async function seedSampleMarket(market: Market, say: (line: string) => void): Promise<void> {
  const { db } = market.database
  if (market.env.mode !== 'demo' || (await isSeeded(db))) return
  const photos = await savePictures(market, say)
  const passwordHash = await hashPassword(market.vault, PASSWORD)
  const ctx: Ctx = {
    db,
    viewer: null,
    locale: 'ta',
    now: new Date(),
    requestId: 'seed',
    // The sample orders of a first start are no events of the market.
    log: market.log.child({}, { level: 'warn' }),
    browserId: null,
    sessionId: null,
    vault: market.vault,
    publicOrigin: market.env.publicOrigin,
  }
  const done = await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(sql`set local statement_timeout = '60s'`)
    await ctx.db.execute(sql`set local lock_timeout = '60s'`)
    await ctx.db.execute(sql`select pg_advisory_xact_lock(${SEED_LOCK})`)
    if (await isSeeded(ctx.db)) return false
    const people = await addPeople(ctx, passwordHash)
    const ids = new Map<string, number>()
    for (const listing of sampleListings) ids.set(listing.key, await addListing(ctx, listing, people, photos.get(listing.key)!))
    await addOrders(ctx, people, ids)
    await addSampleEnquiries(ctx, people.idOf, ids)
    await addSampleForum(ctx, people.idOf)
    await addSampleMarketDays(ctx)
    await ctx.db.insert(loadedData).values({ name: SAMPLE_MARKET, hash: '1', rows: sampleListings.length })
    return true
  })
  if (!done) for (const row of [...photos.values()].flat()) await market.media.remove(row.mediaKey)
}

async function isSeeded(db: Ctx['db']): Promise<boolean> {
  return (await db.select().from(loadedData).where(eq(loadedData.name, SAMPLE_MARKET))).length > 0
}

async function savePictures(market: Market, say: (line: string) => void): Promise<Map<string, PhotoRow[]>> {
  const rows = new Map<string, PhotoRow[]>(sampleListings.map(({ key }) => [key, []]))
  say(`First start: preparing the sample market (${sampleListings.length} listings, ${samplePictures.length} pictures) …`)
  let finished = 0
  await processSamplePictures(market.env.samplePicturesDir, async ({ listing, index }, picture) => {
    const mediaKey = await market.media.save(picture)
    const { width, height, thumbhash, averageColor, dhash, sha256 } = picture
    rows.get(listing)![index] = { mediaKey, width, height, thumbhash, averageColor, dhash, sha256 }
    if (++finished % 30 === 0) say(`  ${finished} of ${samplePictures.length} pictures`)
  })
  return rows
}

/** Orders of Selvi and Kavitha in every state that a buyer can see, and Murugesan's payments. Oldest first, so that their numbers are in order. */
async function addOrders(ctx: Ctx, { idOf, pickupOf }: People, ids: Map<string, number>): Promise<void> {
  const viewer = (key: string): Viewer => {
    const { typeId, name } = samplePeople.find((person) => person.key === key)!
    return { id: idOf.get(key)!, name, typeId, vetApproved: false, superAdmin: false }
  }
  const admin = viewer('admin')
  const bearer = await makeBearer(ctx, { name: 'சக்திவேல்', phone: '+919000000041' })
  await makeBearer(ctx, { name: 'முத்துலட்சுமி', phone: '+919000000042' })
  for (const { by, of, count, status, daysAgo, settledDaysAgo } of sampleOrders) {
    const pastCtx = { ...ctx, now: daysBefore(ctx.now, daysAgo) }
    const seller = viewer(sampleListings.find(({ key }) => key === of)!.seller)
    const people = { buyer: viewer(by), seller, admin, addressId: pickupOf.get(by)!.id }
    const { id } = await makeOrder(pastCtx, { ...people, listingId: ids.get(of)!, count, status })
    if (status === ON_THE_WAY) await ctx.db.update(orders).set({ listedBearerId: bearer.id }).where(eq(orders.id, id))
    if (settledDaysAgo === undefined) continue
    const settled = { ...ctx, viewer: admin, now: daysBefore(ctx.now, settledDaysAgo) }
    const { id: paperId, snapshot } = await getInvoice(settled, id, 'commission')
    const amount = moneyIn(snapshot.total) - moneyIn(snapshot.payable)
    await settleInvoice(settled, paperId, { amount, method: 'bank', reference: 'SAMPLE-0001', paidOn: indianDay(settled.now), seen: 0 })
  }
}

interface SampleOrder {
  by: 'selvi' | 'kavitha'
  /** The key of the listing. */
  of: string
  count: number
  status: OrderStatus
  daysAgo: number
  /** For a delivered order: the seller has been paid. */
  settledDaysAgo?: number
}

const sampleOrders: SampleOrder[] = [
  { by: 'selvi', of: 'country-kids', count: 2, status: 6, daysAgo: 9 },
  { by: 'kavitha', of: 'coimbatore-kurumbai', count: 2, status: 6, daysAgo: 6, settledDaysAgo: 4 },
  { by: 'kavitha', of: 'country-chicks', count: 10, status: 100, daysAgo: 3 },
  { by: 'selvi', of: 'country-chicks', count: 20, status: 5, daysAgo: 2 },
  { by: 'kavitha', of: 'coimbatore-kurumbai', count: 1, status: 5, daysAgo: 1 },
  { by: 'selvi', of: 'milk-can', count: 1, status: 1, daysAgo: 0 },
  { by: 'kavitha', of: 'milk-can', count: 1, status: 1, daysAgo: 0 },
]

type Words = Pick<SampleListing, 'name' | 'nameEn' | 'description' | 'descriptionEn'>

interface People {
  idOf: Map<string, number>
  pickupOf: Map<string, { id: number; pincode: string }>
}

/** The PAN of every verified seller of the sample market. No real one has four zeros. */
const SAMPLE_PAN = 'AAAPS0000A'

async function addPeople(ctx: Ctx, passwordHash: string): Promise<People> {
  const idOf = new Map<string, number>()
  const pickupOf: People['pickupOf'] = new Map()
  for (const person of samplePeople) {
    const user = await makeUser(ctx, {
      phone: person.phone,
      name: person.name,
      typeId: person.typeId,
      titleId: person.titleId,
      degree: person.degree ?? null,
      vetApproved: person.vetApproved ?? false,
      superAdmin: person.superAdmin ?? false,
      isVerified: person.verifiedSeller ?? false,
      panSealed: person.verifiedSeller ? ctx.vault.seal('pan', SAMPLE_PAN) : null,
      passwordHash,
      isSample: true,
    })
    idOf.set(person.key, user.id)
    if (!person.pickup) continue
    const { name, address1, address2, pincode } = person.pickup
    pickupOf.set(person.key, { id: await makeAddress(ctx, user.id, { name, phone: person.phone, address1, address2, pincode }), pincode })
  }
  for (const person of samplePeople) {
    for (const review of person.reviews ?? []) {
      await makeReview(ctx, {
        sellerId: idOf.get(person.key)!,
        reviewerId: idOf.get(review.by)!,
        stars: review.stars,
        comment: review.comment,
        createdAt: daysBefore(ctx.now, review.daysAgo),
        updatedAt: daysBefore(ctx.now, review.daysAgo),
      })
    }
  }
  return { idOf, pickupOf }
}

const wordsOf = ({ name, nameEn, description, descriptionEn }: Words) => ({ name, nameEn, description, descriptionEn })

async function addListing(ctx: Ctx, sample: SampleListing, people: People, photos: PhotoRow[]): Promise<number> {
  const sellerId = people.idOf.get(sample.seller)!
  const pickup = people.pickupOf.get(sample.seller)!
  const listedAt = daysBefore(ctx.now, sample.listedDaysAgo)
  const id = await makeListing(
    ctx,
    {
      sellerId,
      pickupAddressId: pickup.id,
      pincode: pickup.pincode,
      categoryId: sample.category,
      breedId: sample.breed,
      ...wordsOf(sample.passedAs ?? sample),
      ageId: sample.age,
      genderId: sample.gender,
      colorId: sample.color,
      weightKg: sample.weightKg,
      stock: sample.stock,
      originalPrice: rupees(sample.originalRupees),
      offerPrice: sample.offerRupees === undefined ? null : rupees(sample.offerRupees),
      ...factsFrom(fieldTable, (name) => sample[name] ?? null),
      ...(sample.tag !== undefined && { tagSealed: ctx.vault.seal('ear-tag', sample.tag), tagMac: ctx.vault.mac('ear-tag', sample.tag) }),
      state: sample.verification,
      verificationComment: sample.verificationComment ?? null,
      isSold: sample.sold !== undefined,
      soldThroughSandhai: sample.sold === undefined ? null : sample.sold === 'through-sandhai',
      isSample: true,
      createdAt: listedAt,
      touchedAt: daysBefore(ctx.now, sample.touchedDaysAgo),
    },
    photos,
  )
  await addChecks(ctx, { id, sample, people, listedAt })
  await addViews(ctx, id, sample.views, sample.listedDaysAgo)
  await addTaps(ctx, { id, sample, people: [...people.idOf.values()].filter((personId) => personId !== sellerId) })
  return id
}

/** Findings of vets and verdicts of admins. */
async function addChecks(
  ctx: Ctx,
  { id, sample, people, listedAt }: { id: number; sample: SampleListing; people: People; listedAt: Date },
): Promise<void> {
  const admin = people.idOf.get(samplePeople.find((person) => person.typeId === 9)!.key)!
  const vet = people.idOf.get(samplePeople.find((person) => person.vetApproved)!.key)!
  for (const { vaccine, dose, daysAgo } of sample.vaccinations ?? []) {
    const vaccineId = vaccines.find((row) => row.code === vaccine)!.id
    await makeVaccination(ctx, { listingId: id, vaccineId, dose, vaccinatedOn: indianDay(daysBefore(ctx.now, daysAgo)) })
  }
  if (sample.verification !== 'pending') {
    const passed = sample.verification !== 'failed'
    await makeVerification(ctx, {
      listingId: id,
      adminId: admin,
      passed,
      comment: sample.verificationComment ?? 'Photos and facts agree.',
      createdAt: listedAt,
    })
  }
  if (sample.passedAs) await makeSecondLook({ ...ctx, now: daysBefore(ctx.now, sample.passedAs.changedDaysAgo) }, id, wordsOf(sample))
  if (sample.vetCheck) {
    const { approved, daysAgo, comments, commentsEn, findings } = sample.vetCheck
    await makeVetCheck(ctx, {
      listingId: id,
      vetId: vet,
      approved,
      comments,
      commentsEn,
      checkedOn: indianDay(daysBefore(ctx.now, daysAgo)),
      createdAt: daysBefore(ctx.now, daysAgo),
      ...findings,
    })
  }
}

/** Views per contact with the seller. */
const VIEWS_PER_CALL = 20

/** Two days ago, or at the creation of a newer listing, so that these callers may already review the seller. */
async function addTaps(ctx: Ctx, { id, sample, people }: { id: number; sample: SampleListing; people: number[] }): Promise<void> {
  const count = Math.floor(sample.views / VIEWS_PER_CALL)
  if (count === 0) return
  const tappedAt = daysBefore(ctx.now, Math.min(2, sample.listedDaysAgo))
  const rows = people
    .slice(0, count)
    .map((personId, n) => ({ listingId: id, personId, way: n % 2 === 0 ? ('call' as const) : ('whatsapp' as const), tappedAt }))
  await ctx.db.insert(contactTaps).values(rows)
}

/** Adds the sample's views, spread over the days since the listing began, at most a month. */
async function addViews(ctx: Ctx, listingId: number, count: number, listedDaysAgo: number): Promise<void> {
  if (count === 0) return
  const days = Math.min(30, listedDaysAgo) + 1
  await ctx.db.insert(listingViews).values(
    Array.from({ length: count }, (_, n) => {
      const viewedAt = daysBefore(ctx.now, (n * 7) % days)
      return { listingId, day: indianDay(viewedAt), viewerKey: `sample-${n}`, viewedAt }
    }),
  )
}
