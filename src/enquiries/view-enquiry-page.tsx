import { redirect, type ShouldRevalidateFunctionArgs } from 'react-router'
import { useEffect } from 'react'
import type { Ctx, Site } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { CORRECT_QUERY } from '#src/kit/device/refused-act.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { notFound, Problem, invalidField } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { phoneText } from '#src/accounts/phone-text.ts'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { PushOffer } from '#src/accounts/notifications/push-offer.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { UndoableDone } from '#src/ui/undo-button.tsx'
import { useRefusedAct } from '#src/ui/use-refused-act.ts'
import { closeEnquiry, renewEnquiry } from './commands.server.ts'
import { judgeByForm } from './judging.server.ts'
import { beginListing, respondToEnquiry, takeOfferBack } from './offers.server.ts'
import { type Done, type OnePage, readEnquiryPage } from './enquiry-view.server.ts'
import { Answering } from './answering.tsx'
import { EnquiryChips } from './enquiry-card.tsx'
import { EnquiryOffers } from './enquiry-offers.tsx'
import { ActForm, Judging } from './enquiry-acts.tsx'
import type { Route } from './+types/view-enquiry-page'

export const loader = formLoader((ctx, { params, url }) => readEnquiryPage(ctx, parseId(params.enquiryId), url.searchParams))

export const action = pageAction('view-enquiry', async (ctx, { params, form, site }): Promise<never> => {
  const id = parseId(params.enquiryId)
  if (id === null) throw notFound()
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const to = await act(ctx, id, form, site)
  throw redirect(localized(to.startsWith('/') ? to : `/view-enquiry/${id}?done=${to}`, ctx.locale))
})

type Act = (ctx: Ctx, id: number, form: FormData, site: Site) => Promise<Done | `/${string}`>

/** The page's forms by name; the commands check permissions. */
const acts = new Map<string, Act>(
  Object.entries({
    approve: judgeByForm,
    refuse: judgeByForm,
    undo: judgeByForm,
    close: async (ctx, id, form) => {
      await closeEnquiry(ctx, id, textOf(form, 'seen'))
      return 'closed'
    },
    renew: async (ctx, id) => {
      await renewEnquiry(ctx, id)
      return 'renewed'
    },
    respond: async (ctx, id, form) => {
      const listing = parseId(textOf(form, 'listing'))
      if (listing === null) throw invalidField('listing', 'field_enquiry_listing')
      await respondToEnquiry(ctx, id, listing)
      return 'answered'
    },
    'take-back': async (ctx, id, form, site) => {
      const listing = parseId(textOf(form, 'offered'))
      if (listing === null) throw new Problem('MALFORMED')
      await takeOfferBack(ctx, site.limits, id, listing)
      return 'taken-back'
    },
    begin: (ctx, id, _, site) => begin(ctx, id, site, false),
    'begin-anew': (ctx, id, _, site) => begin(ctx, id, site, true),
  } satisfies Record<string, Act>),
)

async function begin(ctx: Ctx, id: number, site: Site, isAnew: boolean): Promise<`/${string}`> {
  await beginListing(ctx, site.media, id, { isAnew })
  return `/sell?enquiry=${id}`
}

/** Offline, an answer waits on the phone; the market links a listing to an enquiry once, however often it arrives (decision 0106). */
export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => {
    const listing = form.get('listing')
    if (form.get('act') !== 'respond' || !listing) return null
    return {
      kind: 'offer',
      object: `offer-${args.params.enquiryId}-${String(listing)}`,
      words: `${String(form.get(`name-${String(listing)}`))} · ${m.enquiry_title({ what: String(form.get('what')) })}`,
      correctAt: location.pathname + CORRECT_QUERY,
    }
  })

/** After an expired login, keep the form: a revalidation would lose its text. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => args.actionStatus !== 401 && afterRefusalToo(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  path: page.path,
  title: page.kind === 'enquiry' ? m.enquiry_title({ what: page.enquiry.what }) : m.frame_wanted(),
  description: m.enquiry_one_lead(),
}))

const doneTexts: Record<Done, () => string> = {
  posted: m.enquiry_done_posted,
  approved: m.enquiry_done_approved,
  refused: m.enquiry_done_refused,
  closed: m.enquiry_done_closed,
  renewed: m.enquiry_done_renewed,
  answered: m.enquiry_done_answered,
  'taken-back': m.enquiry_done_taken_back,
  undone: m.desk_undone,
}

export default function ViewEnquiryPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const waited = useRefusedAct('offer')
  const refused = actionData?.refused ?? waited
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
        <UndoableDone text={doneTexts[page.done]()} isUndoable={page.done === 'refused' && enquiry.canJudge} fields={{ act: 'undo' }} />
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
      {page.offers && (
        <EnquiryOffers
          offers={page.offers}
          isOwn={enquiry.isOwn}
          isAwaited={enquiry.isOwn && (enquiry.state === 'open' || enquiry.state === 'pending')}
        />
      )}
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
