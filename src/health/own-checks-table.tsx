import { m } from '#src/paraglide/messages.js'
import { DeskTable, TablePages, type Column } from '#src/ui/desk-table.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { OwnChecks } from './own-checks.server.ts'

interface OwnChecksTableProps {
  checks: OwnChecks
  pageAddress: (page: number) => string
}

/** The vet's own findings with the end of their validity. */
export function OwnChecksTable({ checks, pageAddress }: OwnChecksTableProps) {
  const to = useLocalPath()
  return (
    <section aria-labelledby="own-checks" className="space-y-3">
      <h2 id="own-checks" className="text-xl">
        {m.vet_tab_own()}
      </h2>
      {checks.rows.length === 0 ? (
        <p className="panel p-4">{m.vet_own_none()}</p>
      ) : (
        <DeskTable
          caption={m.vet_tab_own()}
          columns={columns()}
          rows={checks.rows}
          keyOf={({ id }) => id}
          addressOf={({ listingId }) => to(`/product/${listingId}?tab=vet#details`)}
        />
      )}
      <TablePages page={checks.page} perPage={checks.perPage} count={checks.count} pageAddress={pageAddress} />
    </section>
  )
}

const columns = (): Column<OwnChecks['rows'][number]>[] => [
  {
    id: 'name',
    label: m.vet_own_animal(),
    width: 'md:w-1/3',
    cell: ({ name, code }) => `${code} · ${name}`,
  },
  {
    id: 'result',
    label: m.vet_approval(),
    onCard: 'bare',
    cell: ({ approved }) => (
      <b className={`chip ${approved ? 'bg-leaf-soft text-leaf' : 'bg-brick-soft text-brick'}`}>
        {approved ? m.product_vet_pass() : m.product_vet_fail()}
      </b>
    ),
  },
  { id: 'on', label: m.vet_checked_on(), cell: ({ on }) => on },
  { id: 'until', label: m.vet_own_until(), cell: ({ validUntil }) => validUntil ?? m.vet_out_of_date() },
  { id: 'comments', label: m.vet_comments(), width: 'md:w-1/3', cell: ({ comments }) => comments },
]
