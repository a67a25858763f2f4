import { Form, redirect } from 'react-router'
import { FormFailure, useFocusOnWrong } from '#src/accounts/form-failure.tsx'
import { takeLimit, textOf } from '#src/accounts/identity-door.server.ts'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { keptOnDeadLine } from '#src/kit/dead-line.ts'
import { localized } from '#src/kit/locale.ts'
import { formHeaders, formLoader, pageAction, parseForm, withoutBugs } from '#src/kit/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { pageMeta, shorten } from '#src/kit/seo.ts'
import { parseId } from '#src/listings/schemas.ts'
import { m } from '#src/paraglide/messages.js'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { flagTexts } from './flag-reasons.ts'
import { flagPost, getFlagSubject, postPath, type PostRef } from './flags.server.ts'
import { flagInput, type FlagReason } from './schemas.ts'
import type { Route } from './+types/flag-page'

/** So much of a post is enough to know it again. */
const SHOWN_LETTERS = 200

export const loader = formLoader(async (ctx, { params, url }) => {
  requireViewer(ctx, url)
  const post = postIn(params)
  const { content, threadId } = await getFlagSubject(ctx, post)
  return {
    path: `/forum/report/${post.kind}/${post.id}`,
    back: postPath(post, threadId),
    content: shorten(content, SHOWN_LETTERS),
    isSent: url.searchParams.has('done'),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction(
  async (ctx, { params, form, site, visitor }): Promise<never> => {
    if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
    const post = postIn(params)
    const input = parseForm(flagInput, { reason: textOf(form, 'reason'), comment: textOf(form, 'comment') })
    for (const limit of ['writeMinute', 'reportDay'] as const) await takeLimit(ctx, site, visitor, limit)
    await withoutBugs(ctx, 'a post could not be reported', () => flagPost(ctx, post, input))
    throw redirect(localized(`/forum/report/${post.kind}/${post.id}?done=1`, ctx.locale))
  },
  { isForMembers: true },
)

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => keptOnDeadLine(serverAction)

function postIn({ kind, id }: { kind?: string; id?: string }): PostRef {
  const number = parseId(id)
  const name = kind?.toLowerCase()
  if (number === null || (name !== 'thread' && name !== 'reply')) throw notFound()
  return { kind: name, id: number }
}

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        ...loaderData,
        title: m.forum_flag_title(),
        description: m.forum_flag_lead(),
        keywords: m.home_keywords(),
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function FlagPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  const { errors = {}, typed = {} } = refused ?? {}
  const isSent = page.isSent && !refused
  const form = useFocusOnWrong(refused)
  return (
    <div className="mx-auto max-w-xl space-y-4 py-2">
      <a href={to(page.back)} className="link inline-flex min-h-11 items-center font-semibold">
        {m.forum_flag_back()}
      </a>
      <h1 className="text-2xl">{m.forum_flag_title()}</h1>
      {isSent ? (
        <p role="status" className="rounded-control bg-leaf-soft p-4 text-lg font-semibold">
          {m.report_sent()}
        </p>
      ) : (
        <>
          <blockquote className="border-l-4 border-line pl-3 break-words whitespace-pre-line">{page.content}</blockquote>
          <p className="text-stone">{m.forum_flag_lead()}</p>
          {refused && <FormFailure detail={refused.detail || m.error_offline_text()} retryAfterSeconds={refused.retryAfterSeconds} />}
          <Form ref={form} method="post" action={to(page.path)} className="panel space-y-4 p-4">
            <input type="hidden" name="csrf" value={page.csrf} />
            <fieldset
              aria-describedby={describedBy('reason', false, errors.reason)}
              aria-invalid={errors.reason !== undefined || undefined}
            >
              <legend className="sr-only">{m.forum_flag_title()}</legend>
              <div className="space-y-2">
                {(Object.keys(flagTexts) as FlagReason[]).map((reason) => (
                  <label
                    key={reason}
                    className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2 has-[:checked]:border-leaf has-[:checked]:bg-leaf-soft"
                  >
                    <input
                      type="radio"
                      name="reason"
                      value={reason}
                      defaultChecked={typed.reason === reason}
                      className="size-5 shrink-0 accent-leaf"
                    />
                    {flagTexts[reason]()}
                  </label>
                ))}
              </div>
              <FieldError id="reason" error={errors.reason} />
            </fieldset>
            <div>
              <label htmlFor="comment" className="label">
                {m.report_comment()}
              </label>
              <textarea
                id="comment"
                name="comment"
                rows={4}
                maxLength={1000}
                defaultValue={typed.comment ?? ''}
                aria-invalid={errors.comment !== undefined || undefined}
                aria-describedby={describedBy('comment', false, errors.comment)}
                className="field aria-invalid:border-2 aria-invalid:border-brick"
              />
              <FieldError id="comment" error={errors.comment} />
            </div>
            <button type="submit" className="button-primary w-full">
              {m.report_send()}
            </button>
          </Form>
        </>
      )}
    </div>
  )
}
