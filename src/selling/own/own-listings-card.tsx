import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { QuickEditForm } from './quick-edit-form.tsx'
import { m } from '#src/paraglide/messages.js'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { Price } from '#src/ui/price.tsx'
import { Sheet, SheetButton } from '#src/ui/sheet.tsx'
import type { ShownListing, Standing } from './own-listings-view.server.ts'
import { AskOwnerSheet } from '#src/selling/owners/ask-owner-sheet.tsx'
import { ListingStep, Sale, StepButton, Withdraw } from './own-steps.tsx'

interface CardProps {
  listing: ShownListing
  /** The page's own address, so that forms return to the same view. */
  action: string
  refused: FormRefusal | undefined
  /** Admins see all sellers' listings, so each card names its seller. */
  showsSeller: boolean
}

const chips: Record<Standing, { text: () => string; look: string }> = {
  draft: { text: m.own_state_draft, look: 'bg-turmeric-soft' },
  owner: { text: m.own_state_owner, look: 'bg-turmeric-soft' },
  pending: { text: m.own_state_pending, look: 'bg-turmeric-soft' },
  failed: { text: m.own_state_failed, look: 'bg-brick-soft text-brick' },
  passed: { text: m.own_state_passed, look: 'bg-leaf-soft text-leaf' },
  asked: { text: m.own_state_passed, look: 'bg-leaf-soft text-leaf' },
  closed: { text: m.own_state_closed, look: 'bg-brick-soft text-brick' },
  withdrawn: { text: m.own_state_withdrawn, look: 'bg-husk-dark text-stone' },
  sold: { text: m.own_state_sold, look: 'bg-husk-dark text-stone' },
}

/** One listing: its state, one large button for the next step, everything else behind the three dots. What waits for its seller says so. */
export function OwnListingCard(props: CardProps) {
  const { listing, showsSeller, refused, action } = props
  const { card, standing } = listing
  const facts = [
    m.card_stock({ count: card.stock }),
    card.weightKg > 0 && m.card_weight({ kg: card.weightKg }),
    listing.views === 1 ? m.product_views_one() : m.product_views({ count: listing.views }),
    askedText(listing.asked),
  ]
  return (
    <article id={`l${card.id}`} className="own-card">
      <Head listing={listing} />
      {showsSeller && <SellerLine seller={listing.seller} />}
      {listing.owner && <p className="text-sm">{m.own_for_owner({ owner: listing.owner.name, fee: listing.owner.fee.text })}</p>}
      <p className="text-sm text-stone">{facts.filter(Boolean).join(' · ')}</p>
      {noteLooks[standing] && <p className={noteLooks[standing]}>{listing.next}</p>}
      <Question listing={listing} />
      {refused && (
        <p role="alert" className="failure">
          {refused.detail}
        </p>
      )}
      <div className="mt-auto flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <NextStep {...props} />
        </div>
        {isLive(standing) && <Sale id={card.id} name={card.name} action={action} />}
        <More {...props} />
      </div>
      {/* A refused form stays open, because only a script could open the sheet again. */}
      {refused?.typed.act === 'update' && (
        <QuickEditForm listing={{ ...card, version: listing.version }} action={action} refused={refused} />
      )}
      {refused?.typed.act === 'ask-owner' && <AskOwner {...props} />}
    </article>
  )
}

function Head({ listing: { card, code, standing } }: Pick<CardProps, 'listing'>) {
  const to = useLocalPath()
  const chip = chips[standing]
  return (
    <div className="flex items-center gap-3">
      <a href={to(`/product/${card.id}`)} tabIndex={-1} aria-hidden="true" className="shrink-0 overflow-hidden rounded-control">
        {card.photo ? (
          <Thumbnail mediaKey={card.photo.key} width={72} height={72} className="size-18 object-cover" />
        ) : (
          <img src="/species/none.webp" alt="" width={72} height={72} className="size-18 opacity-60" />
        )}
      </a>
      <div className="min-w-0 flex-1">
        <p className="row gap-x-2 text-sm text-stone">
          <span className={`chip ${chip.look}`}>{chip.text()}</span>
          {code}
        </p>
        <h2 className="line-clamp-2 text-base">
          <a href={to(`/product/${card.id}`)} className="link">
            {card.name}
          </a>
        </h2>
        <Price original={card.originalPrice} offer={card.offerPrice} />
      </div>
    </div>
  )
}

/** For admins, who see all sellers' listings and orders. */
export function SellerLine({ seller }: Pick<ShownListing, 'seller'>) {
  const to = useLocalPath()
  return (
    <p className="text-sm">
      {m.own_seller()}:{' '}
      <a href={to(`/admin/users/${seller.id}`)} className="link font-semibold">
        {seller.name || m.profile_deleted_user()}
      </a>
    </p>
  )
}

function Question({ listing: { card, question } }: Pick<CardProps, 'listing'>) {
  const to = useLocalPath()
  if (question === null) return null
  return (
    <p className="notice font-semibold">
      {m.own_question({ question })}{' '}
      <a href={to(`/listing-question/${card.id}`)} className="tap-link">
        {m.own_question_answer()}
      </a>
    </p>
  )
}

const noteLooks: Partial<Record<Standing, string>> = {
  failed: 'rounded-control bg-brick-soft px-3 py-2',
  asked: 'notice font-semibold',
  closed: 'notice font-semibold',
  draft: 'notice',
  owner: 'notice',
}

function askedText(asked: number): string {
  if (asked === 0) return m.own_asked_none()
  return asked === 1 ? m.own_asked_one() : m.own_asked({ count: asked })
}

/** The step that most sellers take from here. */
function NextStep({ listing, action, refused }: CardProps) {
  const to = useLocalPath()
  const { card, standing } = listing
  switch (standing) {
    case 'draft':
    case 'failed':
      return (
        <a href={to(`/seller-product/${card.id}/edit`)} className="button-primary w-full px-2">
          {standing === 'draft' ? m.own_finish() : m.own_edit_again()}
        </a>
      )
    case 'asked':
    case 'closed':
      return (
        <StepButton act="renew" id={card.id} action={action} className="button-primary w-full px-2">
          {m.own_still()}
        </StepButton>
      )
    case 'withdrawn':
    case 'sold':
      return <Relist id={card.id} stock={card.stock} action={action} refused={refused} />
    default:
      return refused?.typed.act === 'update' ? null : <Quick listing={listing} action={action} look="button-plain w-full px-2" />
  }
}

/** In a sheet; after a refusal in the page. */
function Relist({ id, stock, action, refused }: Pick<CardProps, 'action' | 'refused'> & { id: number; stock: number }) {
  const own = refused?.typed.act === 'relist' ? refused : undefined
  const form = (
    <ListingStep act="relist" id={id} action={action}>
      <Field
        {...fieldsOf(`relist-${id}`, own)('stock', String(Math.max(stock, 1)))}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        label={m.own_relist_stock()}
        className="max-w-24"
        after={
          <button type="submit" className="button-primary flex-1 px-2">
            {m.own_relist()}
          </button>
        }
      />
    </ListingStep>
  )
  if (own) return form
  return (
    <SheetButton id={`relist-sheet-${id}`} className="button-plain w-full px-2" label={m.own_relist()}>
      {form}
    </SheetButton>
  )
}

function Quick({ listing: { card, version }, action, look }: Pick<CardProps, 'listing' | 'action'> & { look: string }) {
  return (
    <SheetButton id={`quick-sheet-${card.id}`} className={look} label={m.own_quick()} title={card.name}>
      <QuickEditForm listing={{ ...card, version }} action={action} />
    </SheetButton>
  )
}

/** A sheet with the other steps. Their own sheets are inside, because this one closes as soon as the focus leaves it. */
function More({ listing, action, refused }: CardProps) {
  const { card, standing, next, isLookedAt } = listing
  return (
    <>
      <button
        type="button"
        popoverTarget={`more-${card.id}`}
        aria-label={m.own_more({ name: card.name })}
        className="icon-button shrink-0 border border-stone/60 text-xl"
      >
        ⋯
      </button>
      <Sheet id={`more-${card.id}`} title={card.name}>
        {!noteLooks[standing] && <p>{next}</p>}
        {isLookedAt && <p className="text-sm text-stone">{m.own_second_look()}</p>}
        <div className="mt-2 grid justify-items-start">
          {isLive(standing) && <LiveSteps listing={listing} action={action} refused={refused} />}
          <StepButton act="copy" id={card.id} action={action} className={stepLook}>
            {m.own_copy()}
          </StepButton>
          {!isOut(standing) && <Withdraw id={card.id} name={card.name} action={action} className={stepLook} />}
        </div>
      </Sheet>
    </>
  )
}

const isOut = (standing: Standing) => standing === 'withdrawn' || standing === 'sold'
const isLive = (standing: Standing) => standing !== 'draft' && !isOut(standing)

function LiveSteps({ listing, action, refused }: Omit<CardProps, 'showsSeller'>) {
  const to = useLocalPath()
  const { card, standing } = listing
  const isQuickNext = standing === 'passed' || standing === 'pending' || standing === 'owner'
  const refusedAct = refused?.typed.act
  return (
    <>
      {!isQuickNext && refusedAct !== 'update' && <Quick listing={listing} action={action} look={stepLook} />}
      {standing !== 'failed' && (
        <a href={to(`/seller-product/${card.id}/edit`)} className="tap-link">
          {m.own_edit()}
        </a>
      )}
      {card.milk && (
        <a href={to(`/seller-product/${card.id}/proofs`)} className="tap-link">
          {m.proofs_link()}
        </a>
      )}
      {standing === 'passed' && (
        <StepButton act="renew" id={card.id} action={action} className={stepLook}>
          {m.own_renew()}
        </StepButton>
      )}
      {standing !== 'failed' && refusedAct !== 'ask-owner' && <AskOwner listing={listing} action={action} refused={refused} />}
    </>
  )
}

const stepLook = 'tap-link cursor-pointer'

const AskOwner = ({ listing: { card, owner }, action, refused }: Omit<CardProps, 'showsSeller'>) =>
  owner && <AskOwnerSheet id={card.id} fee={owner.fee} action={action} refused={refused} />
