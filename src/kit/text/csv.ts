/** RFC 4180. Disarms what a spreadsheet would take for a formula: a person's name must not run as code on an admin's desk. */
export const csvLine = (cells: (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Also behind invisible characters, and in the wide letters that some spreadsheets treat as the plain ones. */
const FORMULA = /^[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u

export function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
