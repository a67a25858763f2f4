import { phoneText } from '#src/accounts/phone-text.ts'
import type { ContactSetting } from '#src/kit/settings.ts'
import { whatsappLink } from '#src/kit/messages/whatsapp-link.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon, type IconName } from '#src/ui/icon.tsx'
import { GrievanceAddress } from './grievance.tsx'
import type { SupportData } from './support-page.tsx'

interface SupportProps {
  page: SupportData
  contact: ContactSetting
}

/** Ways to reach us at once. Rendered on the server only, like the parts below. */
export function SupportCards({ page, contact }: SupportProps) {
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

export function Grievance({ contact }: Pick<SupportProps, 'contact'>) {
  return (
    <section className="rounded-card bg-leaf-soft p-4">
      <h2 className="text-lg">{m.support_grievance()}</h2>
      <p className="mt-1">{m.support_grievance_text()}</p>
      <GrievanceAddress contact={contact} className="mt-3" />
    </section>
  )
}
