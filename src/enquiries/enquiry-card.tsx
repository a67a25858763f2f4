import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import type { ShownEnquiry } from './enquiry-view.server.ts'

const verifiedTexts = {
  verified: m.wanted_verified,
  'not-verified': m.wanted_not_verified,
  pending: m.wanted_pending,
}
const verifiedClasses = {
  verified: 'bg-leaf-soft text-leaf',
  'not-verified': 'bg-brick-soft text-brick',
  pending: 'bg-turmeric-soft text-ink',
}

/** B §2 and §4: NEW ENQUIRY or WANTED, its verdict, and whether it is closed or expired. */
export function EnquiryChips({ enquiry }: { enquiry: ShownEnquiry }) {
  const { state, verified } = enquiry
  const isOver = state === 'closed' || state === 'expired'
  return (
    <p className="flex flex-wrap gap-1">
      <span className={`chip ${isOver ? 'bg-line text-stone' : enquiry.isNew ? 'bg-turmeric text-ink' : 'bg-leaf text-white'}`}>
        {enquiry.isNew ? m.wanted_new() : m.wanted_label()}
      </span>
      <span className={`chip ${verifiedClasses[verified]}`}>
        {verified === 'verified' && <Icon name="badge" size={15} />}
        {verifiedTexts[verified]()}
      </span>
      {isOver && <span className="chip-bad">{state === 'closed' ? m.wanted_closed() : m.wanted_expired()}</span>}
    </p>
  )
}

/** Facts of the wanted animal beside its name and its number. */
export const kindFacts = ({ category, what, gender, age, color, weightKg }: ShownEnquiry): string[] =>
  [category === what ? null : category, gender, age, color, weightKg > 0 ? m.wanted_weight({ kg: weightKg }) : null].filter(
    (fact) => fact !== null,
  )

/** An expired or closed enquiry is greyed, and only its poster and admins get a link to its page. */
export function EnquiryCard({ enquiry }: { enquiry: ShownEnquiry }) {
  const to = useLocalPath()
  const isOver = enquiry.state === 'closed' || enquiry.state === 'expired'
  const facts = [...kindFacts(enquiry), ...(enquiry.count === 0 ? [] : [m.wanted_count({ count: enquiry.count })])]
  const title = m.enquiry_title({ what: enquiry.what })
  return (
    <article
      className={`relative flex h-full flex-col gap-2 rounded-card border border-line p-4 shadow-card ${
        isOver ? 'bg-husk-dark text-stone' : 'bg-paper focus-within:ring-3 focus-within:ring-turmeric hover:border-leaf'
      } ${enquiry.canOpen ? '' : 'cursor-not-allowed'}`}
    >
      <EnquiryChips enquiry={enquiry} />
      <h2 className="text-lg leading-snug">
        {enquiry.canOpen ? (
          <a href={to(`/view-enquiry/${enquiry.id}`)} className="outline-none after:absolute after:inset-0">
            {title}
          </a>
        ) : (
          title
        )}
      </h2>
      <p className={`text-lg font-bold ${isOver ? '' : 'text-ink'}`}>
        {enquiry.price ? m.wanted_price({ price: enquiry.price }) : m.enquiry_price_open()}
      </p>
      {facts.length > 0 && <p className="text-sm">{facts.map((fact) => fact.replaceAll(' ', '\u00a0')).join(' · ')}</p>}
      <p className="line-clamp-3 text-sm">{enquiry.description}</p>
      <p className="mt-auto flex items-start gap-1 text-sm text-stone">
        <Icon name="pin" size={16} className="mt-0.5 shrink-0" />
        <span>
          {enquiry.place}
          {enquiry.kilometres !== null && <b className="ml-1 text-ink">· {m.card_km({ km: enquiry.kilometres })}</b>}
        </span>
      </p>
      <p className="text-sm text-stone">
        {m.enquiry_posted({ when: enquiry.posted })} ·{' '}
        <span className="whitespace-nowrap">
          {enquiry.offers === 1 ? m.wanted_answers_one() : m.wanted_answers({ count: enquiry.offers })}
        </span>
      </p>
      {enquiry.contact && !enquiry.isOwn && (
        <p className="text-sm font-semibold">
          {enquiry.postedFor} ·{' '}
          <PhoneLink phone={enquiry.contact} className="link relative -my-2.5 inline-block py-2.5 whitespace-nowrap" />
        </p>
      )}
    </article>
  )
}
