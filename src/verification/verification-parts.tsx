import type { ReactNode } from 'react'
import { NumberedName } from '#src/accounts/numbered-name.tsx'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import type { Duplicate, Likeness } from '#src/listings/write/duplicates.server.ts'
import type { ShownToVerify } from './verification-facts.server.ts'
import { Changes } from './word-changes.tsx'

export const Verdict = ({ passed, text }: { passed: boolean; text: string }) => <b className={passed ? 'chip-good' : 'chip-bad'}>{text}</b>

interface CaseTitleProps {
  id: string
  listing: { listingId: number; code: string; name: string; seller: { id: number; name: string } }
  /** How long the case has been waiting. */
  since: string
}

/** A case's title, with its number, its seller and its age. */
export function CaseTitle({ id, listing: { listingId, code, name, seller }, since }: CaseTitleProps) {
  const to = useLocalPath()
  return (
    <div className="min-w-0">
      <h2 id={id} className="text-lg break-words">
        <a href={to(`/product/${listingId}?tab=verification`)} className="link inline-block py-1">
          {code} · {name}
        </a>
      </h2>
      <p className="text-sm">
        {m.verify_seller()}:{' '}
        <a href={to(`/admin/users/${seller.id}`)} className="inline-link">
          <NumberedName id={seller.id} name={seller.name || m.profile_deleted_user()} />
        </a>{' '}
        <span className="text-stone">· {since}</span>
      </p>
    </div>
  )
}

const whyTexts: Record<Likeness, () => string> = {
  'same-tag': m.verify_same_tag,
  'same-file': m.verify_same_file,
  'similar-picture': m.verify_similar_picture,
}

export const stateTexts: Record<Duplicate['state'] | 'draft', () => string> = {
  draft: m.product_draft,
  pending: m.product_pending,
  passed: m.product_passed,
  failed: m.product_failed,
  withdrawn: m.product_withdrawn,
}

/**
 * Other listings with the same pictures or ear tag. `beside`: links that show one beside this listing; without it the links open the
 * listing's page. Nothing when there are none.
 */
export function DuplicateList({ duplicates, beside }: { duplicates: Duplicate[]; beside?: (id: number) => string }) {
  const to = useLocalPath()
  if (duplicates.length === 0) return null
  return (
    <section aria-labelledby="verify-duplicates" className="rounded-card border-2 border-brick bg-brick-soft p-3">
      <h3 id="verify-duplicates" className="font-bold">
        {m.verify_duplicates()}
      </h3>
      <p className="text-sm">{m.verify_duplicates_text()}</p>
      <ul className="mt-2 grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-1">
        {duplicates.map((each) => (
          <li key={each.id}>
            <a
              href={beside ? beside(each.id) : to(`/product/${each.id}`)}
              {...(!beside && { target: '_blank', rel: 'noopener' })}
              className="flex min-h-11 items-center gap-3 rounded-control border border-line bg-paper p-2 hover:bg-leaf-soft"
            >
              {each.photoKey && (
                <Thumbnail mediaKey={each.photoKey} width={80} height={60} className="h-15 w-20 shrink-0 rounded-control object-cover" />
              )}
              <span className="min-w-0">
                <b className="line-clamp-2 text-leaf underline">{each.name}</b>
                <span className="block text-sm">
                  {each.why.map((why) => whyTexts[why]()).join(' · ')}
                  {' · '}
                  {each.isSold ? m.product_sold() : stateTexts[each.state]()}
                </span>
                <span className="block truncate text-sm text-stone">
                  {each.seller.name}
                  {each.isSameSeller && ` (${m.verify_same_seller()})`}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Marks the seller's changes since the last verdict; empty before the second verdict. */
export function Changed({ changes }: { changes: ShownToVerify['changes'] }) {
  if (!changes) return null
  const { facts, name, description, newPhotos, newClips } = changes
  return (
    <section aria-labelledby="verify-changed" className="rounded-card border border-turmeric bg-turmeric-soft p-3">
      <h3 id="verify-changed" className="font-bold">
        {changes.passed ? m.verify_changed_passed({ on: changes.on }) : m.verify_changed_failed({ on: changes.on })}
      </h3>
      <dl className="mt-1 space-y-1">
        {facts.map(({ label, before, now }) => (
          <Line key={label} label={label}>
            <del className="text-stone">{before || '–'}</del> → <ins className="font-semibold no-underline">{now || '–'}</ins>
          </Line>
        ))}
        {name && (
          <Line label={m.second_look_name()}>
            <Changes changes={name} />
          </Line>
        )}
        {description && (
          <Line label={m.product_description()}>
            <Changes changes={description} />
          </Line>
        )}
        {newPhotos > 0 && <Line label={m.verify_photos()}>{m.verify_photos_new({ count: newPhotos })}</Line>}
        {newClips > 0 && <Line label={m.product_clips()}>{m.verify_clips_new({ count: newClips })}</Line>}
      </dl>
      {facts.length === 0 && !name && !description && newPhotos === 0 && newClips === 0 && <p>{m.verify_changed_nothing()}</p>}
    </section>
  )
}

export const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex flex-wrap gap-x-2">
    <dt className="text-stone">{label}:</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)

interface VerdictRow {
  passed: boolean
  comment: string
  by: string
  on: string
}

/** Every verdict on the listing, the latest first. */
export function VerdictHistory({ verdicts }: { verdicts: VerdictRow[] }) {
  return (
    <section aria-labelledby="verify-history">
      <h3 id="verify-history" className="font-bold">
        {m.verify_history()}
      </h3>
      {verdicts.length === 0 ? (
        <p className="text-stone">{m.product_verification_none()}</p>
      ) : (
        <ol className="mt-1 space-y-2">
          {verdicts.map((v, index) => (
            <li key={index} className="remark">
              <Verdict passed={v.passed} text={v.passed ? m.product_passed() : m.product_failed()} />{' '}
              <span className="whitespace-pre-line">{v.comment}</span>
              <p className="text-sm text-stone">
                {m.product_verification_by()}: {v.by} · {v.on}
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
