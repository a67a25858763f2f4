import type { ReactNode } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { QuickEditForm } from './quick-edit-form.tsx'
import { m } from '#src/paraglide/messages.js'
import { Field } from '#src/ui/field.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Thumbnail } from '#src/ui/picture.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { Price } from '#src/ui/price.tsx'
import { Sheet } from '#src/ui/sheet.tsx'
import type { ShownListing, Standing } from './own-listings-view.server.ts'
import { AskOwnerSheet } from '#src/selling/owners/ask-owner-sheet.tsx'
import { SaleDialog } from './sale-dialog.tsx'

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

/** One listing: its state in a sentence, one large button for the next step, everything else smaller below. */
export function OwnListingCard(props: CardProps) {
  const { listing, showsSeller, refused, action } = props
  const { card, standing } = listing
  const to = useLocalPath()
  const chip = chips[standing]
  return (
    <article id={`l${card.id}`} className="own-card">
      <div className="flex gap-3">
        <a href={to(`/product/${card.id}`)} tabIndex={-1} aria-hidden="true" className="thumb">
          {card.photo ? (
            <Thumbnail mediaKey={card.photo.key} width={96} height={96} className="size-24 object-cover" />
          ) : (
            <img src="/species/none.webp" alt="" width={96} height={96} className="size-24 opacity-60" />
          )}
        </a>
        <div className="min-w-0 flex-1">
          <p className="row gap-x-2 gap-y-1 text-sm text-stone">
            <span className={`chip ${chip.look}`}>{chip.text()}</span>
            {listing.code}
          </p>
          <h2 className="mt-1 text-base leading-snug">
            <a href={to(`/product/${card.id}`)} className="link -my-2 inline-block py-2.75">
              {card.name}
            </a>
          </h2>
          <Price original={card.originalPrice} offer={card.offerPrice} />
          <p className="text-sm">
            {[m.card_stock({ count: card.stock }), card.weightKg > 0 && m.card_weight({ kg: card.weightKg })].filter(Boolean).join(' · ')}
          </p>
        </div>
      </div>
      {showsSeller && <SellerLine seller={listing.seller} />}
      {listing.owner && <p className="text-sm">{m.own_for_owner({ owner: listing.owner.name, fee: listing.owner.fee.text })}</p>}
      <p className="text-sm text-stone">
        {listing.views === 1 ? m.product_views_one() : m.product_views({ count: listing.views })} · {askedText(listing.asked)}
      </p>
      <p className={noteLooks[standing] ?? ''}>{listing.next}</p>
      <Question listing={listing} />
      {listing.isLookedAt && <p className="text-sm text-stone">{m.own_second_look()}</p>}
      {refused && (
        <p role="alert" className="failure">
          {refused.detail}
        </p>
      )}
      <div className="mt-auto space-y-2">
        <NextStep {...props} />
        <OtherSteps {...props} />
      </div>
      {/* A refused form stays open, because only a script could open the sheet again. */}
      {refused?.typed.act === 'update' && (
        <QuickEditForm listing={{ ...card, version: listing.version }} action={action} refused={refused} />
      )}
    </article>
  )
}

function SellerLine({ seller }: Pick<ShownListing, 'seller'>) {
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
}

function askedText(asked: number): string {
  if (asked === 0) return m.own_asked_none()
  return asked === 1 ? m.own_asked_one() : m.own_asked({ count: asked })
}

function NextStep({ listing, action, refused }: CardProps) {
  const to = useLocalPath()
  const { card, standing } = listing
  const editPath = to(`/seller-product/${card.id}/edit`)
  switch (standing) {
    case 'draft':
    case 'failed':
      return (
        <a href={editPath} className="button-primary w-full">
          {standing === 'draft' ? m.own_finish() : m.own_edit_again()}
        </a>
      )
    case 'asked':
    case 'closed':
      return (
        <Step act="renew" id={card.id} action={action}>
          <button type="submit" className="button-primary w-full">
            {m.own_still()}
          </button>
        </Step>
      )
    case 'withdrawn':
    case 'sold':
      return (
        <Step act="relist" id={card.id} action={action}>
          <Field
            id={`relist-${card.id}`}
            name="stock"
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            label={m.own_relist_stock()}
            defaultValue={refused?.typed.act === 'relist' ? refused.typed.stock : String(Math.max(card.stock, 1))}
            error={refused?.typed.act === 'relist' ? refused.errors.stock : undefined}
            className="max-w-24"
            after={
              <button type="submit" className="button-primary flex-1 px-2">
                {m.own_relist()}
              </button>
            }
          />
        </Step>
      )
    default:
      return null
  }
}

function OtherSteps({ listing, action, refused }: CardProps) {
  const { card, standing } = listing
  const { id } = card
  const isOut = standing === 'withdrawn' || standing === 'sold'
  if (isOut) return <Copy id={id} action={action} />
  const isDraft = standing === 'draft'
  // The form is open below with the typed values.
  const isEditing = refused?.typed.act === 'update'
  return (
    <>
      {!isDraft && (
        <div className="flex flex-wrap gap-2 *:flex-auto">
          {!isEditing && (
            <button type="button" popoverTarget={`quick-sheet-${id}`} className="button-plain px-2 leading-tight">
              {m.own_quick()}
            </button>
          )}
          <button type="button" popoverTarget={`sold-${id}`} className="button-plain px-2 leading-tight">
            {m.own_sold()}
          </button>
        </div>
      )}
      {listing.owner && standing !== 'failed' && <AskOwnerSheet id={id} fee={listing.owner.fee} action={action} refused={refused} />}
      <StepLinks listing={listing} action={action} />
      {!isDraft && (
        <>
          {!isEditing && (
            <Sheet id={`quick-sheet-${id}`} title={card.name} closeLabel={m.own_close()}>
              <QuickEditForm listing={{ ...card, version: listing.version }} action={action} />
            </Sheet>
          )}
          <SaleDialog id={id} name={card.name} action={action} />
        </>
      )}
      <WithdrawSheet card={card} action={action} />
    </>
  )
}

function StepLinks({ listing: { card, standing }, action }: Pick<CardProps, 'listing' | 'action'>) {
  const to = useLocalPath()
  const { id } = card
  return (
    <div className="-mb-2 flex flex-wrap justify-between gap-x-4">
      {standing !== 'failed' && standing !== 'draft' && (
        <a href={to(`/seller-product/${id}/edit`)} className="tap-link min-w-11">
          {m.own_edit()}
        </a>
      )}
      {standing !== 'draft' && (
        <a href={to(`/seller-product/${id}/proofs`)} className="tap-link min-w-11">
          {m.proofs_link()}
        </a>
      )}
      {standing === 'passed' && (
        <Step act="renew" id={id} action={action}>
          <button type="submit" className="tap-link cursor-pointer">
            {m.own_renew()}
          </button>
        </Step>
      )}
      <Copy id={id} action={action} />
      <button type="button" popoverTarget={`withdraw-${id}`} className="tap-link cursor-pointer">
        {m.own_withdraw()}
      </button>
    </div>
  )
}

const Copy = ({ id, action }: Pick<CardProps, 'action'> & { id: number }) => (
  <Step act="copy" id={id} action={action}>
    <button type="submit" className="tap-link cursor-pointer">
      {m.own_copy()}
    </button>
  </Step>
)

function WithdrawSheet({ card, action }: Pick<CardProps, 'action'> & { card: CardProps['listing']['card'] }) {
  const { id } = card
  return (
    <Sheet id={`withdraw-${id}`} title={m.own_withdraw()} closeLabel={m.own_close()}>
      <Step act="withdraw" id={id} action={action}>
        <p className="font-semibold">{card.name}</p>
        <p className="mb-3">{m.own_withdraw_text()}</p>
        <button type="submit" className="button-primary w-full">
          {m.own_withdraw_yes()}
        </button>
      </Step>
    </Sheet>
  )
}

function Step({ act, id, action, children }: { act: string; id: number; action: string; children: ReactNode }) {
  return (
    <PostForm reloadDocument action={action}>
      <input type="hidden" name="act" value={act} />
      <input type="hidden" name="id" value={id} />
      {children}
    </PostForm>
  )
}
