import Papa from 'papaparse'
import { readSheet } from 'read-excel-file/universal'

/**
 * Converts the first sheet of a workbook (.xlsx of Excel, LibreOffice or Google) to CSV in the browser, so that the server never unpacks an
 * archive from outside. Loaded when somebody chooses a workbook. Rejects other files.
 */
export async function asCsv(workbook: File): Promise<File> {
  const rows = await readSheet(workbook)
  const csv = Papa.unparse(rows.map((row) => row.map(textOf)))
  return new File([csv], 'table.csv', { type: 'text/csv' })
}

/**
 * A date in the form's format; dates of a workbook have no time zone. A number with three decimals gets a fourth, because 85.125 as text means
 * 85,125.
 */
function textOf(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10)
  return typeof cell === 'number' ? String(cell).replace(/^(\d+\.\d{3})$/, '$10') : String(cell ?? '')
}
