import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Picture } from '#src/ui/picture.tsx'
import { ReasonFields } from '#src/ui/reason-fields.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { SecondLookData } from './second-look-page.tsx'
import { failReasons } from './verification-phrases.ts'
import type { WordChange } from './word-changes.server.ts'
import { Changes } from './word-changes.tsx'

type Page = SecondLookData & { refused: FormRefusal | undefined }
type Look = SecondLookData['looks'][number]

const doneTexts = {
  pass: m.second_look_done_pass,
  revert: m.second_look_done_revert,
  fail: m.second_look_done_fail,
  undo: m.verify_undone,
}

/** The changed words of passed listings, each with the form for a decision. */
export function SecondLookView({ looks, done, ofId, csrf, refused }: Page) {
  const to = useLocalPath()
  // The form of a look that still waits has its typed comment.
  const isHere = looks.some(({ listingId }) => refused?.typed.listing === String(listingId))
  return (
    <div className="page-column max-w-4xl">
      <h1 className="text-2xl">{m.second_look_title()}</h1>
      <p className="text-stone">{m.second_look_lead()}</p>
      {done && !refused && (
        <UndoableDone
          id="second-look-undo"
          text={doneTexts[done]()}
          isUndoable={done === 'fail'}
          action={to('/admin/second-looks')}
          fields={{ csrf, act: 'undo', listing: String(ofId) }}
        />
      )}
      {refused && refused.code !== 'VALIDATION' && (
        <LostDecision refused={isHere ? { ...refused, typed: {} } : refused} gone={m.second_look_gone()} />
      )}
      {looks.length === 0 ? (
        <p className="panel p-4">{m.second_look_none()}</p>
      ) : (
        <>
          <p>{m.second_look_marks()}</p>
          <ol className="space-y-4">
            {looks.map((look) => (
              <li key={look.listingId}>
                <Changed look={look} csrf={csrf} refused={refused?.typed.listing === String(look.listingId) ? refused : undefined} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

interface ChangedProps {
  look: Look
  csrf: string
  refused: FormRefusal | undefined
}

function Changed({ look, csrf, refused }: ChangedProps) {
  const to = useLocalPath()
  const { listingId: id, seller, photoKey } = look
  return (
    <article aria-labelledby={`look-${id}`} className="panel overflow-hidden">
      <header className="flex gap-3 panel-title">
        {photoKey && (
          <div className="thumb">
            <Picture mediaKey={photoKey} alt="" isSmall sizes="96px" width={96} height={96} className="size-24 object-cover" />
          </div>
        )}
        <div className="min-w-0">
          <h2 id={`look-${id}`} className="text-lg break-words">
            <a href={to(`/product/${id}?tab=verification`)} className="link inline-block py-1">
              {look.code} · {look.name}
            </a>
          </h2>
          <p className="text-sm">
            {m.verify_seller()}:{' '}
            <a href={to(`/admin/users/${seller.id}`)} className="inline-link">
              {seller.name || m.profile_deleted_user()}
            </a>{' '}
            <span className="text-stone">· {m.second_look_since({ when: look.since })}</span>
          </p>
        </div>
      </header>
      <div className="two-columns">
        <dl className="min-w-0 space-y-3">
          <Text label={m.second_look_name()} changes={look.nameChanges} />
          <Text label={m.product_description()} changes={look.descriptionChanges} />
        </dl>
        <Decision look={look} csrf={csrf} refused={refused} />
      </div>
    </article>
  )
}

const Text = ({ label, changes }: { label: string; changes: WordChange[] }) => (
  <div>
    <dt className="text-sm font-semibold text-stone">{label}</dt>
    <dd>
      <Changes changes={changes} />
    </dd>
  </div>
)

function Decision({ look, csrf, refused }: ChangedProps) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  return (
    // oxfmt-ignore
    <form ref={form} method="post" action={to('/admin/second-looks')} onSubmit={sendOnce} noValidate
      className="space-y-3">
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="listing" value={look.listingId} />
      <input type="hidden" name="version" value={look.version} />
      <button type="submit" name="act" value="pass" className="button-primary">
        {m.second_look_pass()}
      </button>
      <ReasonFields
        id={`look-${look.listingId}`}
        label={m.second_look_comment()}
        reasons={failReasons()}
        own={{ name: 'comment', maxLength: 1000 }}
        refused={refused}
      />
      <div className="flex flex-wrap gap-3">
        <button type="submit" name="act" value="revert" className="button-plain">
          {m.second_look_revert()}
        </button>
        <button type="submit" name="act" value="fail" className="button-danger">
          {m.second_look_fail({ code: look.code })}
        </button>
      </div>
    </form>
  )
}
