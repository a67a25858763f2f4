import { redirect } from 'react-router'
import { z } from 'zod'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { canSendEmail } from '#src/kit/base/env.server.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { emailAddress } from '#src/kit/text/text.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { NewsletterDeskView } from './desk-view.tsx'
import { letterInput } from './letter-schema.ts'
import { changeLetter, countSubscribers, getLetter, listLetters, previewOf, sendLetter, testLetter, writeLetter } from './letters.server.ts'
import type { Route } from './+types/desk-page'

const DONE = ['saved', 'tested', 'sent'] as const
export type LetterDone = (typeof DONE)[number]

/** Letters to the newsletter's subscribers: write, preview, test on one address, send. */
export const loader = formLoader(async (ctx, { url, site }) => {
  const query = url.searchParams
  const id = parseId(query.get('letter') ?? undefined)
  const letter = id === null ? null : await getLetter(ctx, id)
  const letters = await listLetters(ctx)
  return {
    letter: letter && {
      id: letter.id,
      version: letter.version,
      subjectTa: letter.subjectTa,
      subjectEn: letter.subjectEn,
      bodyTa: letter.bodyTa,
      bodyEn: letter.bodyEn,
      sentAt: letter.sentAt && formatMoment(letter.sentAt, ctx.locale),
      receivers: letter.receivers,
      previews: (['ta', 'en'] as const).map((locale) => previewOf(letter, locale)),
    },
    letters: letters.map(({ id, subjectTa, subjectEn, sentAt, receivers, changedAt }) => ({
      id,
      subject: ctx.locale === 'ta' ? subjectTa : subjectEn,
      receivers,
      isSent: sentAt !== null,
      at: formatMoment(sentAt ?? changedAt, ctx.locale),
    })),
    subscribers: await countSubscribers(ctx),
    canSend: canSendEmail(site.env),
    done: DONE.find((each) => each === query.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const action = pageAction('newsletter-desk', async (ctx, { form, site }): Promise<never> => {
  const act = textOf(form, 'act')
  const go = (letter: number, done: LetterDone) => redirect(localized(tableAddress('/admin/newsletter', { letter, done }), ctx.locale))
  const written = () => parseInput(letterInput, Object.fromEntries(form))
  if (act === 'write') throw go(await writeLetter(ctx, written()), 'saved')
  const id = parseId(textOf(form, 'id'))
  const version = parseId(textOf(form, 'version'))
  if (id === null || version === null) throw notFound()
  const { secret } = site.env
  if (act === 'change') await changeLetter(ctx, { id, version }, written())
  else if (act === 'test') {
    const { email } = parseInput(z.object({ email: emailAddress }), { email: textOf(form, 'email') })
    await testLetter(ctx, { id, version }, { email, secret })
  } else await sendLetter(ctx, { id, version }, { password: textOf(form, 'password'), secret })
  throw go(id, act === 'change' ? 'saved' : act === 'test' ? 'tested' : 'sent')
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({ ...loaderData, path: '/admin/newsletter', title: m.newsletter_desk_title(), description: m.newsletter_desk_lead() })
    : []

export default function NewsletterDeskPage({ loaderData, actionData }: Route.ComponentProps) {
  return <NewsletterDeskView page={loaderData} refused={actionData?.refused} />
}

export type NewsletterDeskData = Route.ComponentProps['loaderData']
