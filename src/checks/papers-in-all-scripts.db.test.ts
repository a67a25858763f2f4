import { randomInt } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeUser } from '#src/accounts/makers.server.ts'
import { monthPdf } from '#src/admin/money/month-view.server.ts'
import { termsPaper } from '#src/content/prose/terms-paper.server.ts'
import { pdfOf } from '#src/invoices/pdf.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { makeOrder, type MadeOrder } from '#src/orders/steps/makers.server.ts'
import { shownDocument } from '#src/orders/papers/document-view.server.ts'
import { statementPdf } from '#src/selling/earnings/earnings-file.server.ts'
import { listMonths } from '#src/selling/earnings/earnings.server.ts'
import { posterPdf } from '#src/storefront/sharing/poster.server.ts'
import { pdfText, pdfUnknownGlyphs } from '#tools/test-kit/pdf-text.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'

/** A name in each script that has fonts, each with a conjunct or a vowel sign. */
const names = ['லக்ஷ்மி', 'लक्ष्मी', 'লক্ষ্মী', 'લક્ષ્મી', 'ਲਕਸ਼ਮੀ', 'ಲಕ್ಷ್ಮಿ', 'ലക്ഷ്മി', 'ଲକ୍ଷ୍ମୀ', 'లక్ష్మి', 'ᱥᱟᱱᱛᱟᱲᱤ', 'ꯂꯛꯁ꯭ꯃꯤ']
/** From right to left, with signs that change their shape. */
const urdu = 'لکشمی بڑے ٹھاکر گاؤں'
const name = [...names, urdu].join(' ')

let market: TestMarket
let order: MadeOrder
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  order = await orderOf(name)
})

async function orderOf(person: string): Promise<MadeOrder> {
  const buyer = await makeUser(market.ctx, { typeId: 1, name: person })
  const seller = await makeUser(market.ctx, { typeId: 2, name: person })
  const addressId = await makeAddress(market.ctx, buyer.id, { name: person, address1: person, address2: person })
  return makeOrder(market.ctx, { status: 6, buyer, seller, addressId, listing: { name: person } })
}

const document = async (ctx: Ctx, { id }: MadeOrder) => {
  const { paper, ...beside } = await shownDocument(ctx, String(id), new URL('https://x/'))
  return pdfOf(ctx, paper, beside)
}

const papers = {
  receipt: (order: MadeOrder) => document(market.as(order.buyer), order),
  'commission invoice': (order: MadeOrder) => document(market.as(order.seller), order),
  statement: async ({ seller }: MadeOrder) => {
    const [month] = await listMonths(market.as(seller), seller.id)
    return statementPdf(market.as(seller), month!, seller)
  },
  'month of the market': ({ admin }: MadeOrder) => monthPdf(market.as(admin), indianDay(market.ctx.now).slice(0, 7)),
  poster: ({ seller }: MadeOrder) => posterPdf(market.as(seller), seller.id, { hasPhone: true }),
}

describe('a paper with names in twelve scripts of India', () => {
  test.each(Object.entries(papers))('%s has a glyph for each of them, and its text can be copied', async (_, make) => {
    const pdf = await make(order)
    expect(pdfUnknownGlyphs(pdf)).toBe(0)
    const text = pdfText(pdf).replace(/\s/g, '')
    for (const each of names) expect(text).toContain(each)
  })

  test('the terms have a glyph for every sign, in both languages', () => {
    for (const locale of ['ta', 'en'] as const) expect(pdfUnknownGlyphs(termsPaper({ ...market.ctx, locale }).pdf)).toBe(0)
  })
})

test('a sign that no font has is an empty box on each paper, also where the host has a font for it, and the log names it once', async () => {
  // Another sign in each run, because the process remembers what it has logged.
  const code = 0x4e00 + randomInt(20_000)
  const sign = String.fromCodePoint(code)
  const strange = await orderOf(sign)
  const logged: unknown[] = []
  const log = { ...market.ctx.log, warn: (facts: unknown) => logged.push(facts) } as unknown as Ctx['log']
  const { paper } = await shownDocument(market.as(strange.buyer), String(strange.id), new URL('https://x/'))
  for (let time = 0; time < 2; time += 1) pdfOf(market.as(strange.buyer, { log }), paper)
  expect(logged).toEqual([{ sign, codePoint: `U+${code.toString(16).toUpperCase()}` }])
  for (const make of Object.values(papers)) expect(pdfUnknownGlyphs(await make(strange))).toBeGreaterThan(0)
})
