import { formatMoment } from '#src/kit/time-money/dates.ts'
import { languageTags } from '#src/kit/text/locale.ts'
import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import type { Route } from './+types/outbox-page'

/** Demo sites only: shows the e-mails and SMS that a live site would send. */
export const loader = pageLoader(async (ctx, { site }) => {
  if (site.env.mode !== 'demo') throw notFound()
  const messages = await listMessages(ctx)
  return {
    messages: messages.map(({ id, channel, recipient, template, locale, subject, body, createdAt, sentAt, failedAt }) => ({
      id,
      channel,
      to: recipient,
      template,
      locale,
      subject,
      body,
      // With seconds, because people need the newer of two codes.
      when: formatMoment(sentAt ?? createdAt, ctx.locale),
      state: sentAt ? ('sent' as const) : failedAt ? ('failed' as const) : ('waiting' as const),
    })),
  }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.outbox_title(), description: m.outbox_lead() }))

export default function OutboxPage({ loaderData: { messages } }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-3xl">
      <h1 className="text-2xl">{m.outbox_title()}</h1>
      <p className="mt-2 text-stone">{m.outbox_lead()}</p>
      <p className="mt-2 flex flex-wrap gap-x-5">
        <a href={to('/dev/outbox')} className="tap-link">
          {m.outbox_reload()}
        </a>
        <a href="/dev/outbox.json" className="tap-link">
          {m.outbox_json()}
        </a>
      </p>
      {messages.length === 0 && <p className="panel mt-4 p-4">{m.outbox_empty()}</p>}
      <ol className="mt-4 grid gap-4">
        {messages.map((message) => (
          <li key={message.id}>
            <article className="panel min-w-0 p-4">
              <p className="row gap-x-3 gap-y-1 text-sm text-stone">
                <span className="chip-good">{channelTexts[message.channel]()}</span>
                <span>{stateText[message.state]()}</span>
                <span>{message.when}</span>
                <code>{message.template}</code>
                <span lang={languageTags[message.locale]}>{languageNames[message.locale]}</span>
              </p>
              <p className="mt-2 wrap-anywhere">
                {m.outbox_to()}: <b>{message.to}</b>
              </p>
              <div lang={languageTags[message.locale]}>
                {message.subject !== null && <h2 className="mt-2 text-lg">{message.subject}</h2>}
                <p className="mt-2 wrap-anywhere whitespace-pre-wrap">
                  <Linked text={message.body} />
                </p>
              </div>
            </article>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Each in itself. */
const languageNames = { ta: 'தமிழ்', en: 'English' }

const channelTexts = { sms: m.message_desk_sms, email: m.outbox_email, push: m.message_desk_push }
// A table of functions: a computed key would put every text into this page.
const stateText = { sent: m.outbox_sent, waiting: m.outbox_waiting, failed: m.outbox_failed }

/** Turns whole web addresses into links; everything else stays text. */
function Linked({ text }: { text: string }) {
  return text.split(/(https?:\/\/[^\s<>"']+)/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={part} rel="nofollow noreferrer" className="link">
        {part}
      </a>
    ),
  )
}
