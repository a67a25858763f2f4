import Papa from 'papaparse'
import type { Ctx } from '#src/kit/context.ts'
import { invalidField } from '#src/kit/base/problem.ts'
import { csvLine } from '#src/kit/text/csv.ts'
import { fieldText } from '#src/kit/text/field-text.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { checkListing, readTyped, type ListingFacts } from '#src/listings/write/listing-input.ts'
import { MAX_DRAFT_TEXT } from '#src/selling/unsent/draft-fields.ts'
import { columnOf, columns, valueIn } from './columns.ts'

/** Equal to the daily limit of listings per person (kit/db/rate-limits.server.ts). */
export const MAX_ROWS = 20
export const MAX_IMPORT_BYTES = 256 * 1024

interface ImportRow {
  /** Row number as in a spreadsheet; the heading is row 1. */
  number: number
  name: string
  /** Null when a cell is invalid. */
  facts: ListingFacts | null
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

/**
 * Parses a table separated by commas, semicolons or tabs, with headings in either language. Validates each row as the sell form does.
 * VALIDATION for text that is no import table.
 */
export function readImport(ctx: Pick<Ctx, 'locale' | 'now'>, table: string): { rows: ImportRow[]; unknown: string[] } {
  if (table.includes('\0')) throw refuse('field_import_text')
  const { data } = Papa.parse<string[]>(table.replace(/^\uFEFF?(?:sep=[,;\t]\r?\n)?/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  })
  const [heads = [], ...lines] = data
  const found = heads.map((head) => columnOf(head))
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

function readRow({ locale, now }: Pick<Ctx, 'locale' | 'now'>, cells: string[], found: Found, number: number): ImportRow {
  const typed: Record<string, string> = {}
  for (const [n, column] of found.entries())
    if (column) typed[column.field] = valueIn(column, (cells[n] ?? '').toWellFormed().slice(0, MAX_DRAFT_TEXT))
  const { facts, problems } = checkListing(readTyped(typed), { today: indianDay(now) })
  return {
    number,
    name: typed.name ?? '',
    facts,
    problems: problems.map(({ field, message }) => ({ column: nameOf(field, locale), text: fieldText(message, locale) ?? message })),
  }
}

const nameOf = (field: string, locale: Locale) => columns.find((column) => column.field === field)?.label({}, { locale }) ?? field

/** The headings and one example animal. Without the byte order mark spreadsheets misread Tamil. */
export const importTemplate = (locale: Locale): string =>
  `\uFEFF${csvLine(columns.map(({ label }) => label({}, { locale })))}${csvLine(columns.map(({ example }) => example(locale)))}`
