import { useEffect, useMemo, useState, type SubmitEvent } from 'react'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { latePart } from '#src/document/deferred.tsx'
import { isEnquiry, newKey, type Typed } from '#src/selling/unsent/draft-fields.ts'
import { useFormState } from '#src/selling/unsent/form-touch.ts'
import { anotherAnimal } from '#src/selling/paste/another-animal.ts'
import { PasteBox, PasteHint } from '#src/selling/paste/paste-box.tsx'
import { hints } from '#src/selling/paste/understood.ts'
import { discardClips } from '#src/selling/unsent/queue.ts'
import { noteSending } from '#src/selling/unsent/store.ts'
import type { useDraft } from '#src/selling/unsent/use-draft.ts'
import { WaitingListing } from '#src/selling/later/waiting-listing.tsx'
import { useLater } from '#src/selling/later/use-later.ts'
import { useShared } from '#src/selling/photos/use-shared.ts'
import { mainFirst, usable } from '#src/selling/photos/use-photos.ts'
import { FailureDialog } from './failure-dialog.tsx'
import { Allowed, DiscardAll, ListingFormBody } from './listing-form.tsx'
import { MissingList } from './missing-list.tsx'
import { missingIn } from './missing.ts'
import type { readSellForm } from './sell-view.server.ts'
import { SavedNote } from './saved-note.tsx'
import { TwoDrafts } from '#src/selling/unsent/conflict.tsx'
import { useListingForm, useOnceOffline, type ListingFormParts } from './use-listing-form.ts'

/**
 * Notices above the form, by the query of its address. `another`: the form was submitted before with something else
 * in it. `copied`: its answers are those of another listing. The others come from a pasted message.
 */
export const sellNotices = ['another', 'copied', 'unkept', ...hints] as const
type SellNotice = (typeof sellNotices)[number]

interface SellFormProps {
  page: Awaited<ReturnType<typeof readSellForm>>
  isPreview: boolean
  notice: SellNotice | null
  refused: FormRefusal | undefined
}

const Preview = latePart(
  async () => (await import('./preview.tsx')).Preview,
  ({ onClose }) => (
    <div role="alert" className="notice mt-4 space-y-2 p-4">
      <p>{m.sell_preview_missing()}</p>
      <button type="button" onClick={onClose} className="button-plain">
        {m.close()}
      </button>
    </div>
  ),
  <p className="p-4">{m.sell_preview()} …</p>,
)

/** From a photo to a listing. */
export function SellForm(props: SellFormProps) {
  const { page, notice, refused } = props
  const to = useLocalPath()
  const { parts, marks, sending, later, state, preview, fill } = useSellForm(props)
  const { draft, typed, photos, clips, category, isAlive, once } = parts
  if (later.waitingKey !== null) return <WaitingListing listingKey={later.waitingKey} />
  if (draft.at === 'submitted') return <WasSent />
  return (
    <div className="mx-auto max-w-2xl pb-4">
      <FormHead draft={draft} notice={notice} refused={refused} later={later} />
      <div hidden={parts.steps.step !== 'photos'}>
        <PasteBox refused={refused} typedNow={parts.typedNow} onFill={fill}>
          <MissingList missing={marks.missing} isAlive />
        </PasteBox>
      </div>
      <ListingFormBody
        {...{ parts, state, page, marks }}
        id="sell"
        action={to('/sell')}
        onSubmit={sending.beforeSending}
        onLater={sending.onLater}
        addPath={page.seller ? '/sell?address' : '/my-addresses/sell/selleraddress'}
        // Another animal in the form has clips of its own.
        clips={{ form: typed.key ?? '', waiting: typed.key === page.typed.key ? page.clips : [], onTaken: draft.read }}
        head={<Hidden typed={typed} seller={page.seller} />}
        end={<SendSection {...marks} isAlive={isAlive} />}
        submit={
          <SendButton
            isShown={parts.steps.step === 'check'}
            isOff={(isAlive && marks.missing.length > 0) || once.isBusy || clips.isBusy}
            isBusy={once.isBusy}
            isWaiting={clips.isBusy}
          />
        }
      />
      {preview.isShown && category && (
        <Preview
          {...{ typed, page, isAlive }}
          photos={mainFirst(usable(photos.photos, typed), typed)}
          clips={clips.waiting}
          onClose={preview.close}
        />
      )}
      <DiscardAll act="anew" action={to('/sell')} label={m.sell_anew()} onSubmit={parts.discard}>
        {m.sell_anew_yes()}
      </DiscardAll>
    </div>
  )
}

interface HeadProps extends Pick<SellFormProps, 'notice' | 'refused'> {
  draft: ReturnType<typeof useDraft>
  later: ReturnType<typeof useLater>
}

/** The head of the form: what it is, whether it is saved, and what the seller should know before they go on. */
function FormHead({ draft, notice, refused, later }: HeadProps) {
  return (
    <>
      <h1 className="text-xl sm:text-2xl">{m.sell_title()}</h1>
      <p className="mt-1 hidden text-stone noscript:block">{m.sell_text()}</p>
      <SavedNote saving={draft.saving} path="/sell" saved={m.sell_saved()} />
      {draft.other && <TwoDrafts other={draft.other.typed} onChoose={draft.choose} />}
      <LaterNotices {...later} />
      <Notices enquiryId={draft.typed.enquiryId} notice={draft.isAnother ? 'another' : notice} refused={refused} />
    </>
  )
}

/** Names the listings that wait on this phone. */
function LaterNotices({ problem, isOccupied, errors }: ReturnType<typeof useLater>) {
  return (
    <>
      {problem && (
        <p role="alert" className="failure mt-3">
          {problem}
        </p>
      )}
      {isOccupied && (
        <p role="alert" className="mt-3 notice font-semibold">
          {m.sell_later_occupied()}
        </p>
      )}
      {errors && (
        <p role="alert" className="failure mt-3">
          {m.sell_later_correct()}
        </p>
      )}
    </>
  )
}

/** Values that the form sends and asks nowhere. */
function Hidden({ typed, seller }: { typed: Typed; seller: SellFormProps['page']['seller'] }) {
  return (
    <>
      <input type="hidden" name="key" value={typed.key} />
      {typed.enquiryId && <input type="hidden" name="enquiryId" defaultValue={typed.enquiryId} />}
      {seller && <input type="hidden" name="sellerId" value={seller.id} />}
      {/* The first button is the one that Enter presses: it only saves the draft. */}
      <button type="submit" name="act" value="save" tabIndex={-1} aria-hidden className="sr-only" />
      {seller && <ForSeller name={seller.name} phone={seller.phone} />}
    </>
  )
}

/** The state of the form, and its submission. */
function useSellForm({ page, isPreview, refused }: Omit<SellFormProps, 'notice'>) {
  const { ownerId, lookups } = page
  const parts = useListingForm({ ownerId, server: page, stored: page, lookups, newest: page.book?.[0], refused })
  const { form, isAlive, draft, photos, typed, typedNow, steps, category, missing } = parts
  const [isShown, setIsShown] = useState(isPreview)
  /** A submit was tried too early: each missing answer is marked until it is filled in. */
  const [isTried, setIsTried] = useState(false)
  useShared(photos)
  const isMarked = isTried && missing.length > 0
  const later = useLater({
    draft,
    photos,
    ownerId,
    whenOpened: parts.whenOpened,
    refused,
    species: category?.name ?? '',
    shown: (now) => mainFirst(usable(photos.photos, now), now),
    typedNow,
  })
  const errors = useErrors(later.errors ?? refused?.errors, { missing: isMarked ? missing : [], onWrong: steps.show })
  const sending = useSending(parts, {
    later,
    onPreview: () => setIsShown(true),
    onMissing: (name) => {
      setIsTried(true)
      steps.show(name)
    },
  })
  const state = useFormState(form, { typed, errors, isAlive })
  const preview = { isShown: isShown || isPreview, close: () => setIsShown(false) }
  return { parts, marks: { missing, isMarked }, sending, later, state, preview, fill: fillFrom(parts) }
}

/** Writes what a message says into the form: over its answers, or as another animal, which has no photos and clips yet. */
const fillFrom =
  ({ draft, photos, typedNow }: ListingFormParts) =>
  (values: Typed, isAnother: boolean) => {
    if (!isAnother) return draft.fill(values, typedNow())
    for (const photo of photos.photos) if (photo.ref === undefined) void photos.remove(photo)
    discardClips(draft.keyNow())
    draft.fill(values, anotherAnimal(typedNow(), { key: newKey(), photos: photos.photos.flatMap(({ ref }) => ref ?? []) }))
  }

/**
 * Lists what the server refused, and what is missing. `missing` may be a new list at each rendering: its names are
 * compared.
 */
function useErrors(
  refused: Record<string, string> | undefined,
  { missing, onWrong }: { missing: string[]; onWrong: (name: string) => void },
) {
  useEffect(() => {
    const wrong = Object.keys(refused ?? {})[0]
    if (wrong) onWrong(wrong)
  }, [refused, onWrong])
  const marks = missing.join(' ')
  return useMemo(
    () => ({
      ...refused,
      ...Object.fromEntries(
        marks
          .split(' ')
          .filter(Boolean)
          .map((name) => [name, m.sell_required()]),
      ),
    }),
    [refused, marks],
  )
}

interface Sending {
  later: ReturnType<typeof useLater>
  onPreview: () => void
  onMissing: (name: string) => void
}

/** Submits when nothing is missing and every picture is uploaded; until then the submit waits. */
function useSending(parts: ListingFormParts, { later, onPreview, onMissing }: Sending) {
  const { typedNow, category, photos, clips, wait, once } = parts
  const { keep } = later
  // Offline, the listing waits on the phone.
  const onLater = () => void keep().then((isTaken) => isTaken && wait.stopWaiting())
  useOnceOffline(parts, onLater)

  function beforeSending(event: SubmitEvent<HTMLFormElement>) {
    const act = (event.nativeEvent as globalThis.SubmitEvent).submitter?.getAttribute('value')
    if (act === 'save' || act === 'preview') {
      // Enter in a field: everything is stored already.
      event.preventDefault()
      if (act === 'preview') onPreview()
      return
    }
    if (act !== 'submit') return
    const now = typedNow()
    const [stillMissing] = missingIn(now, { category, photos: usable(photos.photos, now).length })
    if (stillMissing) {
      event.preventDefault()
      return onMissing(stillMissing)
    }
    // The button says so.
    if (clips.isBusy) return event.preventDefault()
    // Listings that wait on this phone go first, in their order.
    if (later.hasWaiting && !event.defaultPrevented) {
      event.preventDefault()
      void keep()
      return
    }
    if (wait.hold(event)) return
    noteSending(now)
    once.onSubmit(event)
  }

  return { beforeSending, onLater }
}

interface NoticesProps {
  enquiryId: string | undefined
  notice: SellNotice | null
  refused: FormRefusal | undefined
}

function Notices({ enquiryId, notice, refused }: NoticesProps) {
  const to = useLocalPath()
  const hint = hints.find((each) => each === notice)
  const isFailure = refused !== undefined && refused.code !== 'VALIDATION' && !refused.csrf
  return (
    <>
      {isEnquiry(enquiryId) && (
        <p className="mt-3 note">
          {m.sell_for_enquiry()}{' '}
          <a href={to(`/view-enquiry/${enquiryId}`)} className="link inline-block font-semibold">
            {m.sell_see_enquiry()}
          </a>
        </p>
      )}
      {(notice === 'another' || notice === 'copied' || notice === 'unkept') && (
        <p role="status" className="mt-3 notice font-semibold">
          {{ another: m.sell_another, copied: m.sell_copied, unkept: m.sell_unkept }[notice]()}
        </p>
      )}
      {hint && <PasteHint hint={hint} />}
      {refused?.csrf && (
        <p role="alert" className="mt-3 notice font-semibold">
          {refused.detail}
        </p>
      )}
      {isFailure && <FailureDialog refused={refused} />}
      {refused?.code === 'VALIDATION' && (
        <p role="alert" className="failure mt-3">
          {m.sell_missing()}
        </p>
      )}
    </>
  )
}

/** The last questions and notices before the submit. */
function SendSection({ missing, isMarked, isAlive }: { missing: string[]; isMarked: boolean; isAlive: boolean }) {
  return (
    <Allowed>
      <p className="text-sm text-stone">{m.sell_free_text()}</p>
      <MissingList missing={missing} isAlive={isAlive} />
      <div role="alert" className="empty:hidden">
        {isMarked && <p className="failure">{m.sell_missing()}</p>}
      </div>
      <button type="submit" name="act" value="preview" className="button-plain min-h-12">
        {m.sell_preview()}
      </button>
    </Allowed>
  )
}

interface SendButtonProps {
  isShown: boolean
  isOff: boolean
  isBusy: boolean
  /** A clip is on its way. */
  isWaiting: boolean
}

function SendButton({ isShown, isOff, isBusy, isWaiting }: SendButtonProps) {
  return (
    <button
      type="submit"
      name="act"
      value="submit"
      data-send
      aria-disabled={isOff}
      className={`button-primary min-h-12 min-w-0 flex-1 px-2 aria-disabled:opacity-60 ${isShown ? '' : 'hidden noscript:inline-flex'}`}
    >
      {isWaiting ? m.sell_clip_wait() : isBusy ? m.sell_sending() : m.sell_submit()}
    </button>
  )
}

/** The answer to the last submit was lost, or it was submitted from another device. */
function WasSent() {
  const to = useLocalPath()
  return (
    <div className="mx-auto grid max-w-xl gap-3 py-6 text-center">
      <p role="status" className="done p-4 text-lg">
        {m.sell_was_sent()}
      </p>
      <a href={to('/seller-product/')} className="button-primary">
        {m.sell_sent_mine()}
      </a>
      <a href={to('/sell')} className="button-plain">
        {m.sell_sent_more()}
      </a>
    </div>
  )
}

function ForSeller({ name, phone }: { name: string; phone: string }) {
  return (
    <p className="row panel justify-between gap-2 bg-turmeric-soft p-3">
      <b>
        {m.sell_seller_for({ name })} ({phone})
      </b>
      <button type="submit" name="act" value="other-seller" formNoValidate className="link min-h-11 cursor-pointer">
        {m.sell_seller_other()}
      </button>
    </p>
  )
}
