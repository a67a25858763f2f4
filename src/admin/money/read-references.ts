import Papa from 'papaparse'
import { singleLine } from '#src/kit/text/plain-text.ts'

const MAX_REFERENCE = 80
/** Headings of the column with the reference of a transfer, in the files of banks. */
const REFERENCE = /utr|rrn|ref|குறிப்பு/i
const STATUS = /status|result|\bstate\b/i
/** The bank did not pay, or took it back. */
const REFUSED = /fail|reject|return|revers|invalid|declin/i

/** `PO-7-12`, which our file gives each payment as its remark, however the bank writes it. */
const keyIn = (cell: string, payoutId: number): number | null => {
  const [, payout, line] = /\bPO[\s/-]?(\d{1,12})[\s/-](\d{1,15})\b/i.exec(cell) ?? []
  return Number(payout) === payoutId ? Number(line) : null
}

/**
 * The references in the bank's answer: a table separated by commas, semicolons or tabs, with a heading for the
 * reference, in which one cell of each row contains the key of a line. `refused`: the ids of lines that the bank did
 * not pay; `unknown`: the number of other rows.
 */
export function readReferences(table: string, payoutId: number): { references: Map<number, string>; refused: number[]; unknown: number } {
  const { data } = Papa.parse<string[]>(table.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy', delimitersToGuess: [',', ';', '\t'] })
  // Banks write their name and the day above the headings.
  const headAt = data.findIndex((cells) => cells.some((cell) => REFERENCE.test(cell)) && !cells.some((cell) => keyIn(cell, payoutId)))
  const heads = data[headAt] ?? []
  const rows = data.slice(headAt + 1)
  const columnsOf = (heading: RegExp) => heads.flatMap((head, at) => (heading.test(head) ? [at] : []))
  const [statusAt = -1] = columnsOf(STATUS)
  // The number of the transfer itself comes before other references.
  const referencesAt = [...columnsOf(/utr|rrn/i), ...columnsOf(REFERENCE)]
  const references = new Map<number, string>()
  const refused: number[] = []
  let unknown = 0
  for (const cells of rows) {
    const id = cells.map((cell) => keyIn(cell, payoutId)).find((each) => each !== null)
    // A column of references may be the one with our own key.
    const reference = referencesAt.map((at) => singleLine(cells[at] ?? '')).find((cell) => cell !== '' && keyIn(cell, payoutId) === null)
    if (!id) unknown++
    else if (REFUSED.test(cells[statusAt] ?? '')) refused.push(id)
    else if (reference !== undefined && reference.length <= MAX_REFERENCE) references.set(id, reference)
    else unknown++
  }
  return { references, refused, unknown }
}
