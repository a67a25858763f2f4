import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'

interface Remark {
  reason: string
  comment: string | null
  reporter: { id: number; name: string }
  when: string
}

/** The reports about a case, each with its reason, comment and reporter. */
export function Remarks({ remarks }: { remarks: Remark[] }) {
  const to = useLocalPath()
  return (
    <ul className="space-y-2">
      {remarks.map(({ reason, comment, reporter, when }) => (
        <li key={reporter.id} className="remark">
          <b>{reason}</b>
          {comment && <p className="break-words whitespace-pre-line">{comment}</p>}
          <p className="text-sm text-stone">
            {m.reports_by()}:{' '}
            <a href={to(`/admin/users/${reporter.id}`)} className="link">
              {reporter.name || m.profile_deleted_user()}
            </a>{' '}
            · {when}
          </p>
        </li>
      ))}
    </ul>
  )
}
