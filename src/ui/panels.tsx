import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { PostForm } from '#src/ui/post-form.tsx'
import { OwnPasswordField } from './field.tsx'

interface FileFormProps {
  id: string
  title: string
  /** Each file with its URL and a label in the reader's language; Enter submits the first. */
  files: { label: string; address: string }[]
  refused: string | null
}

interface TitledProps {
  /** Unique within the page; the title's. */
  id: string
  title: ReactNode
  className?: string
  children: ReactNode
}

/** A part of a page with its title. */
export const TitledPanel = ({ id, title, className = 'panel p-4', children }: TitledProps) => (
  <section aria-labelledby={id} className={className}>
    <h2 id={id} className="text-lg">
      {title}
    </h2>
    {children}
  </section>
)

interface FoldedProps {
  title: string
  isOpen?: boolean
  children: ReactNode
}

/** A panel whose title opens it. */
export const FoldedPanel = ({ title, isOpen, children }: FoldedProps) => (
  <details open={isOpen || undefined} className="panel group">
    <summary className="flex min-h-11 unmarked items-center justify-between gap-2 px-4 py-2 font-semibold text-leaf">
      {title}
      <span aria-hidden="true" className="fold-arrow" />
    </summary>
    {children}
  </details>
)

/** Downloads of files with other people's data: folded, and the person must enter their password (accounts/identity/file-action.server.ts). */
export function FileForm({ id, title, files, refused }: FileFormProps) {
  return (
    <FoldedPanel title={title} isOpen={refused !== null}>
      <PostForm reloadDocument action={files[0]!.address} className="grid max-w-md gap-3 px-4 pb-4">
        <p className="text-sm text-stone">{m.orders_csv_hint()}</p>
        <OwnPasswordField id={`${id}-password`} error={refused ?? undefined} />
        <div className="row gap-2">
          {files.map(({ label, address }) => (
            <button key={address} type="submit" formAction={address} className="button-plain">
              {label}
            </button>
          ))}
        </div>
      </PostForm>
    </FoldedPanel>
  )
}

/** Amounts with their names. `hasSum`: the last line is the sum of the others. */
export const SumLines = ({ lines, hasSum = false }: { lines: [string, string][]; hasSum?: boolean }) => (
  <dl className="mt-2 divide-y divide-line">
    {lines.map(([label, amount], n) => (
      <div key={label} className={`flex justify-between gap-4 py-1.5 ${hasSum && n === lines.length - 1 ? 'text-lg font-bold' : ''}`}>
        <dt className="min-w-0 wrap-anywhere">{label}</dt>
        <dd className="whitespace-nowrap tabular-nums">{amount}</dd>
      </div>
    ))}
  </dl>
)
