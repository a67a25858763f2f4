import { useEffect } from 'react'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { PushOffer } from '#src/accounts/notifications/push-offer.tsx'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { useRefusedAct } from '#src/ui/use-refused-act.ts'
import { Answering } from './answering.tsx'
import { EnquiryChips } from './enquiry-card.tsx'
import { EnquiryOffers } from './enquiry-offers.tsx'
import type { Done, EnquiryPageData } from './view-enquiry-page.tsx'
import { ActForm, Judging } from './enquiry-acts.tsx'

export type OnePage = Extract<EnquiryPageData, { kind: 'enquiry' }>

const doneTexts: Record<Done, () => string> = {
  posted: m.enquiry_done_posted,
  approved: m.enquiry_done_approved,
  refused: m.enquiry_done_refused,
  closed: m.enquiry_done_closed,
  renewed: m.enquiry_done_renewed,
  answered: m.enquiry_done_answered,
  'taken-back': m.enquiry_done_taken_back,
}

export function EnquiryView({ page, refused: sent }: { page: EnquiryPageData; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const waited = useRefusedAct('offer')
  const refused = sent ?? waited
  // Scroll to the error, because the form may be far below it.
  useEffect(() => {
    if (refused) document.querySelector('main [role=alert]')?.scrollIntoView({ block: 'center' })
  }, [refused])
  if (page.kind === 'logged-out')
    return (
      <div className="page-column max-w-2xl">
        <h1 className="text-2xl">{m.frame_wanted()}</h1>
        <LoggedOut path={page.path} refused={refused} />
      </div>
    )
  const { enquiry } = page
  // The forms below show their own errors.
  const isAnswer = refused?.typed.act === 'respond' && (page.answering?.choices.some(({ isOffered }) => !isOffered) ?? false)
  const isVerdict = refused?.typed.comment !== undefined && enquiry.canJudge
  const isSaidHere = refused !== undefined && !isAnswer && !isVerdict
  return (
    <div className="page-column max-w-4xl">
      <a href={to(enquiry.isOwn ? '/my-enquiries' : '/view-requirements')} className="tap-link font-semibold">
        {enquiry.isOwn ? m.menu_enquiries() : m.wanted_back()}
      </a>
      {page.done && !refused && (
        <p role="status" className="done p-4 text-lg">
          {doneTexts[page.done]()}
        </p>
      )}
      {isSaidHere && (
        <LostDecision
          refused={{ ...refused, detail: refused.errors.listing ?? (refused.detail || m.enquiry_failed()) }}
          gone={refused.detail}
        />
      )}
      <Facts page={page} />
      <NextStep page={page} />
      {enquiry.canJudge && <Judging page={page} refused={refused} />}
      <Answering page={page} refused={refused} />
      {page.offers && <EnquiryOffers offers={page.offers} isOwn={enquiry.isOwn} isAwaited={enquiry.isOwn && enquiry.state === 'open'} />}
      {page.done === 'posted' && enquiry.isOwn && <PushOffer about="enquiry" />}
    </div>
  )
}

function Facts({ page }: { page: OnePage }) {
  const { enquiry } = page
  return (
    <article className={`panel overflow-hidden ${enquiry.state === 'closed' || enquiry.state === 'expired' ? 'bg-husk-dark' : ''}`}>
      <header className="space-y-2 border-b border-line px-4 py-3">
        <EnquiryChips enquiry={enquiry} />
        <h1 className="text-2xl">{m.enquiry_title({ what: enquiry.what })}</h1>
        <p className="text-sm text-stone">
          {enquiry.code} · {m.enquiry_posted({ when: enquiry.posted })}
        </p>
      </header>
      <div className="two-columns">
        <div className="min-w-0">
          <h2 className="label">{m.enquiry_details()}</h2>
          <p dir="auto" className="break-words whitespace-pre-line">
            {enquiry.description}
          </p>
        </div>
        <FactList enquiry={enquiry} />
      </div>
      {enquiry.comment && (
        <p className="border-t border-line px-4 py-3 whitespace-pre-line">
          <b>{m.enquiry_comment_ours()}</b> {enquiry.comment}
        </p>
      )}
    </article>
  )
}

/** B §2: creating and viewing an enquiry are the same screen, so this shows the form's fields, in its order and under its labels. */
function FactList({ enquiry }: Pick<OnePage, 'enquiry'>) {
  const { isAnimal } = enquiry
  const any = isAnimal ? m.enquiry_any() : null
  const facts: [string, string | null][] = [
    [m.enquiry_type(), enquiry.type],
    [m.enquiry_category(), enquiry.category ?? m.enquiry_any()],
    [m.product_breed(), enquiry.breed ?? (isAnimal ? m.enquiry_any_breed() : null)],
    [m.product_gender(), enquiry.gender ?? any],
    [m.product_age(), enquiry.age ?? any],
    [m.product_color(), enquiry.color ?? any],
    [m.enquiry_count(), enquiry.count === 0 ? m.enquiry_count_open() : String(enquiry.count)],
    [m.enquiry_weight(), enquiry.weightKg === 0 ? m.enquiry_any() : m.card_weight({ kg: enquiry.weightKg })],
    [m.enquiry_price(), enquiry.price ?? m.enquiry_price_open()],
    [m.enquiry_around(), `${enquiry.place} · ${enquiry.pincode}`],
    [m.enquiry_for(), enquiry.postedFor],
    [m.enquiry_posted_by(), enquiry.poster],
  ]
  return (
    <dl className="grid min-w-0 grid-cols-2 gap-x-4 gap-y-2">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="min-w-0">
              <dt className="text-sm text-stone">{name}</dt>
              <dd className="font-semibold">{value}</dd>
            </div>
          ),
      )}
      {enquiry.contact && (
        <div className="col-span-2 min-w-0">
          <dt className="text-sm text-stone">{m.address_phone()}</dt>
          <dd>
            <a href={`tel:${enquiry.contact}`} className="tap-link gap-2 font-semibold">
              <Icon name="phone" size={18} />
              {phoneText(enquiry.contact)}
            </a>
            {enquiry.isOwn && <p className="text-sm text-stone">{m.enquiry_contact_hint()}</p>}
          </dd>
        </div>
      )}
    </dl>
  )
}

const nextTexts = {
  pending: () => m.enquiry_next_pending(),
  refused: () => m.enquiry_next_refused(),
  open: (day: string) => m.enquiry_next_open({ day }),
  expired: () => m.enquiry_next_expired(),
  closed: () => m.enquiry_next_closed(),
}

/** For the poster: what happens next, and what they can do. For admins: closing. */
function NextStep({ page }: { page: OnePage }) {
  const to = useLocalPath()
  const { enquiry } = page
  if (!enquiry.isOwn && !enquiry.canClose) return null
  return (
    <section className="panel space-y-3 p-4">
      {enquiry.isOwn && <p>{nextTexts[enquiry.state](enquiry.expires)}</p>}
      <div className="flex flex-wrap gap-3">
        {enquiry.canRenew && <ActForm page={page} act="renew" label={m.enquiry_renew()} isMain={enquiry.state === 'expired'} />}
        {enquiry.canClose && <ActForm page={page} act="close" label={enquiry.isOwn ? m.enquiry_close() : m.enquiry_close_admin()} />}
        {enquiry.isOwn && (enquiry.state === 'refused' || enquiry.state === 'closed') && (
          <a href={to('/add-enquiry')} className="button-primary">
            {m.enquiry_add_another()}
          </a>
        )}
      </div>
    </section>
  )
}
