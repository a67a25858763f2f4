import { redirect } from 'react-router'
import { z } from 'zod'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { saveAnswers, seenOf } from '#src/ready-answers/commands.server.ts'
import { MOST_ANSWERS, LONGEST_ANSWER } from '#src/ready-answers/limits.ts'
import { listAnswers } from '#src/ready-answers/queries.server.ts'
import { answersInput } from '#src/ready-answers/schemas.ts'
import { ANSWER_DESKS } from '#src/ready-answers/tables.ts'
import { tableAddress } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { deskName } from '#src/content/site-frame/desks.ts'
import { TableViews } from '#src/ui/desk-table.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { Route } from './+types/answers-page'

const deskOf = (text: string | null) => ANSWER_DESKS.find((desk) => desk === text)

/** The form that edits the ready answers of one desk. */
export const loader = formLoader(async (ctx, { url }) => {
  const desk = deskOf(url.searchParams.get('desk')) ?? 'tickets'
  const answers = await listAnswers(ctx, desk)
  return {
    desk,
    desks: [...ANSWER_DESKS],
    answers: answers.map(({ ta, en }) => ({ ta, en })),
    most: MOST_ANSWERS,
    seen: seenOf(answers),
    isDone: url.searchParams.has('done'),
  }
})

const shown = z.object({ seen: z.coerce.number().int('field_wrong') })

export const action = pageAction('ready-answers', async (ctx, { form }): Promise<never> => {
  const desk = deskOf(textOf(form, 'desk'))
  if (!desk) throw notFound()
  const typed = Array.from({ length: MOST_ANSWERS }, (_, n) => ({ ta: textOf(form, `${n}.ta`), en: textOf(form, `${n}.en`) }))
  const { seen } = parseInput(shown, Object.fromEntries(form))
  await saveAnswers(ctx, desk, parseInput(answersInput, typed), seen)
  throw redirect(localized(tableAddress('/admin/answers', { desk, done: 1 }), ctx.locale))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.answers_ready(), description: m.answers_lead() }))

type AnswersData = Route.ComponentProps['loaderData']

interface Props {
  page: AnswersData
  refused: FormRefusal | undefined
}

/** Ready answers: texts that the admins of a desk send often, in both languages. */
export default function AnswersPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const to = useLocalPath()
  const { desk, desks, isDone, seen } = page
  return (
    <div className="space-y-4 py-2">
      <DeskTitle>{m.answers_ready()}</DeskTitle>
      <p className="text-sm text-stone">{m.answers_empty_hint()}</p>
      <TableViews
        views={desks.map((each) => ({
          name: deskName(each),
          address: to(tableAddress('/admin/answers', { desk: each })),
          isHere: each === desk,
        }))}
      />
      {isDone && !refused && <FormDone>{m.answers_done()}</FormDone>}
      <AnswersForm key={`${desk}-${seen}`} page={page} refused={refused} />
    </div>
  )
}

/** Empty fields at the end of the form, for new answers. */
const EMPTY = 2

function AnswersForm({ page: { desk, answers, most, seen }, refused }: Props) {
  const { onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  const rows = Math.min(most, answers.length + EMPTY)
  const hasFieldError = refused && Object.keys(refused.errors).length > 0
  return (
    <PostForm ref={form} noValidate onSubmit={onSubmit} className="space-y-4">
      {refused && !hasFieldError && <FormFailure {...refused} />}
      {refused?.code === 'VERSION' && <Typed refused={refused} answers={answers} />}
      <HiddenFields desk={desk} seen={seen} />
      <ol className="panel divide-y divide-line">
        {Array.from({ length: rows }, (_, n) => (
          <li key={n}>
            <fieldset className="grid min-w-0 gap-x-4 gap-y-2 p-4 md:grid-cols-2">
              <legend className="sr-only">{n < answers.length ? m.answers_number({ number: n + 1 }) : m.answers_new()}</legend>
              <Words n={n} language="ta" label={m.answers_tamil()} saved={answers[n]?.ta} refused={refused} />
              <Words n={n} language="en" label={m.answers_english()} saved={answers[n]?.en} refused={refused} />
            </fieldset>
          </li>
        ))}
      </ol>
      <div className="sticky bottom-0 z-10 panel p-3">
        <button type="submit" className="button-primary">
          {m.answers_save()}
        </button>
      </div>
    </PostForm>
  )
}

/** The refused texts that are not stored. The fields show the stored ones. */
function Typed({ refused: { typed }, answers }: { refused: FormRefusal; answers: AnswersData['answers'] }) {
  const stored = answers.flatMap(({ ta, en }) => [ta, en])
  const lost = Object.entries(typed).flatMap(([name, text]) =>
    /^\d+\.(ta|en)$/.test(name) && text && !stored.includes(text) ? [text] : [],
  )
  if (lost.length === 0) return null
  return (
    <div className="note break-words">
      <b>{m.desk_typed()}</b>
      {lost.map((text) => (
        <p key={text} className="whitespace-pre-line">
          {text}
        </p>
      ))}
    </div>
  )
}

interface WordsProps {
  n: number
  language: 'ta' | 'en'
  label: string
  saved: string | undefined
  refused: FormRefusal | undefined
}

function Words({ n, language, label, saved = '', refused }: WordsProps) {
  const name = `${n}.${language}`
  // After a VERSION refusal, show the stored text: another admin has changed it, and the typed text starts from the old one.
  const typed = refused?.code === 'VERSION' ? undefined : refused?.typed[name]
  return (
    <TextAreaField
      id={`answer-${n}-${language}`}
      name={name}
      label={label}
      lang={language}
      rows={2}
      maxLength={2 * LONGEST_ANSWER}
      defaultValue={typed ?? saved}
      error={refused?.errors[name]}
    />
  )
}
