import { redirect } from 'react-router'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { saveAnswers, seenOf } from '#src/ready-answers/commands.server.ts'
import { MOST_ANSWERS } from '#src/ready-answers/limits.ts'
import { listAnswers } from '#src/ready-answers/queries.server.ts'
import { answersInput } from '#src/ready-answers/schemas.ts'
import { ANSWER_DESKS } from '#src/ready-answers/tables.ts'
import { tableAddress } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { AnswersView } from './answers-view.tsx'
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
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction('ready-answers', async (ctx, { form }): Promise<never> => {
  const desk = deskOf(textOf(form, 'desk'))
  if (!desk) throw notFound()
  const typed = Array.from({ length: MOST_ANSWERS }, (_, n) => ({ ta: textOf(form, `${n}.ta`), en: textOf(form, `${n}.en`) }))
  await saveAnswers(ctx, desk, parseInput(answersInput, typed), Number(textOf(form, 'seen')))
  throw redirect(localized(tableAddress('/admin/answers', { desk, done: 1 }), ctx.locale))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/answers', title: m.answers_ready(), description: m.answers_lead() }) : []

export default function AnswersPage({ loaderData, actionData }: Route.ComponentProps) {
  return <AnswersView page={loaderData} refused={actionData?.refused} />
}

export type AnswersData = Route.ComponentProps['loaderData']
