import { sql } from 'drizzle-orm'
import { bigint, boolean, check, foreignKey, index, numeric, pgTable, point, primaryKey, smallint, text, unique } from 'drizzle-orm/pg-core'
import { idOf, moment, partial, smallIdOf } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { breeds, categories, categoryTypes, colors, genders, listings, livestockAges } from '../listings/tables.ts'

/** Enquiries of people who look for an animal or goods: the wanted board. */
export const enquiries = pgTable(
  'enquiries',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    posterId: idOf('poster_id', () => users.id).notNull(),
    postedFor: text('posted_for').notNull(),
    /** E.164. For the poster and admins only. */
    contact: text().notNull(),
    categoryTypeId: smallIdOf('category_type_id', () => categoryTypes.id).notNull(),
    /** Always set for category types 1 and 2. */
    categoryId: smallIdOf('category_id', () => categories.id),
    breedId: smallIdOf('breed_id', () => breeds.id),
    ageId: smallIdOf('age_id', () => livestockAges.id),
    genderId: smallIdOf('gender_id', () => genders.id),
    colorId: smallIdOf('color_id', () => colors.id),
    description: text().notNull(),
    requiredCount: smallint('required_count').notNull(),
    /** 1/10,000 rupee, for one; 0: open to offers. */
    acceptablePrice: bigint('acceptable_price', { mode: 'bigint' }).notNull(),
    /** A minimum; 0: any. */
    weightKg: numeric('weight_kg', { precision: 7, scale: 2, mode: 'number' }).notNull(),
    pincode: text().notNull(),
    city: text().notNull(),
    district: text().notNull(),
    stateName: text('state_name').notNull(),
    /** As for a listing (longitude scaled); null when the PIN code has no coordinates. */
    location: point({ mode: 'tuple' }),
    /** Null until the first verdict. */
    isVerified: boolean('is_verified'),
    /** The admin of the newest verdict. */
    verifiedById: idOf('verified_by_id', () => users.id),
    verificationComment: text('verification_comment'),
    verifiedAt: moment('verified_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When it was posted or renewed; it expires 90 days later. */
    renewedAt: moment('renewed_at').notNull().defaultNow(),
    closedAt: moment('closed_at'),
    closedById: idOf('closed_by_id', () => users.id),
  },
  (t) => {
    const open = sql`is_verified and closed_at is null`
    return [
      index('enquiries_open').on(t.createdAt, t.id).where(open),
      index('enquiries_open_category').on(t.categoryTypeId, t.categoryId, t.createdAt, t.id).where(open),
      partial(index('enquiries_waiting').on(t.createdAt, t.id), sql`is_verified is null and closed_at is null`),
      index('enquiries_poster').on(t.posterId, t.id),
      index('enquiries_verified_at').on(t.verifiedAt).where(open),
      foreignKey({
        name: 'enquiries_breed_of_category',
        columns: [t.breedId, t.categoryId],
        foreignColumns: [breeds.id, breeds.categoryId],
      }),
      check('enquiries_count', sql`${t.requiredCount} between 0 and 10`),
      check('enquiries_price', sql`${t.acceptablePrice} >= 0 and ${t.acceptablePrice} < 1000000000000`),
      check('enquiries_weight', sql`${t.weightKg} between 0 and 5000`),
      check('enquiries_category', sql`${t.categoryTypeId} not in (1, 2) or ${t.categoryId} is not null`),
      check('enquiries_verdict', sql`(${t.isVerified} is null) = (${t.verifiedById} is null)`),
    ]
  },
)

/** Append-only, but an undone refusal is deleted. */
export const enquiryVerdicts = pgTable(
  'enquiry_verdicts',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    enquiryId: idOf('enquiry_id', () => enquiries.id, { onDelete: 'cascade' }).notNull(),
    adminId: idOf('admin_id', () => users.id).notNull(),
    passed: boolean().notNull(),
    comment: text().notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [index('enquiry_verdicts_enquiry').on(t.enquiryId, t.id)],
)

/** A seller's answer with a listing. The poster sees it once the listing is public. */
export const enquiryOffers = pgTable(
  'enquiry_offers',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    enquiryId: idOf('enquiry_id', () => enquiries.id, { onDelete: 'cascade' }).notNull(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When the poster was notified of it; null until the listing is public. */
    toldAt: moment('told_at'),
  },
  (t) => [
    unique('enquiry_offers_once').on(t.enquiryId, t.listingId),
    index('enquiry_offers_listing').on(t.listingId),
    partial(index('enquiry_offers_untold').on(t.id), sql`told_at is null`),
  ],
)

/** Sellers who were notified of an enquiry: each at most once. */
export const enquiryMatches = pgTable(
  'enquiry_matches',
  {
    enquiryId: idOf('enquiry_id', () => enquiries.id, { onDelete: 'cascade' }).notNull(),
    sellerId: idOf('seller_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    toldAt: moment('told_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.enquiryId, t.sellerId] }), index('enquiry_matches_seller').on(t.sellerId)],
)
