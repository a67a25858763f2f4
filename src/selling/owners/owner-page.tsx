import { redirect } from 'react-router'
import { z } from 'zod'
import { phoneNumber } from '#src/accounts/schemas.ts'
import { formLoader, pageAction, textOf, secretUrlHeaders, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { ID_PATTERN } from '#src/kit/ids.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { PhoneField } from '#src/accounts/phone-field.tsx'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { Choice } from '#src/ui/choice.tsx'
import { Field } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField, HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { answerAsOwner, sendCode } from './consents.server.ts'
import { REASONS } from './owner-messages.server.ts'
import { listOwnerListings, type OwnerListing } from './owner-listings.server.ts'
import { findOwnerByCode, readCode } from './owners.server.ts'
import type { Route } from './+types/owner-page'

const DONE = ['agree', 'refuse', 'pull', 'sent'] as const

/**
 * For an owner whose animal an agent has listed, behind the code of an SMS, without login: listings, prices and the agent's fee. Without a
 * valid code it asks for the code or the phone number.
 */
export const loader = formLoader(
  async (ctx, { params: { code }, url, site }) => {
    const done = DONE.find((each) => each === url.searchParams.get('done')) ?? null
    const shared = { phone: site.contact.phone, done }
    const owner = code === undefined ? null : await findOwnerByCode(ctx, code)
    return { ...shared, isWrong: code !== undefined && !owner, listings: owner && (await listOwnerListings(ctx, site.media, owner)) }
  },
  ({ isWrong }) => (isWrong ? 404 : 200),
)

const answerInput = z.object({
  id: z.string().regex(ID_PATTERN).transform(Number),
  round: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  reason: z.enum(REASONS).optional(),
})

export const action = pageAction('owner', async (ctx, { params: { code: given = '' }, form }): Promise<never> => {
  const redirectTo = (path: string) => redirect(localized(`/owner${path}`, ctx.locale))
  const act = textOf(form, 'act')
  if (act === 'open') {
    const code = readCode(textOf(form, 'code'))
    if (!code || !(await findOwnerByCode(ctx, code))) throw invalidField('code', 'field_owner_code')
    throw redirectTo(`/${code}`)
  }
  if (act === 'send') {
    const { phone } = parseInput(z.object({ phone: phoneNumber }), { phone: textOf(form, 'phone') })
    await sendCode(ctx, phone)
    throw redirectTo('?done=sent')
  }
  const answer = (['agree', 'refuse', 'pull'] as const).find((each) => each === act)
  const owner = await findOwnerByCode(ctx, given)
  if (!answer) throw new Problem('MALFORMED')
  if (!owner) throw new Problem('NOT_FOUND')
  const { id, ...reply } = parseInput(answerInput, {
    id: textOf(form, 'id'),
    round: textOf(form, 'round'),
    reason: textOf(form, 'reason') || undefined,
  })
  const isForGood = textOf(form, 'forGood') === '1'
  await answerAsOwner(ctx, owner, { listingId: id, answer, isForGood, ...reply })
  throw redirectTo(`/${given}?done=${answer}`)
})

/** The address is a secret: send no referrer and store nothing of the page. */
export const headers = secretUrlHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.owner_title(), description: m.owner_lead() }))

type OwnerData = Route.ComponentProps['loaderData']

interface ViewProps {
  page: OwnerData
  refused: FormRefusal | undefined
}

const doneTexts = { agree: m.owner_done_agree, refuse: m.owner_done_refuse, pull: m.owner_done_pull, sent: m.owner_done_sent }

export default function OwnerPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const isOfField = refused?.errors.code !== undefined || refused?.errors.phone !== undefined
  return (
    <div className="page-column max-w-xl md:py-6">
      <h1 className="text-2xl">{m.owner_title()}</h1>
      <p className="text-stone">{m.owner_lead()}</p>
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {refused && !isOfField && <FormFailure detail={refused.detail} />}
      {page.listings ? <Listings listings={page.listings} /> : <Doors page={page} refused={refused} />}
      {page.listings && page.listings.length > 0 && <SellYourself />}
      <p className="text-sm text-stone">
        {m.owner_help()} <PhoneLink phone={page.phone} className="tap-link font-semibold whitespace-nowrap" />
      </p>
    </div>
  )
}

function SellYourself() {
  const to = useLocalPath()
  return (
    <p className="panel space-y-2 p-4">
      <span className="block">{m.owner_register()}</span>
      <a href={to('/seller-product/')} className="button-plain">
        {m.owner_register_go()}
      </a>
    </p>
  )
}

/** Forms for the code of the SMS, or for a new SMS by phone number. */
function Doors({ page, refused }: ViewProps) {
  return (
    <>
      {page.isWrong && !refused && (
        <p role="alert" className="failure">
          {m.field_owner_code()}
        </p>
      )}
      <PostForm reloadDocument className="form-panel sm:p-5">
        <Field
          id="owner-code"
          name="code"
          label={m.owner_code()}
          hint={m.owner_code_hint()}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={20}
          defaultValue={refused?.typed.code ?? ''}
          error={refused?.errors.code}
        />
        <button type="submit" name="act" value="open" className="button-primary">
          {m.owner_open()}
        </button>
      </PostForm>
      <PostForm reloadDocument className="form-panel sm:p-5">
        <h2 className="text-lg">{m.owner_again_title()}</h2>
        <PhoneField id="owner-phone" defaultValue={refused?.typed.phone} error={refused?.errors.phone} />
        <button type="submit" name="act" value="send" className="button-plain">
          {m.owner_again()}
        </button>
      </PostForm>
    </>
  )
}

function Listings({ listings }: { listings: OwnerListing[] }) {
  if (listings.length === 0) return <p className="panel p-4">{m.owner_nothing()}</p>
  return (
    <ul className="space-y-4">
      {listings.map((listing) => (
        <li key={listing.id}>
          <ListingCard listing={listing} />
        </li>
      ))}
    </ul>
  )
}

function ListingCard({ listing }: { listing: OwnerListing }) {
  return (
    <article className="panel space-y-4 p-4">
      <div className="flex gap-3">
        {listing.photo && (
          <img
            src={listing.photo}
            alt={m.owner_photo({ name: listing.name })}
            width={128}
            height={128}
            className="size-32 shrink-0 rounded-control object-cover"
          />
        )}
        <div className="min-w-0">
          <h2 className="text-lg break-words">{listing.name}</h2>
          <p className="text-sm text-stone">
            {listing.code}
            {listing.stock > 1 && <> · {m.card_stock({ count: listing.stock })}</>}
          </p>
          <p className="mt-1 text-sm">
            {m.owner_agent()} <b className="break-words">{listing.agent.name}</b>
            <br />
            <PhoneLink phone={listing.agent.phone} className="tap-link font-semibold whitespace-nowrap" />
          </p>
        </div>
      </div>
      <p className="text-sm break-words whitespace-pre-line">{listing.description}</p>
      <Money listing={listing} />
      {listing.isAsked ? <Question listing={listing} /> : <Agreed listing={listing} />}
    </article>
  )
}

/** The buyer's price, the deductions, and the owner's amount. */
function Money({ listing }: { listing: OwnerListing }) {
  const rows = [
    [m.owner_price(), listing.price],
    [m.owner_commission({ percent: listing.commissionPercent }), `− ${listing.commission}`],
    [m.owner_fee({ fee: listing.fee }), `− ${listing.feeAmount}`],
  ] as const
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
      {rows.map(([label, amount]) => (
        <div key={label} className="contents">
          <dt>{label}</dt>
          <dd className="text-right whitespace-nowrap">{amount}</dd>
        </div>
      ))}
      <div className="contents text-lg font-bold">
        <dt className="border-t-2 border-leaf pt-1">{m.owner_in_hand()}</dt>
        <dd className="border-t-2 border-leaf pt-1 text-right whitespace-nowrap">{listing.inHand}</dd>
      </div>
    </dl>
  )
}

interface FormProps {
  listing: OwnerListing
}

const Hidden = ({ listing }: FormProps) => (
  <>
    <CsrfField />
    <HiddenFields id={listing.id} round={listing.round} />
  </>
)

function Question(props: FormProps) {
  const { listing } = props
  return (
    <>
      <form method="post" className="space-y-2">
        <Hidden {...props} />
        <p>{m.owner_agree_text()}</p>
        <button type="submit" name="act" value="agree" className="button-primary w-full">
          {m.owner_agree()}
        </button>
        <p className="text-sm text-stone">{m.owner_until({ day: listing.until })}</p>
      </form>
      <NoForm {...props} act="refuse" title={m.owner_refuse()} />
    </>
  )
}

function Agreed(props: FormProps) {
  const { listing } = props
  return (
    <>
      <p className="done">{listing.isPublic ? m.owner_is_public() : m.owner_is_agreed()}</p>
      {listing.isSold ? <p>{m.owner_is_sold()}</p> : <NoForm {...props} act="pull" title={m.owner_pull()} />}
    </>
  )
}

/** Refusing and pulling need the same answers: the reason, and whether this agent may list again. */
function NoForm({ listing, act, title }: FormProps & { act: 'refuse' | 'pull'; title: string }) {
  const reasons = [
    { id: 'sold', name: m.owner_reason_sold() },
    { id: 'price', name: m.owner_reason_price() },
    { id: 'fee', name: m.owner_reason_fee() },
    { id: 'unknown', name: m.owner_reason_unknown() },
  ]
  return (
    <details className="border-t border-line pt-2">
      <summary className="tap-link cursor-pointer font-semibold">{title}</summary>
      <form method="post" className="mt-2 space-y-3">
        <Hidden listing={listing} />
        <RadioCards id={`reason-${listing.id}`} name="reason" legend={m.owner_reason()} options={reasons} />
        <Choice type="checkbox" name="forGood" value="1">
          {m.owner_for_good({ agent: listing.agent.name })}
        </Choice>
        <button type="submit" name="act" value={act} className="button-plain w-full">
          {title}
        </button>
      </form>
    </details>
  )
}
