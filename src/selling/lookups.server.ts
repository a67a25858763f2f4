import { desc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { rowsOf } from '#src/kit/db/rows.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { listings } from '#src/listings/tables.ts'
import {
  breeds,
  categories,
  colors,
  genders,
  livestockAges,
  vaccineDoses,
  vaccines,
  wordsFor,
} from '../listings/reference/reference-data.ts'

interface Named {
  id: number
  name: string
}

/** All lists of the form in the viewer's language, in one response, so that the next question needs no request. */
export interface FormLookups {
  categories: (Named & { typeId: number; variantType: number; isShown: boolean })[]
  /** `called`: index into `called` below. */
  breeds: (Named & { categoryId: number; called: number })[]
  /** Words for a female, a male and a castrated animal, by gender id; empty when there is none. */
  called: string[][]
  /** `inWords`: the age as part of a name. */
  ages: (Named & { inWords: string })[]
  colors: Named[]
  genders: Named[]
  vaccines: (Named & { categoryIds: number[] })[]
  doses: Named[]
}

/** Categories with a picture in the form, in display order; "More" shows the others. */
const shown = [1, 2, 3, 4, 6, 5]

const allWords = [...new Set(breeds.map(({ id, categoryId }) => wordsFor(categoryId, id)))]

const calledIn = (words: (typeof allWords)[number], locale: Locale): string[] =>
  words ? [words.female, words.male, words.castrated].map((word) => word?.[locale].toLowerCase() ?? '') : []

/** Turns "2-3 ஆண்டுகள்" into the spoken "2-3 வயது". */
const spokenAge = (age: string) => age.replace('ஆண்டுகளுக்கு', 'வயதுக்கு').replace('ஆண்டுகள்', 'வயது').replace('மாதங்கள்', 'மாதம்')

export function formLookups(locale: Locale): FormLookups {
  const named = (rows: readonly { id: number; en: string; ta: string }[]) => rows.map((row) => ({ id: row.id, name: row[locale] }))
  const order = (id: number) => (shown.includes(id) ? shown.indexOf(id) : id + shown.length)
  return {
    categories: categories
      .map(({ id, typeId, variantType, ...c }) => {
        const isShown = shown.includes(id)
        const name = isShown ? (locale === 'ta' ? c.shortTa : c.shortEn) : c[locale]
        return { id, typeId, variantType, name, isShown }
      })
      .toSorted((a, b) => order(a.id) - order(b.id)),
    breeds: breeds.map(({ id, categoryId, ...breed }) => ({
      id,
      categoryId,
      name: breed[locale],
      called: allWords.indexOf(wordsFor(categoryId, id)),
    })),
    called: allWords.map((words) => calledIn(words, locale)),
    ages: named(livestockAges).map((age) => ({ ...age, inWords: locale === 'ta' ? spokenAge(age.name) : age.name })),
    colors: named(colors),
    genders: named(genders),
    vaccines: vaccines.map((vaccine) => ({
      id: vaccine.id,
      name: `${vaccine[locale]} (${vaccine.code})`,
      categoryIds: vaccine.categoryIds,
    })),
    doses: named(vaccineDoses),
  }
}

/** Size of the sample of newest listings. */
const SAMPLE_SIZE = 1000

/** The seller's newest listings: what they used last stands first. */
const OWN_SIZE = 50

/**
 * The lists with the breeds and colours that the seller used last first, then the most frequent ones of animals for
 * sale; the others keep their order.
 */
export async function readFormLookups(ctx: Ctx): Promise<FormLookups> {
  const lookups = formLookups(ctx.locale)
  const used = await rowsOf(
    ctx,
    sql`
    select l.breed_id as breed, l.color_id as color, count(*)::int as count
    from (
      select breed_id, color_id from listings where state = 'passed' and not is_sold and stock > 0
      order by created_at desc, id desc limit ${SAMPLE_SIZE}
    ) l
    group by l.breed_id, l.color_id`,
    usedShape,
  )
  const own = await ctx.db
    .select({ breed: listings.breedId, color: listings.colorId })
    .from(listings)
    .where(eq(listings.sellerId, ctx.viewer?.id ?? 0))
    .orderBy(desc(listings.id))
    .limit(OWN_SIZE)
  const mostUsed = <T extends { id: number }>(rows: T[], of: 'breed' | 'color') => {
    const uses = (id: number) => used.reduce((sum, row) => sum + (row[of] === id ? row.count : 0), 0)
    // Behind all others if it was not used.
    const lastUsed = (id: number) => [...own.map((row) => row[of]), id].indexOf(id)
    return rows
      .map((row) => ({ row, uses: uses(row.id), last: lastUsed(row.id) }))
      .toSorted((a, b) => a.last - b.last || b.uses - a.uses)
      .map(({ row }) => row)
  }
  return { ...lookups, breeds: mostUsed(lookups.breeds, 'breed'), colors: mostUsed(lookups.colors, 'color') }
}
const usedShape = z.object({ breed: z.number().nullable(), color: z.number().nullable(), count: z.number() })
