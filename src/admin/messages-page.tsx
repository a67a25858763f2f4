import { redirect } from 'react-router'
import { pushConfigurationOf } from '#src/accounts/notifications/vapid.server.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import type { Channel } from '#src/kit/messages/outbox.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber } from '#src/ui/desk-query.ts'
import {
  listDeskMessages,
  MESSAGES_PER_PAGE,
  messageViews,
  readMessageFigures,
  retryMessages,
  ways,
  type Way,
} from './message-desk.server.ts'
import { MessagesView } from './messages-view.tsx'
import type { Route } from './+types/messages-page'

export const loader = formLoader(async (ctx, { url, site }) => {
  const query = url.searchParams
  const { counts, ways: byWay, days, channels } = await readMessageFigures(ctx)
  const view = messageViews.find((each) => each === query.get('show')) ?? (counts.failed > 0 ? 'failed' : 'sent')
  const page = readPageNumber(query.get('page'))
  const way = ways.find((each) => each === query.get('way')) ?? null
  const messages = await listDeskMessages(ctx, { view, way, page })
  const ofWay = (each: Way) => byWay.find((counted) => counted.way === each)?.[view] ?? 0
  return {
    view,
    way,
    /** The ways of this view's messages, and the chosen one even without any. */
    ways: ways.map((each) => ({ way: each, count: ofWay(each) })).filter((each) => each.count > 0 || each.way === way),
    found: way === null ? counts[view] : ofWay(way),
    page,
    perPage: MESSAGES_PER_PAGE,
    counts,
    days,
    paise: (await readSettings(ctx)).smsPaise,
    channels: channels.map(({ sentAt, ...channel }) => ({
      ...channel,
      provider: providerOf(ctx, site.env, channel.channel),
      sentAt: sentAt && formatMoment(sentAt, ctx.locale),
    })),
    messages: messages.map(({ at, dueAt, recipient, ...message }) => ({
      ...message,
      recipient: shownRecipient(message.way, recipient),
      at: formatMoment(at, ctx.locale),
      dueAt: formatMoment(dueAt, ctx.locale),
    })),
    done: parseId(query.get('done') ?? undefined),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

/** The recipient of a push is a device number, which tells an admin nothing. */
function shownRecipient(way: Way, recipient: string): string {
  if (way === 'email') return recipient.replace(/^(.{2}).*@/, '$1…@')
  return recipient.startsWith('+') ? maskPhone(recipient) : ''
}

/** `demo`: no message leaves the machine; `missing`: no provider is configured. */
function providerOf({ vault }: Ctx, env: Env, channel: Channel): 'demo' | 'missing' | 'there' {
  // A demo signs pushes with its own keys, but sends them through the real push services.
  const providers = { sms: env.sms, email: env.smtpUrl, push: pushConfigurationOf(env, vault) }
  if (providers[channel] !== null) return 'there'
  return env.mode === 'demo' ? 'demo' : 'missing'
}

export const action = pageAction('messages', async (ctx, { form }): Promise<never> => {
  const id = parseId(textOf(form, 'id') || undefined)
  if (id === null && textOf(form, 'act') !== 'retry-all') throw notFound()
  const count = await retryMessages(ctx, id)
  throw redirect(localized(`/admin/messages?show=waiting&done=${count}`, ctx.locale))
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/messages', title: m.message_desk_title(), description: m.message_desk_lead() }) : []

export default function MessagesPage({ loaderData, actionData }: Route.ComponentProps) {
  return <MessagesView {...loaderData} refused={actionData?.refused} />
}

export type MessagesData = Route.ComponentProps['loaderData']
