import { m } from '#src/paraglide/messages.js'
import type { Paper } from './paper.ts'

/** The document on the screen, with the same text as the PDF. */
export function InvoicePaper({ paper, qr }: { paper: Paper; qr: string | null }) {
  return (
    <div className="light-sheet space-y-4 dark:rounded-control dark:p-4">
      {paper.isDraft && <p className="notice font-semibold">{m.invoice_draft_note()}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {paper.facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-sm leading-6 text-stone">{label}</dt>
            <dd className="font-semibold whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-3 sm:grid-cols-2">
        {paper.parties.map(({ label, name, address }) => (
          <address key={label} className="min-w-0 break-words not-italic">
            <span className="text-sm text-stone">{label}</span>
            <br />
            <b>{name}</b>
            {address.map((row) => (
              <span key={row} className="block">
                {row}
              </span>
            ))}
          </address>
        ))}
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {paper.rows.map(([item, count, unit, amount]) => (
          <li key={item} className="grid grid-cols-[1fr_auto] gap-x-4 py-2">
            <ItemName item={item!} />
            <span className="text-right font-semibold">{amount}</span>
            <span className="text-sm text-stone">
              {count} × {unit}
            </span>
          </li>
        ))}
      </ul>
      <Sums sums={paper.sums} />
      <p>
        <span className="text-stone">{m.invoice_in_words()}:</span> <b>{paper.inWords}</b>
      </p>
      {paper.paid && <p className="font-semibold">{paper.paid}</p>}
      {paper.settled && <p className="font-semibold text-leaf">{paper.settled}</p>}
      {paper.notes.map((note) => (
        <p key={note} className="text-sm text-stone">
          {note}
        </p>
      ))}
      {qr && (
        <div className="flex items-center gap-3">
          <img src={`data:image/svg+xml,${encodeURIComponent(qr)}`} alt={m.verify_scan()} width={104} height={104} className="bg-white" />
          <p className="text-sm text-stone">{m.verify_scan()}</p>
        </div>
      )}
    </div>
  )
}

/** The last line is the total. */
function Sums({ sums }: Pick<Paper, 'sums'>) {
  const [sumLabel, sum] = sums.at(-1)!
  return (
    <dl className="ml-auto grid max-w-sm grid-cols-[1fr_auto] gap-y-1">
      {sums.slice(0, -1).map(([label, amount]) => (
        <div key={label} className="contents">
          <dt>{label}</dt>
          <dd className="pl-4 text-right">{amount}</dd>
        </div>
      ))}
      <div className="contents text-lg font-bold">
        <dt className="border-t-2 border-leaf pt-1">{sumLabel}</dt>
        <dd className="border-t-2 border-leaf pt-1 pl-4 text-right">{sum}</dd>
      </div>
    </dl>
  )
}

/** "Kangayam cow (COW-00042)": keeps the code on one line, because people read it out on the phone. */
function ItemName({ item }: { item: string }) {
  const [, name = item, code] = /^(.*) (\(\S+\))$/s.exec(item) ?? []
  return (
    <span className="min-w-0 font-semibold break-words">
      {name} {code && <span className="whitespace-nowrap">{code}</span>}
    </span>
  )
}
