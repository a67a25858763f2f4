/** A CSV line by RFC 4180. Disarms cells that a spreadsheet would run as a formula: a person's name must not execute code on an admin's machine. */
export const csvLine = (cells: (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Also matches behind invisible characters, and full-width letters that some spreadsheets treat as plain ones. */
const FORMULA = /^[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
