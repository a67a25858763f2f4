import type { CaseAge } from '#src/kit/records/waiting.ts'
import { m } from '#src/paraglide/messages.js'

/** The waiting time of a desk's case; red when it is late. */
export const AgeChip = ({ age: { hours, target, isLate } }: { age: CaseAge }) => (
  <span
    title={m.office_target({ hours: target })}
    className={`chip whitespace-nowrap ${isLate ? 'bg-brick-soft text-brick' : 'bg-leaf-soft text-leaf ring-1 ring-leaf/25'}`}
  >
    {waited(hours)}
    {isLate && <span className="sr-only">, {m.office_late()}</span>}
  </span>
)

/** In days from two days on, because nobody counts 61 hours. */
const waited = (hours: number) => (hours < 48 ? m.office_hours({ hours }) : m.office_days({ days: Math.floor(hours / 24) }))
