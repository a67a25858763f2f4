import { redirect } from 'react-router'
import { pushConfigurationOf } from '#src/accounts/notifications/vapid.server.ts'
import { maskPhone } from '#src/accounts/rules.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import type { Channel } from '#src/kit/messages/outbox.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { readSettings } from '#src/kit/records/settings.server.ts'
import { localized, languageTags } from '#src/kit/text/locale.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { searchText } from '#src/kit/text/plain-text.ts'
import { m } from '#src/paraglide/messages.js'
import { readPageNumber, tableAddress } from '#src/ui/desk-query.ts'
import { SearchHead } from '#src/ui/desk-filter.tsx'
import { DeskTable, TablePages, TableViews, type Column } from '#src/ui/desk-table.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { Columns, PlotTable } from '#src/ui/plots.tsx'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import {
  listDeskMessages,
  MESSAGES_PER_PAGE,
  messageViews,
  readMessageFigures,
  retryMessages,
  ways,
  type Way,
  type MessageView,
} from './message-desk.server.ts'
import { settingText } from './settings-texts.ts'
import type { Route } from './+types/messages-page'

export const loader = formLoader(async (ctx, { url, site }) => {
  const query = url.searchParams
  const { counts, ways: byWay, days, channels } = await readMessageFigures(ctx)
  const view = messageViews.find((each) => each === query.get('show')) ?? (counts.failed > 0 ? 'failed' : 'sent')
  const page = readPageNumber(query.get('page'))
  const way = ways.find((each) => each === query.get('way')) ?? null
  const text = searchText(query.get('q') ?? '', 80)
  const messages = await listDeskMessages(ctx, { view, way, page, text })
  const ofWay = (each: Way) => byWay.find((counted) => counted.way === each)?.[view] ?? 0
  return {
    view,
    way,
    /** The ways of this view's messages, and the chosen one even without any. */
    ways: ways.map((each) => ({ way: each, count: ofWay(each) })).filter((each) => each.count > 0 || each.way === way),
    text,
    found: text ? (messages[0]?.found ?? 0) : way === null ? counts[view] : ofWay(way),
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

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.message_desk_title(), description: m.message_desk_lead() }))

type MessagesData = Route.ComponentProps['loaderData']
type Page = MessagesData & { refused: FormRefusal | undefined }
type Message = MessagesData['messages'][number]

const viewTexts: Record<MessageView, () => string> = {
  failed: m.message_desk_failed,
  waiting: m.message_desk_waiting,
  sent: m.message_desk_sent,
}

export default function MessagesPage({ loaderData, actionData }: Route.ComponentProps) {
  const data = { ...loaderData, refused: actionData?.refused }
  const to = useLocalPath()
  const { text, view, way, page, counts, messages, done, refused } = data
  const address = (changes: Record<string, string | number | null>) =>
    to(tableAddress('/admin/messages', { q: text, show: view, way, ...changes }))
  return (
    <div className="space-y-4 py-2">
      <SearchHead title={m.message_desk_title()} path="/admin/messages" text={text} choices={{ show: view, way: way ?? undefined }} />
      {done !== null && !refused && <FormDone>{m.message_desk_retried({ count: done })}</FormDone>}
      {refused && <FormFailure {...refused} detail={refused.code === 'NOT_FOUND' ? m.message_desk_gone() : refused.detail} />}
      {text === '' && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
          <Providers channels={data.channels} />
          <Days days={data.days} paise={data.paise} />
        </div>
      )}
      <TableViews
        views={(Object.keys(viewTexts) as MessageView[]).map((name) => ({
          name: viewTexts[name](),
          address: address({ show: name, way: null }),
          isHere: name === view,
          count: counts[name],
        }))}
      />
      <Ways data={data} address={address} />
      {view === 'failed' && way === null && messages.some(({ canRetry }) => canRetry) && (
        <RetryForm act="retry-all" label={m.message_desk_retry_all()} />
      )}
      {messages.length === 0 ? (
        <p className="panel p-4">{text ? m.desk_none_found() : m.message_desk_none()}</p>
      ) : (
        <DeskTable
          caption={viewTexts[view]()}
          columns={columns(view)}
          rows={messages}
          keyOf={({ id }) => id}
          addressOf={({ userId }) => (userId === null ? address({}) : to(`/admin/users/${userId}`))}
        />
      )}
      <TablePages page={page} perPage={data.perPage} count={data.found} pageAddress={(number) => address({ page: number })} />
    </div>
  )
}

/** Filters the view by the way that its messages went. */
function Ways({ data: { view, way, ways, counts }, address }: { data: Page; address: (changes: { way: Way | null }) => string }) {
  if (ways.length < 2 && way === null) return null
  return (
    <TableViews
      label={m.message_desk_channel()}
      views={[
        { name: m.message_desk_all_ways(), address: address({ way: null }), isHere: way === null, count: counts[view] },
        ...ways.map((each) => ({
          name: wayText(each.way, view),
          address: address({ way: each.way }),
          isHere: each.way === way,
          count: each.count,
        })),
      ]}
    />
  )
}

const columns = (view: MessageView): Column<Message>[] => [
  { id: 'to', label: m.message_desk_to(), width: 'md:w-1/4', cell: ({ userName, recipient }) => userName || recipient },
  { id: 'recipient', label: m.message_desk_recipient(), onCard: 'bare', cell: ({ recipient }) => recipient },
  { id: 'template', label: m.message_desk_template(), width: 'md:w-1/5', onCard: 'bare', cell: ({ template }) => template },
  {
    id: 'channel',
    label: m.message_desk_channel(),
    width: 'md:w-1/5',
    onCard: 'bare',
    cell: ({ way, locale }) => `${wayText(way, view)} · ${locale === 'ta' ? m.page_views_ta() : m.page_views_en()}`,
  },
  { id: 'attempts', label: m.message_desk_attempts(), isNumber: true, cell: ({ attempts }) => attempts },
  ...(view === 'sent'
    ? []
    : [{ id: 'error', label: m.message_desk_error(), width: 'md:w-1/3', cell: ({ lastError }: Message) => lastError }]),
  view === 'waiting'
    ? { id: 'due', label: m.message_desk_due(), cell: ({ dueAt }) => dueAt }
    : { id: 'at', label: m.desk_decided_at(), onCard: 'bare', cell: ({ at }) => at },
  ...(view === 'failed'
    ? [
        {
          id: 'retry',
          label: m.message_desk_retry(),
          onCard: 'bare' as const,
          isFixed: true as const,
          cell: ({ id, canRetry }: Message) =>
            canRetry ? <RetryForm act="retry" id={id} label={m.message_desk_retry()} /> : m.message_desk_secret(),
        },
      ]
    : []),
]

const channelTexts: Record<Channel, () => string> = { sms: m.message_desk_sms, email: m.message_desk_email, push: m.message_desk_push }

/** The channel of a message. For an SMS that devices may show first: whether they did, or will try. */
function wayText(way: Way, view: MessageView): string {
  if (way === 'shown') return m.message_desk_shown()
  if (way !== 'push-first') return channelTexts[way]()
  return view === 'waiting' ? m.message_desk_push_first() : m.message_desk_not_shown()
}

function RetryForm({ act, id, label }: { act: 'retry' | 'retry-all'; id?: number; label: string }) {
  const to = useLocalPath()
  return (
    <PostForm reloadDocument action={to('/admin/messages')} onSubmit={sendOnce}>
      <HiddenFields act={act} id={id} />
      <button type="submit" className="button-plain">
        {label}
      </button>
    </PostForm>
  )
}

const providerTexts = { demo: m.message_desk_demo, missing: m.message_desk_missing, there: m.message_desk_there }

function Providers({ channels }: Pick<MessagesData, 'channels'>) {
  return (
    <TitledPanel id="message-providers" title={m.message_desk_providers()}>
      <ul className="mt-2 divide-y divide-line">
        {channels.map(({ channel, provider, sent, failed, waiting, shown, lastError, sentAt }) => (
          <li key={channel} className="space-y-1 py-2">
            <p className="row gap-2">
              <b>{channelTexts[channel]()}</b>
              <span className={`chip ${provider === 'missing' || failed > 0 ? 'bg-brick-soft text-brick' : 'bg-leaf-soft text-leaf'}`}>
                {providerTexts[provider]()}
              </span>
            </p>
            <p className="text-sm">{m.message_desk_last_day({ sent, failed, waiting })}</p>
            {channel === 'push' && <p className="text-sm">{m.message_desk_shown_last_day({ shown })}</p>}
            {lastError && <p className="text-sm text-brick">{m.message_desk_last_error({ error: lastError })}</p>}
            {sentAt && <p className="text-sm text-stone">{m.message_desk_last_sent({ when: sentAt })}</p>}
          </li>
        ))}
      </ul>
    </TitledPanel>
  )
}

/** Messages sent per day, and the cost of the SMS among them. */
function Days({ days, paise }: Pick<MessagesData, 'days' | 'paise'>) {
  const to = useLocalPath()
  const locale = useLocale()
  const rupees = (parts: number) => `₹${((parts * paise) / 100).toLocaleString('en-IN', { maximumFractionDigits: 2 })}`
  const label = (day: string) =>
    new Date(day).toLocaleDateString(languageTags[locale], { timeZone: 'UTC', day: 'numeric', month: 'numeric' })
  const sum = days.reduce((all, { parts }) => all + parts, 0)
  const spared = days.reduce((all, each) => all + each.spared, 0)
  return (
    <TitledPanel id="message-days" title={m.message_desk_days()}>
      <Columns columns={days.map(({ day, sms }) => ({ label: day.slice(-2), value: sms, shown: String(sms) }))} />
      <p className="mt-2 text-sm">{m.message_desk_cost({ cost: rupees(sum), parts: sum })}</p>
      <p className="text-sm">{m.message_desk_spared({ cost: rupees(spared), parts: spared })}</p>
      <a href={to('/admin/settings#smsPaise')} className="tap-link">
        {m.message_desk_price_set({ price: settingText('smsPaise', paise) })}
      </a>
      <PlotTable
        caption={m.message_desk_days()}
        heads={[
          m.message_desk_day(),
          m.message_desk_sms(),
          m.message_desk_of_these_not_shown(),
          m.message_desk_price(),
          m.message_desk_shown(),
          m.message_desk_email(),
          m.message_desk_failed(),
        ]}
        rows={days.map(({ day, sms, notShown, parts, email, failed, shown }) => [
          label(day),
          // First what the plot shows.
          sms,
          notShown,
          rupees(parts),
          shown,
          email,
          failed,
        ])}
      />
    </TitledPanel>
  )
}
