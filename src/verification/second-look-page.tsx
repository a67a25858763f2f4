import { redirect } from 'react-router'
import { z } from 'zod'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { listSecondLooks } from './second-look-list.server.ts'
import { SecondLookView } from './second-look-view.tsx'
import { decideSecondLook, SECOND_LOOK_ACTS, secondLookDecision, undoFail } from './second-looks.server.ts'
import { getSellerLocale } from './to-verify.server.ts'
import { failComment } from './verification-phrases.ts'
import { wordChanges } from './word-changes.server.ts'
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
    locale: ctx.locale,
    origin: ctx.publicOrigin,
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

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/admin/second-looks',
        title: m.second_look_title(),
        description: m.second_look_lead(),
      })
    : []

export default function SecondLookPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SecondLookView {...loaderData} refused={actionData?.refused} />
}

export type SecondLookData = Route.ComponentProps['loaderData']
