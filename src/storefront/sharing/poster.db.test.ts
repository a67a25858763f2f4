import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { pdfQrText } from '#tools/test-kit/pdf-qr.ts'
import { pdfPages, pdfText } from '#tools/test-kit/pdf-text.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { posterPdf } from './poster.server.ts'

let market: TestMarket
let seller: Awaited<ReturnType<typeof makeUser>>
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  seller = await makeUser(market.ctx, { typeId: 2, name: 'Murugesan', phone: '+919843215678' })
  await makeListing(market.ctx, { sellerId: seller.id })
})

test.each([
  ['ta', `https://sandhai.test/seller/`, 'கால்நடைகள்'],
  ['en', `https://sandhai.test/en/seller/`, 'Animals for sale'],
] as const)(
  'one sheet in %s shows the seller and their number nine times, and its code links to their page',
  async (locale, page, title) => {
    const pdf = await posterPdf(market.as(seller, { locale }), seller.id, { hasPhone: true })
    expect(pdfPages(pdf)).toBe(1)
    expect(await pdfQrText(pdf)).toBe(page + seller.id)
    const text = pdfText(pdf)
    expect(text).toContain('Murugesan')
    expect(text.replaceAll(/\s/g, '')).toContain(title.replaceAll(' ', ''))
    // Once in large figures, and on eight tear-off strips.
    expect(text.replaceAll(/[\s\u00A0]/g, '').split('+919843215678')).toHaveLength(10)
  },
)

test('without the number, the sheet has none of it but still the code', async () => {
  const pdf = await posterPdf(market.as(seller, { locale: 'ta' }), seller.id, { hasPhone: false })
  expect(pdfText(pdf)).not.toMatch(/98432|15678/)
  expect(await pdfQrText(pdf)).toBe(`https://sandhai.test/seller/${seller.id}`)
})

test('the longest name and town fit on one sheet', async () => {
  const name = 'மிகநீளமானபெயர்கொண்டவிற்பனையாளர்'.repeat(3).slice(0, 80)
  const other = await makeUser(market.ctx, { typeId: 2, name })
  for (const hasPhone of [true, false]) expect(pdfPages(await posterPdf(market.as(other), other.id, { hasPhone }))).toBe(1)
})
