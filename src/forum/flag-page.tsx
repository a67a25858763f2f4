import { redirect } from 'react-router'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { shorten } from '#src/kit/http/seo.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { ReportForm } from '#src/reports/report-form.tsx'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { flagTexts } from './flag-reasons.ts'
import { flagPost, getFlagSubject, postPath, type PostRef } from './flags.server.ts'
import { flagInput } from './schemas.ts'
import type { Route } from './+types/flag-page'

/** Enough of a post to recognise it. */
const SHOWN_LETTERS = 200

export const loader = formLoader(async (ctx, { params, url }) => {
  const post = postIn(params)
  const { content, threadId } = await getFlagSubject(ctx, post)
  return {
    path: `/forum/report/${post.kind}/${post.id}`,
    back: postPath(post, threadId),
    content: shorten(content, SHOWN_LETTERS),
    isSent: url.searchParams.has('done'),
  }
})

export const action = pageAction('flag', async (ctx, { params, form }): Promise<never> => {
  const post = postIn(params)
  const input = parseInput(flagInput, { reason: textOf(form, 'reason'), comment: textOf(form, 'comment') })
  await flagPost(ctx, post, input)
  throw redirect(localized(`/forum/report/${post.kind}/${post.id}?done=1`, ctx.locale))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

function postIn({ kind, id }: { kind?: string; id?: string }): PostRef {
  const number = parseId(id)
  const name = kind?.toLowerCase()
  if (number === null || (name !== 'thread' && name !== 'reply')) throw notFound()
  return { kind: name, id: number }
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  path: page.path,
  title: m.forum_flag_title(),
  description: m.forum_flag_lead(),
}))

export default function FlagPage({ loaderData: page, actionData }: Route.ComponentProps) {
  return (
    <ReportForm
      title={m.forum_flag_title()}
      lead={m.forum_flag_lead()}
      back={{ path: page.back, label: m.forum_flag_back() }}
      subject={<blockquote className="border-l-4 border-line pl-3 break-words whitespace-pre-line">{page.content}</blockquote>}
      reasons={Object.entries(flagTexts)}
      path={page.path}
      isSent={page.isSent}
      refused={actionData?.refused}
    />
  )
}
