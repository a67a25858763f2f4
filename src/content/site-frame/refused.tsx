import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { ErrorHead } from './error-head.tsx'

export interface Refusal {
  status: number
  code?: string
  /** The code as a sentence. */
  detail?: string
  /** The category of an animal that its seller withdrew (410). */
  categoryId?: number
}

function titleOf({ status }: Refusal): string {
  if (status === 410) return m.gone_title()
  return status === 409 ? m.refused_step_title() : m.refused_title()
}

function textOf({ status, code, detail }: Refusal): string {
  if (status === 410) return m.gone_text()
  return detail && (status === 409 || code === 'VET_NOT_APPROVED') ? detail : m.refused_text()
}

export const RefusedHead = ({ refusal, origin }: { refusal: Refusal; origin: string | undefined }) => (
  <ErrorHead title={titleOf(refusal)} description={textOf(refusal)} origin={origin} />
)

/**
 * Not an error: the page is not for this person (403), not about their own things (409), or its listing is off the market (410). Rendered
 * on the server only.
 */
export function Refused({ refusal, profileId }: { refusal: Refusal; profileId: number | undefined }) {
  const to = useLocalPath()
  const { status, categoryId } = refusal
  return (
    <div className="mx-auto max-w-xl py-10 text-center">
      <img src="/species/goat.webp" alt="" width={96} height={96} className="mx-auto mb-4" />
      <h1 className="text-2xl">{titleOf(refusal)}</h1>
      <p className="mt-3 text-stone">{textOf(refusal)}</p>
      <div className="row justify-center gap-3 mt-6">
        {categoryId !== undefined && (
          <a href={to(`/buy/${categoryId}`)} className="button-primary">
            {m.gone_similar()}
          </a>
        )}
        {status === 403 && profileId !== undefined && (
          <a href={to(`/userprofile/${profileId}`)} className="button-primary">
            {m.menu_profile()}
          </a>
        )}
        <a href={to('/')} className="button-plain">
          {m.missing_home()}
        </a>
      </div>
    </div>
  )
}
