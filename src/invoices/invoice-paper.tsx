import { m } from '#src/paraglide/messages.js'
import type { Paper } from './paper.ts'

/** The document on the screen: the same words as on the PDF. */
export function InvoicePaper({ paper }: { paper: Paper }) {
  const [sumLabel, sum] = paper.sums.at(-1)!
  return (
    <article className="panel space-y-4 p-4 sm:p-6">
      <h1 className="text-2xl">{paper.title}</h1>
      {paper.isDraft && <p className="rounded-control bg-turmeric-soft px-3 py-2 font-semibold">{m.invoice_draft_note()}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {paper.facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-stone">{label}</dt>
            <dd className="font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="grid gap-3 sm:grid-cols-2">
        {paper.parties.map(({ label, name, address }) => (
          <address key={label} className="not-italic">
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
            <span className="font-semibold">{item}</span>
            <span className="text-right font-semibold">{amount}</span>
            <span className="text-sm text-stone">
              {count} × {unit}
            </span>
          </li>
        ))}
      </ul>
      <dl className="ml-auto grid max-w-sm grid-cols-[1fr_auto] gap-x-4 gap-y-1">
        {paper.sums.slice(0, -1).map(([label, amount]) => (
          <div key={label} className="contents">
            <dt>{label}</dt>
            <dd className="text-right">{amount}</dd>
          </div>
        ))}
        <div className="contents text-lg font-bold">
          <dt className="border-t-2 border-leaf pt-1">{sumLabel}</dt>
          <dd className="border-t-2 border-leaf pt-1 text-right">{sum}</dd>
        </div>
      </dl>
      <p>
        <span className="text-stone">{m.invoice_in_words()}:</span> <b>{paper.inWords}</b>
      </p>
      {paper.settled && <p className="font-semibold text-leaf">{paper.settled}</p>}
      {paper.notes.map((note) => (
        <p key={note} className="text-sm text-stone">
          {note}
        </p>
      ))}
    </article>
  )
}
