import Papa from 'papaparse'
import type { Ctx } from '#src/kit/context.ts'
import { invalidField, type FieldProblem } from '#src/kit/base/problem.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { checkListing, readTyped, type ListingFacts } from '#src/listings/write/listing-input.ts'
import { MAX_DRAFT_TEXT } from '#src/selling/unsent/draft-fields.ts'
import { can } from '#src/accounts/policy.ts'
import { readOwner, withTypedFee } from '#src/selling/owners/owner-input.server.ts'
import type { OwnerTerms } from '#src/selling/owners/terms.ts'
import { columnOf, columns, ownerColumns, valueIn } from './columns.ts'

/** Equal to the daily limit `importDay` (kit/db/rate-limits.server.ts). */
export const MAX_ROWS = 200
export const MAX_IMPORT_BYTES = 256 * 1024

interface ImportRow {
  /** Row number as in a spreadsheet; the heading is row 1. */
  number: number
  name: string
  /** Null when a cell is invalid. */
  facts: ListingFacts | null
  /** The owner for whom an agent lists it. */
  owner: OwnerTerms | null
  /** The name of the file with its photo; '' for none. */
  photo: string
  /** The errors of each cell, in the viewer's language. */
  problems: { column: string; text: string }[]
}

const refuse = (message: string) => invalidField('table', message)

/** A CSV file as text. VALIDATION when it is too large, empty or not UTF-8. */
export async function textOfFile(file: FormDataEntryValue | null): Promise<string> {
  if (!(file instanceof File) || file.size === 0) throw refuse('field_import_file')
  if (file.size > MAX_IMPORT_BYTES) throw refuse('field_import_large')
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    // "Unicode Text" of Excel is UTF-16 with a byte order mark.
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw refuse('field_import_text')
  }
}

const columnsFor = (ctx: Ctx) => (can(ctx.viewer, 'list-for-owner') ? [...columns, ...ownerColumns] : columns)

/**
 * Parses a table separated by commas, semicolons or tabs, with headings in either language. Validates each row as the sell form does.
 * VALIDATION for text that is no import table.
 */
export function readImport(ctx: Ctx, table: string): { rows: ImportRow[]; unknown: string[] } {
  if (table.includes('\0')) throw refuse('field_import_text')
  const { data } = Papa.parse<string[]>(table.replace(/^\uFEFF?(?:sep=[,;\t]\r?\n)?/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  })
  const [heads = [], ...lines] = data
  const all = columnsFor(ctx)
  const found = heads.map((head) => columnOf(all, head))
  const missing = columns.filter((column) => column.isRequired && !found.includes(column))
  if (missing.length > 0) throw refuse('field_import_heads')
  if (lines.length === 0) throw refuse('field_import_empty')
  if (lines.length > MAX_ROWS) throw refuse('field_import_rows')
  return {
    rows: lines.map((cells, n) => readRow(ctx, cells, found, n + 2)),
    unknown: heads.filter((head, n) => !found[n] && head.trim() !== ''),
  }
}

type Found = ReturnType<typeof columnOf>[]

function readRow(ctx: Ctx, cells: string[], found: Found, number: number): ImportRow {
  const typed: Record<string, string> = {}
  for (const [n, column] of found.entries())
    if (column) typed[column.field] = valueIn(column, (cells[n] ?? '').toWellFormed().slice(0, MAX_DRAFT_TEXT))
  const checked = checkListing(readTyped(typed), { today: indianDay(ctx.now) })
  const owner = readOwnerIn(ctx, typed)
  const problems = [...checked.problems, ...(owner?.problems ?? [])]
  return {
    number,
    name: typed.name ?? '',
    facts: problems.length === 0 ? checked.facts : null,
    owner: owner?.terms ?? null,
    photo: singleLine(typed.photo ?? ''),
    problems: shownProblems(ctx, problems),
  }
}

/** The columns and sentences of these problems, in the viewer's language. */
export const shownProblems = ({ locale }: Ctx, problems: readonly FieldProblem[]) =>
  problems.map(({ field, message }) => ({ column: nameOf(field, locale), text: fieldText(message, locale) ?? message }))

/** Null for an animal of the agent's own. */
function readOwnerIn(ctx: Ctx, { ownerName = '', ownerPhone = '', ownerFee = '' }: Record<string, string>) {
  if (!ownerName && !ownerPhone && !ownerFee) return null
  const percent = /^([^%]+)%$/.exec(ownerFee)?.[1]
  return readOwner(
    ctx,
    percent ? { ownerName, ownerPhone, ownerFee: percent, ownerFeeUnit: 'percent' } : withTypedFee({ ownerName, ownerPhone, ownerFee }),
  )
}

const nameOf = (field: string, locale: Locale) =>
  [...columns, ...ownerColumns].find((column) => column.field === field)?.label({}, { locale }) ?? field

/** The headings and one example animal. Without the byte order mark spreadsheets misread Tamil. */
export function importTemplate(ctx: Ctx): string {
  const { locale } = ctx
  const all = columnsFor(ctx)
  return `\uFEFF${csvLine(all.map(({ label }) => label({}, { locale })))}${csvLine(all.map(({ example }) => example(locale)))}`
}
