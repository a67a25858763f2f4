import { FormFailure } from '#src/accounts/form-failure.tsx'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import type { FormRefusal } from '#src/kit/page.server.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { whatsappLink } from '#src/kit/whatsapp-link.ts'
import { m } from '#src/paraglide/messages.js'
import { describedBy, Field, FieldError } from '#src/ui/field.tsx'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { SupportData } from './support-page.tsx'
import { topicTexts } from './ticket-topics.ts'

interface SupportProps {
  page: SupportData
  contact: ContactSetting
  refused: FormRefusal | undefined
}

/** Drawn by the server alone: its form is a plain one, whose answer is a page. */
export function SupportView({ page, contact, refused }: SupportProps) {
  const { locale } = page
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
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <TicketPart page={page} refused={refused} />
        <aside className="space-y-4">
          <section className="rounded-card bg-leaf-soft p-4">
            <h2 className="text-lg">{m.support_grievance()}</h2>
            <p className="mt-1">{m.support_grievance_text()}</p>
            <address className="mt-3 not-italic">
              <b>{locale === 'ta' ? contact.grievanceTa : contact.grievanceEn}</b>
              <br />
              <a href={`mailto:${contact.grievanceMail}`} className="link inline-flex min-h-11 items-center font-semibold break-all">
                {contact.grievanceMail}
              </a>
              <br />
              {locale === 'ta' ? contact.addressTa : contact.addressEn}
            </address>
          </section>
          {page.own.length > 0 && <OwnTickets own={page.own} />}
        </aside>
      </div>
    </div>
  )
}

function TicketPart({ page, refused }: Pick<SupportProps, 'page' | 'refused'>) {
  const to = useLocalPath()
  if (page.sent && !refused) {
    return (
      <section id="ticket" className="panel space-y-3 p-4 md:p-6">
        <h2 className="text-xl">{m.support_ticket()}</h2>
        <div role="status" className="rounded-control bg-leaf-soft p-4">
          <p className="text-lg font-semibold">{m.ticket_sent({ number: page.sent })}</p>
          <p>{m.ticket_sent_more()}</p>
        </div>
        <a href={to('/support#ticket')} className="button-plain">
          {m.ticket_another()}
        </a>
      </section>
    )
  }
  const { errors = {}, typed = {} } = refused ?? {}
  const isLimited = refused?.code === 'RATE_LIMITED'
  return (
    <section id="ticket" className="panel p-4 md:p-6">
      <h2 className="text-xl">{m.support_ticket()}</h2>
      <p className="mb-4 text-stone">{m.support_ticket_lead()}</p>
      <form method="post" action={to('/support#ticket')} noValidate className="grid gap-4">
        <input type="hidden" name="csrf" value={page.csrf} />
        <input type="hidden" name="key" value={page.key} />
        {refused && <FormFailure detail={isLimited ? m.ticket_limited() : refused.detail} />}
        <Field
          id="ticket-name"
          name="name"
          autoComplete="name"
          maxLength={200}
          label={m.ticket_name()}
          defaultValue={typed.name ?? page.name}
          error={errors.name}
        />
        <PhoneField id="ticket-phone" defaultValue={typed.phone ?? page.phone} error={errors.phone} />
        <div>
          <label htmlFor="ticket-topic" className="label">
            {m.ticket_topic()}
          </label>
          <select
            id="ticket-topic"
            name="topic"
            defaultValue={typed.topic ?? ''}
            aria-invalid={errors.topic !== undefined || undefined}
            aria-describedby={describedBy('ticket-topic', false, errors.topic)}
            className="field aria-invalid:border-2 aria-invalid:border-brick"
          >
            <option value="">{m.ticket_topic_choose()}</option>
            {Object.entries(topicTexts).map(([topic, text]) => (
              <option key={topic} value={topic}>
                {text()}
              </option>
            ))}
          </select>
          <FieldError id="ticket-topic" error={errors.topic} />
        </div>
        <div>
          <label htmlFor="ticket-content" className="label">
            {m.ticket_content()}
          </label>
          <p id="ticket-content-hint" className="mb-1 text-sm text-stone">
            {m.ticket_content_hint()}
          </p>
          <textarea
            id="ticket-content"
            name="content"
            rows={6}
            maxLength={2000}
            defaultValue={typed.content ?? ''}
            aria-invalid={errors.content !== undefined || undefined}
            aria-describedby={describedBy('ticket-content', true, errors.content)}
            className="field aria-invalid:border-2 aria-invalid:border-brick"
          />
          <FieldError id="ticket-content" error={errors.content} />
        </div>
        <button type="submit" className="button-primary min-h-12 justify-self-start">
          {m.ticket_send()}
        </button>
      </form>
    </section>
  )
}

function OwnTickets({ own }: Pick<SupportData, 'own'>) {
  return (
    <section className="panel overflow-hidden">
      <h2 className="border-b border-line bg-husk-dark px-4 py-3 text-lg">{m.ticket_own()}</h2>
      <ul className="divide-y divide-line">
        {own.map(({ number, topic, content, on, note }) => (
          <li key={number} className="space-y-1 px-4 py-3">
            <p className="flex flex-wrap items-center gap-2">
              <b>{number}</b>
              <span className="chip bg-husk-dark">{note === null ? m.ticket_open() : m.ticket_closed()}</span>
              <span className="text-sm text-stone">
                {topicTexts[topic]()} · {on}
              </span>
            </p>
            <p className="line-clamp-3 break-words whitespace-pre-line">{content}</p>
            {note !== null && <p className="rounded-control bg-leaf-soft px-3 py-2 break-words whitespace-pre-line">{note}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
