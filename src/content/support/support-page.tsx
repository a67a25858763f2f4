import { randomUUID } from 'node:crypto'
import { use } from 'react'
import { redirect } from 'react-router'
import { takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { formHeaders, formLoader, pageAction, type FormRefusal } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { PageInfo } from '#src/document/page-info.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { phoneText } from '#src/accounts/phone-text.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { whatsappLink } from '#src/kit/messages/whatsapp-link.ts'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { supportHead } from './support-head.server.ts'
import { ticketInput } from './ticket-schemas.ts'
import { AS_NOBODY, topicTexts } from './ticket-topics.ts'
import { listOwnTickets, openSealed, openTicket, ownPhone, sealNumber, wasOpened } from './tickets.server.ts'
import { GrievanceAddress } from './grievance.tsx'
import type { Route } from './+types/support-page'

export const loader = formLoader(async (ctx, { url }) => ({
  ...supportHead(ctx.locale),
  sent: openSealed(ctx, url.searchParams.get('ticket')),
  isMember: ctx.viewer !== null,
  name: ctx.viewer?.name ?? '',
  phone: (await ownPhone(ctx)) ?? '',
  own: (await listOwnTickets(ctx)).map(({ createdAt, ...ticket }) => ({ ...ticket, on: formatDay(createdAt, ctx.locale) })),
  /** Unique per rendered form, so that a double submit opens one ticket. */
  key: randomUUID(),
}))

export const action = pageAction('support', async (ctx, { form, site, visitor }): Promise<never> => {
  // A person with an expired login would lose the on-site answer unnoticed. The second submit confirms that they have read this.
  if (visitor.hasSessionEnded && !form.has(AS_NOBODY)) throw new Problem('AUTH_REQUIRED')
  const input = parseInput(ticketInput, Object.fromEntries(form))
  const browser = ctx.browserId ?? visitor.address
  // After the validation, so that a forgotten field or a double submit does not use up one of the day's tickets.
  if (!(await wasOpened(ctx, input, browser))) await takeLetter(ctx, site, visitor)
  const number = await openTicket(ctx, input, browser)
  throw redirect(localized(`/support?ticket=${sealNumber(ctx, number)}#ticket`, ctx.locale))
})

/** Limits by person, or by browser without a login, so that neighbours behind one address do not use up each other's tickets. */
async function takeLetter(ctx: Ctx, site: Site, visitor: Visitor): Promise<void> {
  if (ctx.viewer) return takeLimits(ctx, site, visitor, 'ticketDay')
  if (ctx.browserId) await site.limits.takeDurable(ctx.db, 'ticketBrowser', ctx.browserId)
  await site.limits.takeDurable(ctx.db, 'ticketAddress', visitor.address)
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

/** After a login or logout on another page, the form needs a new token. */
export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = publicMeta<Route.MetaArgs>((page) => ({ ...page, path: '/support' }))

type SupportData = Route.ComponentProps['loaderData']

export default function SupportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { contact } = use(PageInfo)
  return (
    <div className="space-y-8">
      <ServerOnly id="support" isPersonal part={import.meta.env.SSR && <SupportCards page={loaderData} contact={contact!} />} />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <TicketPart page={loaderData} refused={actionData?.refused} />
        <aside className="space-y-4">
          <ServerOnly id="grievance" isPersonal part={import.meta.env.SSR && <Grievance contact={contact!} />} />
          {loaderData.own.length > 0 && <OwnTickets own={loaderData.own} />}
        </aside>
      </div>
    </div>
  )
}

interface SupportProps {
  page: SupportData
  contact: ContactSetting
}

/** Ways to reach us at once. Rendered on the server only, like the parts below. */
function SupportCards({ page, contact }: SupportProps) {
  const cards: { icon: IconName; title: string; when: string; href: string; text: string }[] = [
    { icon: 'phone', title: m.support_phone(), when: m.support_phone_when(), href: `tel:${contact.phone}`, text: phoneText(contact.phone) },
    { icon: 'mail', title: m.support_mail(), when: m.support_mail_when(), href: `mailto:${contact.mail}`, text: contact.mail },
    {
      icon: 'chat',
      title: m.support_chat(),
      when: m.support_chat_when(),
      href: whatsappLink(contact.whatsapp, m.support_chat_text()),
      text: phoneText(contact.whatsapp),
    },
  ]
  return (
    <div className="space-y-8">
      <header className="max-w-3xl">
        <h1 className="text-2xl md:text-3xl">{page.title}</h1>
        <p className="mt-2 text-lg text-stone">{page.description}</p>
      </header>
      <ul className="grid gap-4 sm:grid-cols-3">
        {cards.map(({ icon, title, when, href, text }) => (
          <li key={icon}>
            <a href={href} className="panel flex h-full flex-col gap-1 p-4 hover:border-leaf hover:bg-leaf-soft">
              <span className="flex items-center gap-2 text-lg font-bold text-leaf">
                <Icon name={icon} size={24} className="shrink-0" />
                {title}
              </span>
              <span className="text-lg break-all">{text}</span>
              <span className="text-stone">{when}</span>
            </a>
          </li>
        ))}
      </ul>
      <p className="rounded-card border-l-4 border-turmeric bg-turmeric-soft px-4 py-3">{m.support_urgent()}</p>
    </div>
  )
}

function Grievance({ contact }: Pick<SupportProps, 'contact'>) {
  return (
    <section className="rounded-card bg-leaf-soft p-4">
      <h2 className="text-lg">{m.support_grievance()}</h2>
      <p className="mt-1">{m.support_grievance_text()}</p>
      <GrievanceAddress contact={contact} className="mt-3" />
    </section>
  )
}

interface TicketProps {
  page: SupportData
  refused: FormRefusal | undefined
}

/** The form, or the number of the ticket that it opened. */
function TicketPart({ page, refused }: TicketProps) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  if (page.sent && !refused) return <TicketSent number={page.sent} />
  const { errors = {}, typed = {} } = refused ?? {}
  const field = fieldsOf('ticket', refused)
  return (
    <section id="ticket" className="panel p-4 md:p-6">
      <h2 className="text-xl">{m.support_ticket()}</h2>
      <p className="mb-4 text-stone">{m.support_ticket_lead()}</p>
      <PostForm ref={form} action={to('/support#ticket')} noValidate className="grid gap-4">
        <input type="hidden" name="key" value={page.key} />
        {refused && <FormFailure detail={failureText(refused)} />}
        {refused && !page.isMember && isLoginOver(refused) && <LoginOver />}
        <Field {...field('name', page.name)} autoComplete="name" maxLength={200} label={m.ticket_name()} />
        <PhoneField id="ticket-phone" defaultValue={typed.phone ?? page.phone} error={errors.phone} />
        <SelectField
          {...field('topic')}
          label={m.ticket_topic()}
          none={m.ticket_topic_choose()}
          options={Object.entries(topicTexts).map(([id, text]) => ({ id, name: text() }))}
        />
        <TextAreaField {...field('content')} rows={6} maxLength={2000} label={m.ticket_content()} hint={m.ticket_content_hint()} />
        <button type="submit" className="button-primary min-h-12 justify-self-start">
          {m.ticket_send()}
        </button>
      </PostForm>
    </section>
  )
}

function TicketSent({ number }: { number: string }) {
  const to = useLocalPath()
  return (
    <section id="ticket" className="panel space-y-3 p-4 md:p-6">
      <h2 className="text-xl">{m.support_ticket()}</h2>
      <div role="status" className="note p-4">
        <p className="text-lg font-semibold">{m.ticket_sent({ number })}</p>
        <p>{m.ticket_sent_more()}</p>
      </div>
      <a href={to('/support#ticket')} className="button-plain">
        {m.ticket_another()}
      </a>
    </section>
  )
}

/** The login expired meanwhile, or the form is outdated. */
const isLoginOver = ({ code }: FormRefusal) => code === 'AUTH_REQUIRED' || code === 'CSRF_REJECTED'

function failureText({ code, detail }: FormRefusal): string {
  if (code === 'RATE_LIMITED') return `${detail} ${m.ticket_limited()}`
  if (code === 'AUTH_REQUIRED') return m.ticket_login_over()
  return detail || m.error_offline_text()
}

/** The login opens on another page, so that the text stays; or the person sends the form anonymously, with the same button. */
function LoginOver() {
  const to = useLocalPath()
  return (
    <>
      <input type="hidden" name={AS_NOBODY} value="1" />
      <a href={to('/login')} target="_blank" rel="noopener" className="button-plain justify-self-start">
        {m.resume_log_in()}
      </a>
    </>
  )
}

function OwnTickets({ own }: Pick<SupportData, 'own'>) {
  return (
    <section className="panel overflow-hidden">
      <h2 className="panel-title text-lg">{m.ticket_own()}</h2>
      <ul className="divide-y divide-line">
        {own.map(({ number, topic, content, on, note }) => (
          <li key={number} className="space-y-1 px-4 py-3">
            <p className="row gap-2">
              <b>{number}</b>
              <span className="chip bg-husk-dark">{note === null ? m.ticket_open() : m.ticket_closed()}</span>
              <span className="text-sm text-stone">
                {topicTexts[topic]()} · {on}
              </span>
            </p>
            <p className="line-clamp-3 break-words whitespace-pre-line">{content}</p>
            {note !== null && <p className="note break-words whitespace-pre-line">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
