import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

interface VerificationDeskProps {
  at: 'queue' | 'second-look'
  /** How much waits in each part. */
  waiting: { queue: number; secondLooks: number }
}

/** The two parts of the desk: listings that wait for their verdict, and passed ones whose words were changed since. */
export function VerificationDesk({ at, waiting }: VerificationDeskProps) {
  const to = useLocalPath()
  const parts = [
    { key: 'queue', path: '/admin/verification', label: m.verify_desk_queue({ count: waiting.queue }) },
    { key: 'second-look', path: '/admin/second-looks', label: m.verify_desk_second_look({ count: waiting.secondLooks }) },
  ]
  return (
    <nav aria-label={m.verify_desk_nav()} className="grid grid-cols-2 overflow-hidden rounded-card border border-line bg-husk-dark">
      {parts.map(({ key, path, label }) => (
        <a
          key={key}
          href={to(path)}
          aria-current={key === at ? 'page' : undefined}
          className="flex min-h-11 items-center justify-center border-b-4 border-transparent px-2 py-1 text-center leading-tight font-semibold text-stone aria-[current]:border-leaf aria-[current]:bg-paper aria-[current]:text-leaf"
        >
          {label}
        </a>
      ))}
    </nav>
  )
}
