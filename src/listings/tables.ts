import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  numeric,
  pgTable,
  point,
  primaryKey,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { bytes, idOf, moment, partial, pictureColumns, smallIdOf, tsvector } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'
import { addresses } from '#src/addresses/tables.ts'
import { factChecks, factColumns } from './fields/field-columns.ts'
import { fieldTable } from './fields/field-table.ts'

const lookup = (name: string) => pgTable(name, { id: smallint().primaryKey(), en: text().notNull(), ta: text().notNull() })

// Lookups. Each start copies their rows from reference-data.ts (decision 0008); ids are part of the wire.
export const categoryTypes = lookup('category_types')
export const livestockAges = lookup('livestock_ages')
export const colors = lookup('colors')
export const genders = lookup('genders')
export const feedTypes = lookup('feed_types')

export const categories = pgTable('categories', {
  id: smallint().primaryKey(),
  typeId: smallIdOf('type_id', () => categoryTypes.id).notNull(),
  en: text().notNull(),
  ta: text().notNull(),
  shortEn: text('short_en').notNull(),
  shortTa: text('short_ta').notNull(),
  /** 1: the form asks for teeth, pregnancies, milk and offspring. */
  variantType: smallint('variant_type').notNull(),
})

export const breeds = pgTable(
  'breeds',
  {
    id: smallint().primaryKey(),
    categoryId: smallIdOf('category_id', () => categories.id).notNull(),
    en: text().notNull(),
    ta: text().notNull(),
    shortName: text('short_name').notNull(),
  },
  (t) => [unique('breeds_of_category').on(t.id, t.categoryId)],
)

export const vaccines = pgTable('vaccines', {
  id: smallint().primaryKey(),
  code: text().notNull().unique(),
  en: text().notNull(),
  ta: text().notNull(),
})

export const vaccineCategories = pgTable(
  'vaccine_categories',
  {
    vaccineId: smallIdOf('vaccine_id', () => vaccines.id).notNull(),
    categoryId: smallIdOf('category_id', () => categories.id).notNull(),
  },
  (t) => [primaryKey({ columns: [t.vaccineId, t.categoryId] })],
)

/**
 * An animal or lot for sale. The specification's list of variants always has one entry, so this table holds the variant's facts and the API wraps
 * them in a list (decision 0007). Place and price are stored here too, so that a list page is one statement.
 */
export const listings = pgTable(
  'listings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    sellerId: idOf('seller_id', () => users.id).notNull(),
    createdById: idOf('created_by_id', () => users.id).notNull(),
    pickupAddressId: idOf('pickup_address_id', () => addresses.id).notNull(),
    categoryId: smallIdOf('category_id', () => categories.id).notNull(),
    breedId: smallIdOf('breed_id', () => breeds.id),
    /** As the seller typed it, in either language. */
    name: text().notNull(),
    description: text().notNull(),
    /** The English version, if the seller or an admin has provided one. */
    nameEn: text('name_en'),
    descriptionEn: text('description_en'),
    ageId: smallIdOf('age_id', () => livestockAges.id),
    genderId: smallIdOf('gender_id', () => genders.id),
    colorId: smallIdOf('color_id', () => colors.id),
    feedTypeId: smallIdOf('feed_type_id', () => feedTypes.id)
      .notNull()
      .default(2),
    /** 0 means "not weighed". */
    weightKg: numeric('weight_kg', { precision: 7, scale: 2, mode: 'number' }).notNull(),
    stock: integer().notNull(),
    /** Unused since decisions.md §8.4; the release before this one reads it (decision 0079). */
    firstStock: integer('first_stock').notNull().default(0),
    /** 1/10,000 rupee per animal. */
    originalPrice: bigint('original_price', { mode: 'bigint' }).notNull(),
    offerPrice: bigint('offer_price', { mode: 'bigint' }),
    /** The buyer pays this for one animal. */
    price: bigint({ mode: 'bigint' })
      .notNull()
      .generatedAlwaysAs(sql`coalesce(offer_price, original_price)`),
    /** The optional facts of the field table. */
    ...factColumns(fieldTable),
    /** The twelve digits of the ear tag (Pashu Aadhaar), sealed. Nobody sees them; the handover asks for the last six. */
    tagSealed: bytes('tag_sealed'),
    /** A keyed hash of the same digits, to find a second live listing of the animal. */
    tagMac: bytes('tag_mac'),
    state: text({ enum: ['draft', 'pending', 'passed', 'failed', 'withdrawn'] }).notNull(),
    verificationComment: text('verification_comment'),
    isSold: boolean('is_sold').notNull().default(false),
    soldThroughSandhai: boolean('sold_through_sandhai'),
    pincode: text().notNull(),
    taluk: text().notNull(),
    district: text().notNull(),
    stateName: text('state_name').notNull(),
    /**
     * Scaled longitude and latitude of the PIN code, moved by some metres so that all points differ (places.ts); null when the PIN code has no
     * coordinates.
     */
    location: point({ mode: 'tuple' }),
    /** Sound keys of all searchable text (kit/text/sound-keys.ts); triggers add those of the seller's name. */
    searchKeys: tsvector('search_keys').notNull(),
    isSample: boolean('is_sample').notNull().default(false),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** When the seller last edited or renewed it; views, checks and orders do not count. */
    touchedAt: moment('touched_at').notNull().defaultNow(),
    /** When it last entered the verification queue. */
    submittedAt: moment('submitted_at').notNull().defaultNow(),
    /** The time of the last new description of the animal. */
    changedAt: moment('changed_at').notNull().defaultNow(),
    /**
     * Increases with each new description, which invalidates earlier verdicts and findings. A number instead of a time, because requests overtake
     * each other.
     */
    revision: integer().notNull().default(1),
    /** The weight in that description, so that many small steps count as one large step. */
    describedWeightKg: numeric('described_weight_kg', { precision: 7, scale: 2, mode: 'number' }).notNull(),
    /** An admin who has edited it since the last verdict and therefore may not decide. */
    editorId: idOf('editor_id', () => users.id),
    /** When the seller was last asked whether the animal is still for sale. */
    remindedAt: moment('reminded_at'),
    /** The file that a table names for a draft without a photo (selling/import). */
    photoName: text('photo_name'),
    /** Increases with every edit. An edit of an outdated version gives VERSION. */
    version: integer().notNull().default(1),
    /** The public name of the owner for whom an agent made this listing. Null: the seller is the owner. */
    ownerName: text('owner_name'),
    /** Whether that owner agrees to the listing with its price and fee (selling/owners); null without an owner. */
    ownerAgreed: boolean('owner_agreed'),
    /** The number of views whose rows were swept (`sweepViews`). The total is this plus the rows of `listing_views`. */
    viewsBefore: integer('views_before').notNull().default(0),
    /**
     * From here on, only triggers write these columns (decision 0053). They let lists test a thousand rows without reading another table.
     * `seller_active`: the seller is active and of a type that sells.
     */
    sellerActive: boolean('seller_active').notNull().default(false),
    sellerVerified: boolean('seller_verified').notNull().default(false),
    /** The day of the last finding, if it is good and of this revision. */
    vetPassedOn: date('vet_passed_on', { mode: 'string' }),
    isVaccinated: boolean('is_vaccinated').notNull().default(false),
    hasVideo: boolean('has_video').notNull().default(false),
    /** The days of milkings whose clips an admin has seen for this revision, newest first (listings/proofs). */
    milkingsShown: date('milkings_shown', { mode: 'string' })
      .array()
      .notNull()
      .default(sql`'{}'::date[]`),
  },
  (t) => {
    // Plain ascending columns, read backwards for "newest". Drizzle's desc() adds NULLS LAST, which no such query can use.
    const live = sql`state = 'passed' and not is_sold and stock > 0`
    return [
      index('listings_newest').on(t.createdAt, t.id).where(live),
      index('listings_category_newest').on(t.categoryId, t.createdAt, t.id).where(live),
      index('listings_breed_newest').on(t.breedId, t.createdAt, t.id).where(live),
      index('listings_breed_price').on(t.breedId, t.price, t.id).where(live),
      index('listings_price').on(t.price, t.id).where(live),
      index('listings_category_price').on(t.categoryId, t.price, t.id).where(live),
      // btree_gist (first migration) lets an id and a point share an index, so "nearest of this breed" walks it in order.
      index('listings_location').using('gist', t.location).where(live),
      index('listings_category_location').using('gist', t.categoryId, t.location).where(live),
      index('listings_breed_location').using('gist', t.breedId, t.location).where(live),
      // Search words together with filter keys (traits/listing-keys.server.ts), to find rare combinations directly.
      index('listings_keys')
        .using(
          'gin',
          t.searchKeys,
          sql`listing_keys(category_id, breed_id, gender_id, age_id, milk_litres_per_day, weight_kg, seller_verified, is_vaccinated, has_video, vet_passed_on, location)`,
        )
        .where(live),
      // Few listings state it, and `listing_keys` has no key of it.
      partial(index('listings_calvings').on(t.lactation), sql`${live} and lactation > 0`),
      index('listings_seller').on(t.sellerId, t.id),
      // A seller's sales (soldBy), for the count on each product page.
      partial(index('listings_sold').on(t.sellerId), sql`state = 'passed' and (sold_through_sandhai or (stock = 0 and not is_sold))`),
      partial(index('listings_waiting').on(t.submittedAt, t.id), sql`state = 'pending'`),
      partial(index('listings_tag').on(t.tagMac), sql`tag_mac is not null`),
      // Listings that their seller has not touched for long, for the reminder to the seller.
      index('listings_touched').on(t.touchedAt).where(live),
      // The breed belongs to the category (foreign key on the pair).
      foreignKey({
        name: 'listings_breed_of_category',
        columns: [t.breedId, t.categoryId],
        foreignColumns: [breeds.id, breeds.categoryId],
      }),
      check('listings_stock', sql`${t.stock} between 0 and 10000`),
      check('listings_original_price', sql`${t.originalPrice} > 0 and ${t.originalPrice} < 1000000000000`),
      check('listings_offer_price', sql`${t.offerPrice} > 0 and ${t.offerPrice} < ${t.originalPrice}`),
      check('listings_weight', sql`${t.weightKg} between 0 and 5000`),
      check('listings_state', sql`${t.state} in ('draft', 'pending', 'passed', 'failed', 'withdrawn')`),
      check('listings_owner', sql`(${t.ownerName} is null) = (${t.ownerAgreed} is null)`),
      // Without the owner's agreement, no listing is public or waits for a verdict.
      check('listings_owner_agreed', sql`${t.ownerAgreed} is not false or ${t.state} in ('draft', 'failed', 'withdrawn')`),
      check('listings_tag_whole', sql`(${t.tagSealed} is null) = (${t.tagMac} is null)`),
      ...factChecks(fieldTable).map(({ name, condition }) => check(name, condition)),
    ]
  },
)

export const listingPhotos = pgTable(
  'listing_photos',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    ...pictureColumns(),
  },
  (t) => [
    unique('listing_photos_position').on(t.listingId, t.position),
    index('listing_photos_sha256').on(t.sha256),
    check('listing_photos_three', sql`${t.position} between 0 and 2`),
  ],
)

/**
 * Clips and voice notes of listings, in the media store like photos. A clip that is uploaded before its form waits without a listing, under the
 * form's key.
 */
export const listingClips = pgTable(
  'listing_clips',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }),
    /** The uploader: the seller, or an admin for them. */
    ownerId: idOf('owner_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    /** The form for which the clip waits; null once it belongs to the listing. */
    form: text(),
    kind: text().$type<'video' | 'voice'>().notNull(),
    position: smallint().notNull(),
    /** The name of its single file in the media store. */
    mediaKey: text('media_key').notNull().unique(),
    format: text().$type<'mp4' | 'webm'>().notNull(),
    bytes: integer().notNull(),
    millis: integer().notNull(),
    /** As shown upright; null for a voice note. */
    width: smallint(),
    height: smallint(),
    /** A still picture, made by the phone. */
    stillKey: text('still_key').unique(),
    caption: text().notNull().default(''),
    /** The upload's id: sending the form twice must not create a second clip. */
    uploadId: text('upload_id').unique(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [
    unique('listing_clips_place').on(t.listingId, t.kind, t.position),
    unique('listing_clips_form_place').on(t.ownerId, t.form, t.kind, t.position),
    partial(index('listing_clips_waiting').on(t.createdAt), sql`form is not null`),
    check('listing_clips_somewhere', sql`(${t.listingId} is null) <> (${t.form} is null)`),
    check('listing_clips_places', sql`${t.kind} = 'video' and ${t.position} in (0, 1) or ${t.kind} = 'voice' and ${t.position} = 0`),
    check('listing_clips_format', sql`${t.format} in ('mp4', 'webm')`),
    check('listing_clips_caption', sql`length(${t.caption}) <= 120`),
  ],
)

export const vaccinations = pgTable(
  'vaccinations',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    vaccineId: smallIdOf('vaccine_id', () => vaccines.id).notNull(),
    dose: smallint().notNull(),
    vaccinatedOn: date('vaccinated_on', { mode: 'string' }).notNull(),
  },
  (t) => [index('vaccinations_listing').on(t.listingId), check('vaccinations_dose', sql`${t.dose} between 1 and 3`)],
)

/** A vet's finding for a body part that they examined. */
export const FINDINGS = ['good', 'watch', 'bad'] as const

/** One row per viewer, listing and day of the last half year. Older rows are only counted (`listings.views_before`). */
export const listingViews = pgTable(
  'listing_views',
  {
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    day: date({ mode: 'string' }).notNull(),
    /** A keyed hash of the person or the browser, new each day: it tells viewers apart and identifies nobody. */
    viewerKey: text('viewer_key').notNull(),
    viewedAt: moment('viewed_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.listingId, t.day, t.viewerKey] }), index('listing_views_day').on(t.day)],
)

/** People who contacted the seller by telephone or WhatsApp: "12 people asked" counts these rows. */
export const contactTaps = pgTable(
  'contact_taps',
  {
    listingId: idOf('listing_id', () => listings.id, { onDelete: 'cascade' }).notNull(),
    personId: idOf('person_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    way: text({ enum: ['call', 'whatsapp'] }).notNull(),
    tappedAt: moment('tapped_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.listingId, t.personId, t.way] }),
    index('contact_taps_person').on(t.personId),
    check('contact_taps_way', sql`${t.way} in ('call', 'whatsapp')`),
  ],
)

/**
 * The phone numbers that a person saw in full on a day: evidence against harvesting, and the daily quota. Each takes one of the day's
 * fifty numbered slots, so two concurrent requests cannot both take the last one.
 */
export const contactReveals = pgTable(
  'contact_reveals',
  {
    viewerId: idOf('viewer_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    day: date({ mode: 'string' }).notNull(),
    sellerId: idOf('seller_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    place: smallint().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.viewerId, t.day, t.sellerId] }),
    unique('contact_reveals_place').on(t.viewerId, t.day, t.place),
    check('contact_reveals_quota', sql`${t.place} between 1 and 50`),
  ],
)
