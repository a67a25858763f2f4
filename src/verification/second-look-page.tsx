import { redirect } from 'react-router'
import { z } from 'zod'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import type { Ctx } from '#src/kit/context.ts'
import { ageOf } from '#src/kit/records/waiting.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { DeskQueue, LostDecision, type CaseForm } from '#src/ui/desk-beside.tsx'
import { readPageNumber } from '#src/ui/desk-query.ts'
import type { Column } from '#src/ui/desk-table.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { ReasonFields } from '#src/ui/reason-fields.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { countWaiting, findSecondLook, listSecondLooks, LOOKS_PER_PAGE, type SecondLook } from './second-look-list.server.ts'
import { decideSecondLook, SECOND_LOOK_ACTS, secondLookDecision, undoFail } from './second-looks.server.ts'
import { getSellerLocale } from './to-verify.server.ts'
import { failComment, failReasons } from './verification-phrases.ts'
import { wordChanges, type WordChange } from './word-changes.server.ts'
import { Changes } from './word-changes.tsx'
import { CaseTitle } from './verification-parts.tsx'
import type { Route } from './+types/second-look-page'

/** Passed listings whose name or description was changed since, the longest waiting first, and the open one. */
export const loader = formLoader(async (ctx, { url }) => {
  const query = url.searchParams
  const page = readPageNumber(query.get('page'))
  const chosen = parseId(query.get('look') ?? '')
  const looks = await listSecondLooks(ctx, page)
  const found = chosen === null ? undefined : await findSecondLook(ctx, chosen)
  const one = found ?? looks[0]
  const target = (await readSettings(ctx)).deskTargets.secondLooks
  return {
    page,
    perPage: LOOKS_PER_PAGE,
    count: (await countWaiting(ctx)).secondLooks,
    looks: looks.map((look) => shownRow(ctx, look, target)),
    one: one ? shownCase(ctx, one, target) : null,
    isChosen: found !== undefined,
    isGone: chosen !== null && !found,
    done: FORM_ACTS.find((each) => each === query.get('done')) ?? null,
    ofId: parseId(query.get('of') ?? ''),
  }
})

const shownRow = (ctx: Ctx, { listingId, code, seller, before, now, changedAt }: SecondLook, target: number) => ({
  listingId,
  code,
  seller,
  name: now.name,
  words: (['name', 'description'] as const).filter((part) => before[part] !== now[part]),
  age: ageOf(changedAt, ctx.now, target),
})

const shownCase = (ctx: Ctx, look: SecondLook, target: number) => ({
  ...shownRow(ctx, look, target),
  version: look.version,
  photoKey: look.photoKey,
  since: formatDaysAgo(look.changedAt, ctx.now, ctx.locale),
  nameChanges: wordChanges(look.before.name, look.now.name),
  descriptionChanges: wordChanges(look.before.description, look.now.description),
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

type LooksData = Route.ComponentProps['loaderData']
type Row = LooksData['looks'][number]
type Look = NonNullable<LooksData['one']>

const doneTexts = {
  pass: m.second_look_done_pass,
  revert: m.second_look_done_revert,
  fail: m.second_look_done_fail,
  undo: m.verify_undone,
}

/** The queue of passed listings with changed words, and beside it the open one with the form for a decision. */
export default function SecondLookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { looks, one, isChosen, isGone, done, ofId, ...pages } = loaderData
  const refused = actionData?.refused
  const to = useLocalPath()
  const isOfCase = refused !== undefined && refused.typed.act !== 'undo' && refused.typed.listing === String(one?.listingId)
  return (
    <div className="space-y-2">
      <h1 className="text-2xl md:text-xl">{m.second_look_title()}</h1>
      {done && !refused && (
        <UndoableDone
          id="second-look-undo"
          text={doneTexts[done]()}
          isUndoable={done === 'fail'}
          action={to('/admin/second-looks')}
          fields={{ act: 'undo', listing: String(ofId) }}
        />
      )}
      {refused && !isOfCase && (
        <LostDecision refused={{ ...refused, typed: { ...refused.typed, reason: '' } }} gone={m.second_look_gone()} />
      )}
      {!refused && isGone && <FormFailure detail={m.second_look_gone()} />}
      <DeskQueue
        caption={m.second_look_title()}
        columns={columns()}
        rows={looks}
        keyOf={({ listingId }) => listingId}
        none={m.second_look_none()}
        path="/admin/second-looks"
        parameter="look"
        pages={pages}
        open={one && { key: one.listingId, label: `${one.code} · ${one.name}`, isChosen }}
        refused={isOfCase ? refused : undefined}
      >
        {(form) => one && <Changed key={one.listingId} look={one} {...form} />}
      </DeskQueue>
    </div>
  )
}

const partTexts = { name: m.second_look_name, description: m.product_description }

const columns = (): Column<Row>[] => [
  { id: 'title', label: m.vet_own_animal(), width: 'md:w-1/2', cell: ({ code, name }) => `${code} · ${name}` },
  {
    id: 'words',
    label: m.second_look_words(),
    width: 'md:w-1/4',
    onCard: 'bare',
    cell: ({ words }) => words.map((part) => partTexts[part]()).join(' · '),
  },
  { id: 'seller', label: m.verify_seller(), width: 'md:w-1/4', onCard: 'bare', cell: ({ seller }) => seller.name },
  { id: 'age', label: m.enquiry_desk_age(), onCard: 'bare', cell: ({ age }) => <AgeChip age={age} /> },
]

type ChangedProps = CaseForm & { look: Look }

function Changed({ look, ...form }: ChangedProps) {
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
      <div className="space-y-4 p-4">
        <dl className="min-w-0 space-y-3">
          <Text label={m.second_look_name()} changes={look.nameChanges} />
          <Text label={m.product_description()} changes={look.descriptionChanges} />
        </dl>
        <p className="text-sm text-stone">{m.second_look_marks()}</p>
        <Decision look={look} {...form} />
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

function Decision({ look, action, refused }: ChangedProps) {
  return (
    <PostForm reloadDocument action={action} onSubmit={sendOnce} noValidate className="space-y-3">
      <HiddenFields listing={look.listingId} version={look.version} />
      {refused && refused.code !== 'VALIDATION' && <FormFailure {...refused} />}
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
