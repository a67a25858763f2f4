import type { Ctx } from '#src/kit/context.ts'
import type { FormPage, PageArgs } from '#src/kit/http/page.server.ts'
import { idIn, parseId } from '#src/kit/ids.ts'
import { payoutNumber } from '#src/invoices/rules.ts'
import { methodName } from '#src/invoices/settlement-text.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { fieldRupees, formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { findPayees, payeeText, type KnownPayee } from '#src/selling/earnings/payees.server.ts'
import { findOpenPayouts } from './payouts.server.ts'
import { noteReader, readSeller } from '#src/selling/earnings/earnings.server.ts'
import { shownSale } from '#src/selling/earnings/earnings-view.server.ts'
import type { Sale } from '#src/selling/earnings/sales.server.ts'
import { readPageNumber } from '#src/ui/desk-query.ts'
import { listSellerSales, SALES_PER_PAGE } from './owed.server.ts'
import { absolute, downToPaisa, settlesIt } from './settle.server.ts'

const DONE = ['settled', 'back'] as const

/**
 * The account between Sandhai and one seller: open sales to settle with one payment, and recorded entries. `?sale=N` puts
 * the sale of this order first.
 */
export async function readSellerMoney(ctx: Ctx, { params, url }: PageArgs) {
  const sellerId = idIn(params.sellerId)
  await noteReader(ctx, sellerId)
  const query = url.searchParams
  const pages = { open: readPageNumber(query.get('open')), recorded: readPageNumber(query.get('recorded')) }
  const first = parseId(query.get('sale') ?? '')
  const open = await listSellerSales(ctx, sellerId, 'open', { page: pages.open, first })
  const recorded = await listSellerSales(ctx, sellerId, 'recorded', { page: pages.recorded, first })
  const payee = (await findPayees(ctx, [sellerId])).get(sellerId)
  const paying = (await findOpenPayouts(ctx, [sellerId])).get(sellerId)
  return {
    sellerId,
    ...(await readSeller(ctx, sellerId)),
    payee: payee && shownPayee(ctx, payee),
    paying: paying && { id: paying.payoutId, number: payoutNumber(paying.payoutId), amount: formatRupees(paying.amount) },
    open: open.map((sale) => openSale(ctx, sale)),
    firstDay: open.reduce((first, { deliveredOn }) => (deliveredOn < first ? deliveredOn : first), indianDay(ctx.now)),
    recorded: recorded.map((sale) => ({
      ...shownSale(ctx, sale),
      seen: sale.entry!.id,
      note: sale.entry!.note,
      isBack: sale.entry!.kind === 'back',
    })),
    today: indianDay(ctx.now),
    pages,
    perPage: SALES_PER_PAGE,
    counts: { open: open[0]?.found ?? 0, recorded: recorded[0]?.found ?? 0 },
    done: DONE.find((each) => each === query.get('done')) ?? null,
  }
}

const shownPayee = ({ locale }: Ctx, { payee, changedAt }: KnownPayee): string =>
  [methodName(payee.method, locale), payeeText(payee), payee.holder, m.payee_since({ day: formatDay(changedAt, locale) }, { locale })].join(
    ' · ',
  )

const openSale = (ctx: Ctx, sale: Sale) => ({
  ...shownSale(ctx, sale),
  seen: sale.entry?.id ?? 0,
  amount: fieldRupees(downToPaisa(absolute(settlesIt(sale)))),
  /** The same in 1/10,000 rupee, as text, for the live sum. */
  usual: String(downToPaisa(absolute(settlesIt(sale)))),
  /** In 1/10,000 rupee, as text, for the live sum. */
  settled: String(sale.settled),
  isFromSeller: settlesIt(sale) < 0n,
  /** Nobody has recorded what the buyer paid. */
  isUnrecorded: sale.collected === null,
})

export type SellerMoneyData = FormPage<typeof readSellerMoney>
