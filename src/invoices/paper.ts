import { placeName } from '#src/addresses/places.server.ts'
import { amountInWords } from '#src/kit/text/amount-words.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { CGST_PERCENT, IGST_PERCENT, moneyIn, type InvoiceKind, type Settlement } from './rules.ts'
import type { Party, Snapshot } from './tables.ts'
import { settlementText } from './settlement-text.ts'

/** A document as text in one language: what stands on the screen and on the PDF, in the same words. */
export interface Paper {
  title: string
  isDraft: boolean
  /** Label and value: number, dates, order. */
  facts: [string, string][]
  parties: { label: string; name: string; address: string[] }[]
  columns: string[]
  rows: string[][]
  /** Label and amount, the last one the sum. */
  sums: [string, string][]
  inWords: string
  /** How it was paid at the door; null when nobody stated it before the paper was issued, and on a draft. */
  paid: string | null
  settled: string | null
  notes: string[]
  file: string
}

interface Source {
  kind: InvoiceKind
  number: string | null
  issuedAt: Date
  settledAt: Date | null
  settlement?: Settlement | null
  snapshot: Snapshot
}

export function paperOf({ kind, number, issuedAt, settledAt, settlement, snapshot }: Source, locale: Locale): Paper {
  const say = { locale }
  const isCommission = kind === 'commission'
  const day = (date: Date) => formatDay(new Date(indianDay(date)), locale)
  const money = (text: string) => formatRupees(moneyIn(text))
  const taxes: [string, string][] = [
    [m.invoice_igst({ percent: IGST_PERCENT }, say), formatRupees(0n)],
    [m.invoice_cgst({ percent: CGST_PERCENT }, say), formatRupees(0n)],
  ]
  return {
    title: isCommission ? m.invoice_commission_title({}, say) : m.invoice_receipt_title({}, say),
    isDraft: number === null,
    facts: [
      [m.invoice_number({}, say), number ?? m.invoice_draft({}, say)],
      [m.invoice_date({}, say), day(issuedAt)],
      [m.invoice_order({}, say), snapshot.orderNo],
      [m.invoice_delivered({}, say), snapshot.deliveredOn === null ? '–' : formatDay(new Date(snapshot.deliveredOn), locale)],
    ],
    parties: [
      { label: m.invoice_seller({}, say), ...inTongue(snapshot.seller, locale) },
      ...(snapshot.buyer ? [{ label: m.invoice_buyer({}, say), ...inTongue(snapshot.buyer, locale) }] : []),
    ],
    columns: [m.invoice_item({}, say), m.invoice_count({}, say), m.invoice_unit_price({}, say), m.invoice_amount({}, say)],
    rows: snapshot.lines.map((line) => [
      `${(locale === 'en' && line.nameEn) || line.name} (${line.code})`,
      String(line.count),
      money(line.unitPrice),
      formatRupees(moneyIn(line.unitPrice) * BigInt(line.count)),
    ]),
    sums: [
      [m.invoice_total({}, say), money(snapshot.total)],
      ...(isCommission
        ? [[m.invoice_commission({ percent: snapshot.commissionPercent ?? 0 }, say), money(snapshot.payable)] as [string, string]]
        : moneyIn(snapshot.discount) > 0n
          ? [[m.invoice_discount({}, say), `-${money(snapshot.discount)}`] as [string, string]]
          : []),
      ...taxes,
      [isCommission ? m.invoice_commission_payable({}, say) : m.invoice_payable({}, say), money(snapshot.payable)],
    ],
    inWords: amountInWords(moneyIn(snapshot.payable), locale),
    paid: snapshot.paid && number !== null ? paidText(snapshot.paid, locale) : null,
    settled: settlement ? settlementText(settlement, locale) : settledAt && m.invoice_settled({ day: day(settledAt) }, say),
    notes: isCommission
      ? [m.invoice_commission_note({}, say)]
      : // A draft, and a receipt of an order without a stated payment, show no payment.
        [
          m.invoice_receipt_note({}, say),
          snapshot.paid && number !== null ? m.invoice_paid_at_door({}, say) : m.invoice_never_advance({}, say),
        ],
    file: `${snapshot.orderNo}-${kind}.pdf`,
  }
}

/**
 * A paper stores its places in English, as the tables have them, in the last line: `Kangayam, Tiruppur, Tamil Nadu 638701`. The reader sees
 * them in their own language; the lines above were typed by somebody and stay as they are.
 */
function inTongue({ name, address }: Party, locale: Locale): Party {
  const [, places, pincode] = /^(.+) (\d{6})$/.exec(address.at(-1) ?? '') ?? []
  if (!places) return { name, address }
  const words = places.split(', ').map((place) => placeName(place, locale))
  return { name, address: [...address.slice(0, -1), `${[...new Set(words)].join(', ')} ${pincode}`] }
}

export function paidText({ method, amount }: NonNullable<Snapshot['paid']>, locale: Locale): string {
  const sum = formatRupees(moneyIn(amount))
  return method === 'cash' ? m.invoice_paid_cash({ sum }, { locale }) : m.invoice_paid_upi({ sum }, { locale })
}
