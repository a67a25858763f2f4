import { placeName } from '#src/addresses/places.server.ts'
import { amountInWords } from '#src/kit/time-money/amount-words.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatRupees, type Money } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { listedFor } from '#src/listings/reference/lookups.server.ts'
import { CGST_PERCENT, IGST_PERCENT, leftOpen, moneyIn, restOf, type InvoiceKind, type Settlement } from './rules.ts'
import type { Party, Snapshot } from './tables.ts'
import { settlementText } from './settlement-text.ts'

/** A document as text in one language, the same for screen and PDF. */
export interface Paper {
  title: string
  isDraft: boolean
  /** Label and value: number, dates, order. */
  facts: [string, string][]
  parties: { label: string; name: string; address: string[] }[]
  columns: string[]
  rows: string[][]
  /** Label and amount; the last one is the total. */
  sums: [string, string][]
  inWords: string
  /** The payment at the door, or that a commission is still open. Null when nobody stated it before the document was issued, and on a draft. */
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
  /** Cash of this sale that the seller holds; of a settled commission invoice. */
  held?: Money
  snapshot: Snapshot
}

export function paperOf({ kind, number, issuedAt, settledAt, settlement, held = 0n, snapshot }: Source, locale: Locale): Paper {
  const opts = { locale }
  const isCommission = kind === 'commission'
  const day = (date: Date) => formatDay(new Date(indianDay(date)), locale)
  const money = (text: string) => formatRupees(moneyIn(text))
  const isPaid = snapshot.paid && restOf(moneyIn(snapshot.payable), moneyIn(snapshot.paid.amount)) === 0n
  const taxes: [string, string][] = [
    [m.invoice_igst({ percent: IGST_PERCENT }, opts), formatRupees(0n)],
    [m.invoice_cgst({ percent: CGST_PERCENT }, opts), formatRupees(0n)],
  ]
  return {
    title: isCommission ? m.invoice_commission_title({}, opts) : m.invoice_receipt_title({}, opts),
    isDraft: number === null,
    facts: [
      [m.invoice_number({}, opts), number ?? m.invoice_draft({}, opts)],
      [m.invoice_date({}, opts), day(issuedAt)],
      [m.invoice_order({}, opts), snapshot.orderNo],
      [m.invoice_delivered({}, opts), snapshot.deliveredOn === null ? '–' : formatDay(new Date(snapshot.deliveredOn), locale)],
    ],
    parties: [
      {
        label: m.invoice_seller({}, opts),
        ...withLocalPlace(snapshot.seller, locale),
        name: listedFor(snapshot.seller.name, snapshot.seller.onBehalfOf, locale),
      },
      ...(snapshot.buyer ? [{ label: m.invoice_buyer({}, opts), ...withLocalPlace(snapshot.buyer, locale) }] : []),
    ],
    columns: [m.invoice_item({}, opts), m.invoice_count({}, opts), m.invoice_unit_price({}, opts), m.invoice_amount({}, opts)],
    rows: snapshot.lines.map((line) => [
      `${(locale === 'en' && line.nameEn) || line.name} (${line.code})`,
      String(line.count),
      money(line.unitPrice),
      formatRupees(moneyIn(line.unitPrice) * BigInt(line.count)),
    ]),
    sums: [
      [m.invoice_total({}, opts), money(snapshot.total)],
      ...(isCommission
        ? [[m.invoice_commission({ percent: snapshot.commissionPercent ?? 0 }, opts), money(snapshot.payable)] as [string, string]]
        : moneyIn(snapshot.discount) > 0n
          ? [[m.invoice_discount({}, opts), `-${money(snapshot.discount)}`] as [string, string]]
          : []),
      ...taxes,
      [isCommission ? m.invoice_commission_payable({}, opts) : m.invoice_payable({}, opts), money(snapshot.payable)],
    ],
    inWords: amountInWords(moneyIn(snapshot.payable), locale),
    paid: number === null ? null : isCommission ? openText(snapshot, settlement ?? settledAt, locale) : buyerText(snapshot, locale),
    settled: settlement
      ? settledText(settlement, dueOf(snapshot) - held, locale)
      : settledAt && m.invoice_settled({ day: day(settledAt) }, opts),
    notes: isCommission
      ? [m.invoice_commission_note({}, opts)]
      : // No payment on a draft, and on a receipt of an order without a stated or a full one.
        [
          m.invoice_receipt_note({}, opts),
          isPaid && number !== null ? m.invoice_paid_at_door({}, opts) : m.invoice_never_advance({}, opts),
        ],
    file: `${snapshot.orderNo}-${kind}.pdf`,
  }
}

/**
 * A document stores its places in English, in the last address line: `Kangayam, Tiruppur, Tamil Nadu 638701`. Translates that line; the
 * lines above were typed by people and stay.
 */
function withLocalPlace({ name, address }: Party, locale: Locale): Party {
  const [, places, pincode] = /^(.+) (\d{6})$/.exec(address.at(-1) ?? '') ?? []
  if (!places) return { name, address }
  const words = places.split(', ').map((place) => placeName(place, locale))
  return { name, address: [...address.slice(0, -1), `${[...new Set(words)].join(', ')} ${pincode}`] }
}

const buyerText = ({ paid, payable }: Snapshot, locale: Locale): string | null => (paid ? paidText(paid, payable, locale) : null)

/** A commission that nobody has settled yet. */
const openText = ({ payable }: Snapshot, settled: unknown, locale: Locale): string | null =>
  settled || moneyIn(payable) === 0n ? null : m.invoice_commission_open({ rest: formatRupees(moneyIn(payable)) }, { locale })

/** The seller's amount; a commission invoice's payable amount is the commission. */
const dueOf = ({ total, payable }: Snapshot): Money => moneyIn(total) - moneyIn(payable)

/** The payment to or from the seller, and what it leaves open or pays too much. */
function settledText(settlement: Settlement, due: Money, locale: Locale): string {
  const [text, rest, opts] = [settlementText(settlement, locale), leftOpen(due, settlement), { locale }]
  if (rest === 0n) return text
  const more =
    rest > 0n ? m.invoice_paid_rest({ rest: formatRupees(rest) }, opts) : m.invoice_paid_over({ over: formatRupees(-rest) }, opts)
  return `${text}. ${more}`
}

/** The payment, and what is still open of the payable amount. */
export function paidText({ method, amount }: NonNullable<Snapshot['paid']>, payable: string, locale: Locale): string {
  const [paid, opts] = [moneyIn(amount), { locale }]
  const sum = formatRupees(paid)
  const isCash = method === 'cash'
  const text =
    paid === 0n ? m.invoice_paid_nothing({}, opts) : isCash ? m.invoice_paid_cash({ sum }, opts) : m.invoice_paid_upi({ sum }, opts)
  const rest = restOf(moneyIn(payable), paid)
  return rest > 0n ? `${text} ${m.invoice_paid_rest({ rest: formatRupees(rest) }, opts)}` : text
}
