import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="py-2 sm:grid sm:grid-cols-[11rem_1fr] sm:gap-3">
      <dt className="text-sm font-semibold text-stone">{label}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}

const internalTexts = [m.profile_external, m.profile_internal_staff, m.profile_internal_admin, m.profile_internal_super]
/** The specification's four labels. */
export const internalText = (internalType: number) => (internalTexts[internalType] ?? m.profile_external)()
