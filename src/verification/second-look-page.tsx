import { redirect } from 'react-router'
import { z } from 'zod'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { ReasonFields } from '#src/ui/reason-fields.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { listSecondLooks } from './second-look-list.server.ts'
import { decideSecondLook, SECOND_LOOK_ACTS, secondLookDecision, undoFail } from './second-looks.server.ts'
import { getSellerLocale } from './to-verify.server.ts'
import { failComment, failReasons } from './verification-phrases.ts'
import { wordChanges, type WordChange } from './word-changes.server.ts'
import { Changes } from './word-changes.tsx'
import { CaseTitle } from './verification-parts.tsx'
import type { Route } from './+types/second-look-page'

/** Passed listings whose name or description was changed since, the longest waiting first. */
export const loader = formLoader(async (ctx, { url }) => {
  const looks = await listSecondLooks(ctx)
  return {
    looks: looks.map(({ before, now, changedAt, ...look }) => ({
      ...look,
      name: now.name,
      since: formatDaysAgo(changedAt, ctx.now, ctx.locale),
      nameChanges: wordChanges(before.name, now.name),
      descriptionChanges: wordChanges(before.description, now.description),
    })),
    done: FORM_ACTS.find((each) => each === url.searchParams.get('done')) ?? null,
    ofId: parseId(url.searchParams.get('of') ?? ''),
  }
})

const FORM_ACTS = [...SECOND_LOOK_ACTS, 'undo'] as const
const target = z.object({ act: z.enum(FORM_ACTS) })

export const action = pageAction('second-looks', async (ctx, { form }): Promise<never> => {
  const { act } = parseInput(target, { act: textOf(form, 'act') })
  const id = parseId(textOf(form, 'listing'))
  if (id === null) throw notFound()
  if (act === 'undo') {
    await undoFail(ctx, id)
    throw redirect(localized(`/admin/second-looks?done=${act}`, ctx.locale))
  }
  // The forms always send the version that the admin saw.
  const version = parseId(textOf(form, 'version'))
  if (version === null) throw new Problem('VERSION')
  const comment = failComment(textOf(form, 'reason'), textOf(form, 'comment'), await getSellerLocale(ctx, id))
  await decideSecondLook(ctx, id, parseInput(secondLookDecision, { act, version, comment }))
  throw redirect(localized(`/admin/second-looks?done=${act}&of=${id}`, ctx.locale))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.second_look_title(), description: m.second_look_lead() }))

type Look = Route.ComponentProps['loaderData']['looks'][number]

const doneTexts = {
  pass: m.second_look_done_pass,
  revert: m.second_look_done_revert,
  fail: m.second_look_done_fail,
  undo: m.verify_undone,
}

/** The changed words of passed listings, each with the form for a decision. */
export default function SecondLookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { looks, done, ofId } = loaderData
  const refused = actionData?.refused
  const to = useLocalPath()
  // The form of a look that still waits has its typed comment.
  const isHere = looks.some(({ listingId }) => refused?.typed.listing === String(listingId))
  return (
    <div className="page-column max-w-4xl">
      <DeskTitle>{m.second_look_title()}</DeskTitle>
      {done && !refused && (
        <UndoableDone
          id="second-look-undo"
          text={doneTexts[done]()}
          isUndoable={done === 'fail'}
          action={to('/admin/second-looks')}
          fields={{ act: 'undo', listing: String(ofId) }}
        />
      )}
      {refused && refused.code !== 'VALIDATION' && (
        <LostDecision refused={{ ...refused, typed: isHere ? {} : { ...refused.typed, reason: '' } }} gone={m.second_look_gone()} />
      )}
      {looks.length === 0 ? (
        <p className="panel p-4">{m.second_look_none()}</p>
      ) : (
        <>
          <p>{m.second_look_marks()}</p>
          <ol className="space-y-4">
            {looks.map((look) => (
              <li key={look.listingId}>
                <Changed look={look} refused={refused?.typed.listing === String(look.listingId) ? refused : undefined} />
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
  refused: FormRefusal | undefined
}

function Changed({ look, refused }: ChangedProps) {
  const { listingId: id, photoKey } = look
  return (
    <article aria-labelledby={`look-${id}`} className="panel overflow-hidden">
      <header className="flex gap-3 panel-title">
        {photoKey && (
          <div className="thumb">
            <Thumbnail mediaKey={photoKey} width={96} height={96} className="size-24 object-cover" />
          </div>
        )}
        <CaseTitle id={`look-${id}`} listing={look} since={m.second_look_since({ when: look.since })} />
      </header>
      <div className="two-columns">
        <dl className="min-w-0 space-y-3">
          <Text label={m.second_look_name()} changes={look.nameChanges} />
          <Text label={m.product_description()} changes={look.descriptionChanges} />
        </dl>
        <Decision look={look} refused={refused} />
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

function Decision({ look, refused }: ChangedProps) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  return (
    // oxfmt-ignore
    <PostForm ref={form} reloadDocument action={to('/admin/second-looks')} onSubmit={sendOnce} noValidate
      className="space-y-3">
      <HiddenFields listing={look.listingId} version={look.version} />
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
    </PostForm>
  )
}
