import { expect, test } from 'vitest'
import { readReferences } from './read-references.ts'

const read = (table: string) => {
  const { references, ...rest } = readReferences(table, 7)
  return { references: Object.fromEntries(references), ...rest }
}

test('reads our own file with a column of references', () => {
  const table =
    'Beneficiary Name,Account Number,IFSC,Amount,Remarks,UTR\r\nKannan,001234567890,SBIN0001234,80750,PO-7-12,N123456789\r\n"Mani, K",001234567891,SBIN0001234,1,PO-7-13, N99 \r\n'
  expect(read(table)).toEqual({ references: { 12: 'N123456789', 13: 'N99' }, refused: [], unknown: 0 })
})

test('reads a bank’s answer below its own lines, with other headings and separators', () => {
  const table =
    '\uFEFFState Bank of Sandhai;;\nDate;28/11/2026;\nCustomer Ref No;Status;Bank RRN\nPO/7/12;SUCCESS;4711\npo 7 13;Rejected by beneficiary bank;4712\nPO-7-14;SUCCESS;\n'
  expect(read(table)).toEqual({ references: { 12: '4711' }, refused: [13], unknown: 1 })
})

test('prefers the number of the transfer to other references, and does not take a statement for a status', () => {
  const head = 'Statement,Customer Ref No,Remarks,UTR_NO,Status\n'
  const table = `${head}Return file 9,R1,PO-7-12,N5,PAID\nReturn file 9,R2,PO-7-13,,PAID\n`
  expect(read(table)).toEqual({ references: { 12: 'N5', 13: 'R2' }, refused: [], unknown: 0 })
})

test('rows of another payout and other rows are counted, not read', () => {
  expect(read('Remarks,UTR\nPO-8-12,A1\nPO-77-1,A2\nTotal,2\nXPO-7-12,A3\n')).toEqual({ references: {}, refused: [], unknown: 4 })
})

test('a table without a heading for references gives none', () => {
  expect(read('a,b\nPO-7-12,c\n')).toEqual({ references: {}, refused: [], unknown: 2 })
  expect(read('')).toEqual({ references: {}, refused: [], unknown: 0 })
})
