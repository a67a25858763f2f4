import { useEffect, useMemo, useRef, useState, type RefObject, type SubmitEvent } from 'react'
import { Form } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField, PostForm } from '#src/ui/post-form.tsx'
import { latePart } from '#src/document/deferred.tsx'
import { isEnquiry, type Typed } from '#src/selling/unsent/draft-fields.ts'
import { discardClips } from '#src/selling/unsent/queue.ts'
import { useClipNews } from '#src/selling/clips/use-clip-news.ts'
import { useFormState, useTypedNow } from '#src/selling/unsent/form-touch.ts'
import { PasteBox } from '#src/selling/paste/paste-box.tsx'
import { UploadDialog } from '#src/selling/photos/upload-dialog.tsx'
import { noteSending } from '#src/selling/unsent/store.ts'
import { useDraft } from '#src/selling/unsent/use-draft.ts'
import { WaitingListing } from '#src/selling/later/waiting-listing.tsx'
import { useLater, useOpened } from '#src/selling/later/use-later.ts'
import { usePhotoWait } from '#src/selling/photos/use-photo-wait.ts'
import { useShared } from '#src/selling/photos/use-shared.ts'
import { mainFirst, usable, usePhotos, type Photos } from '#src/selling/photos/use-photos.ts'
import { useIsAlive } from '#src/kit/device/use-is-alive.ts'
import { ClipSection } from './clip-section.tsx'
import { FailureDialog } from './failure-dialog.tsx'
import { ListingForm, TickQuestion } from './form-parts.tsx'
import { useSteps } from './form-steps.tsx'
import { ListingSteps } from './listing-steps.tsx'
import { MissingList } from './missing-list.tsx'
import { missingIn } from './missing.ts'
import { PhotoSection } from './photo-section.tsx'
import type { readSellForm } from './sell-view.server.ts'
import { SavedNote } from './saved-note.tsx'
import { TwoDrafts } from '#src/selling/unsent/conflict.tsx'

type Category = SellFormProps['page']['lookups']['categories'][number]

interface SellFormProps {
  page: Awaited<ReturnType<typeof readSellForm>>
  isPreview: boolean
  /** The form was submitted before with something else in it. */
  isAnother: boolean
  isCopied: boolean
  refused: FormRefusal | undefined
}

const Preview = latePart(
  async () => (await import('./preview.tsx')).Preview,
  ({ onClose }) => (
    <div role="alert" className="notice mt-4 space-y-2 p-4">
      <p>{m.sell_preview_missing()}</p>
      <button type="button" onClick={onClose} className="button-plain">
        {m.sell_close()}
      </button>
    </div>
  ),
  <p className="p-4">{m.sell_preview()} …</p>,
)

/** From a photo to a listing. Everything is one plain form; scripts only make it answer sooner and lose nothing. */
export function SellForm(props: SellFormProps) {
  const { page, isAnother, isCopied, refused } = props
  const to = useLocalPath()
  const { form, isAlive, draft, photos, clips, category, marks, sending, later, state, steps, preview } = useSellForm(props)
  const { typed } = state
  if (later.waitingKey !== null) return <WaitingListing listingKey={later.waitingKey} />
  if (draft.at === 'submitted') return <WasSent />
  return (
    <div className="mx-auto max-w-2xl pb-4">
      <FormHead draft={draft} isAnother={isAnother} isCopied={isCopied} refused={refused} later={later} />
      <PasteBox refused={refused} onFill={draft.fill} />
      <ListingForm value={state}>
        <Form
          key={draft.generation}
          ref={form}
          id="sell"
          method="post"
          action={to('/sell')}
          encType="multipart/form-data"
          noValidate
          onSubmit={sending.beforeSending}
          onInput={draft.read}
          className="group/form mt-1 grid min-w-0 gap-4"
        >
          <Hidden typed={typed} seller={page.seller} />
          <ListingSteps
            step={steps.step}
            marks={marks}
            category={category}
            page={page}
            addPath={page.seller ? '/sell?address' : '/my-addresses/sell/selleraddress'}
            photos={<SellPictures photos={photos} typed={typed} page={page} onChange={clips.note} onTaken={draft.read} />}
            end={<SendSection {...marks} />}
            submit={
              <SendButton
                isShown={steps.step === 'check'}
                isOff={(isAlive && marks.missing.length > 0) || sending.isBusy || clips.isBusy}
                isBusy={sending.isBusy}
                isWaiting={clips.isBusy}
              />
            }
          />
        </Form>
      </ListingForm>
      {preview.isShown && category && (
        <Preview
          {...{ typed, page, isAlive }}
          photos={mainFirst(usable(photos.photos, typed), typed)}
          clips={clips.waiting}
          onClose={preview.close}
        />
      )}
      <StartAnew onSubmit={() => (draft.stop(), discardClips(draft.keyNow()), void photos.clear())} />
      {sending.isWaiting && (
        <UploadDialog unsent={sending.unsent} onClose={sending.stopWaiting} onRetry={() => photos.retry()} onLater={sending.onLater} />
      )}
    </div>
  )
}

interface PicturesProps extends Pick<SellFormProps, 'page'> {
  photos: Photos
  typed: Typed
  onChange: ReturnType<typeof useClipNews>['note']
  onTaken: () => void
}

/** Another animal in the form has clips of its own. */
function SellPictures({ photos, typed, page, ...news }: PicturesProps) {
  const waiting = typed.key === page.typed.key ? page.clips : []
  return (
    <>
      <PhotoSection {...photos} />
      <ClipSection key={typed.key} form={typed.key ?? ''} waiting={waiting} {...news} />
    </>
  )
}

interface HeadProps extends Pick<SellFormProps, 'isAnother' | 'isCopied' | 'refused'> {
  draft: ReturnType<typeof useDraft>
  later: ReturnType<typeof useLater>
}

/** The head of the form: what it is, whether it is saved, and what the seller should know before they go on. */
function FormHead({ draft, isAnother, isCopied, refused, later }: HeadProps) {
  return (
    <>
      <h1 className="text-xl sm:text-2xl">{m.sell_title()}</h1>
      <p className="mt-1 hidden text-stone noscript:block">{m.sell_text()}</p>
      <SavedNote saving={draft.saving} path="/sell" saved={m.sell_saved()} />
      {draft.other && <TwoDrafts other={draft.other.typed} onChoose={draft.choose} />}
      <LaterNotices {...later} />
      <Notices enquiryId={draft.typed.enquiryId} isAnother={isAnother || draft.isAnother} isCopied={isCopied} refused={refused} />
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
      <CsrfField />
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
function useSellForm({ page, isPreview, refused }: Omit<SellFormProps, 'isAnother' | 'isCopied'>) {
  const form = useRef<HTMLFormElement>(null)
  const isAlive = useIsAlive()
  const draft = useDraft({ ownerId: page.ownerId, server: page, form })
  const whenOpened = useOpened(draft, page.ownerId)
  const [isShown, setIsShown] = useState(isPreview)
  /** A submit was tried too early: each missing answer is marked until it is filled in. */
  const [isTried, setIsTried] = useState(false)
  const typed = useWithPickup(draft.typed, page.book)
  const typedNow = useTypedNow(form, typed)
  const photos = usePhotos({ ownerId: page.ownerId, stored: page.photos, whenOpened, typedNow })
  const clips = useClipNews(page.clips)
  const steps = useSteps(form)
  const category = page.lookups.categories.find(({ id }) => String(id) === typed.categoryId) ?? null
  useShared(photos)
  const missing = missingIn(typed, { category, photos: usable(photos.photos, typed).length })
  const isMarked = isTried && missing.length > 0
  const later = useLater({
    draft,
    photos,
    ownerId: page.ownerId,
    whenOpened,
    refused,
    species: category?.name ?? '',
    shown: (now) => mainFirst(usable(photos.photos, now), now),
    typedNow,
  })
  const errors = useErrors(later.errors ?? refused?.errors, { missing: isMarked ? missing : [], onWrong: steps.show })
  const sending = useSending({
    form,
    typed,
    typedNow,
    category,
    photos,
    isClipBusy: clips.isBusy,
    refused,
    later,
    onPreview: () => setIsShown(true),
    onMissing: (name) => {
      setIsTried(true)
      steps.show(name)
    },
  })
  const state = useFormState(form, { typed, errors, isAlive })
  return {
    form,
    isAlive,
    draft,
    photos,
    clips,
    category,
    marks: { missing, isMarked },
    sending,
    later,
    state,
    steps,
    preview: { isShown: isShown || isPreview, close: () => setIsShown(false) },
  }
}

/** The newest address is chosen until the seller chooses another: most have one farm. */
function useWithPickup(typed: Typed, book: SellFormProps['page']['book']): Typed {
  const newest = book?.[0]
  return useMemo(() => (typed.pickup || !newest ? typed : { ...typed, pickup: String(newest.id) }), [typed, newest])
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
  form: RefObject<HTMLFormElement | null>
  typed: Typed
  typedNow: () => Typed
  category: Category | null
  photos: Photos
  isClipBusy: boolean
  refused: FormRefusal | undefined
  later: ReturnType<typeof useLater>
  onPreview: () => void
  onMissing: (name: string) => void
}

/** Submits when nothing is missing and every picture is uploaded; until then the submit waits. */
function useSending({ form, typed, typedNow, category, photos, isClipBusy, refused, later, onPreview, onMissing }: Sending) {
  const { isBusy, onSubmit } = useSendOnce(refused)
  const unsent = usable(photos.photos, typed).filter(({ state }) => state !== 'stored')
  const { isWaiting, hold, stopWaiting } = usePhotoWait({ form, unsent, retry: photos.retry })

  // The line is dead: the listing waits on the phone, and somebody else's patience is not asked for.
  const isLineDead = isWaiting && unsent.some(({ state, isLineDead }) => state === 'failed' && isLineDead)
  const { keep } = later
  const onLater = () => void keep().then((isTaken) => isTaken && stopWaiting())
  useEffect(() => {
    if (isLineDead) onLater()
    // oxlint-disable-next-line react/exhaustive-deps -- once for each time that the line dies
  }, [isLineDead])

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
    if (isClipBusy) return event.preventDefault()
    // Listings that wait on this phone go first, in their order.
    if (later.hasWaiting && !event.defaultPrevented) {
      event.preventDefault()
      void later.keep()
      return
    }
    if (hold(event)) return
    noteSending(now)
    onSubmit(event)
  }

  return { isBusy, isWaiting, unsent, beforeSending, stopWaiting, onLater }
}

interface NoticesProps {
  enquiryId: string | undefined
  isAnother: boolean
  isCopied: boolean
  refused: FormRefusal | undefined
}

function Notices({ enquiryId, isAnother, isCopied, refused }: NoticesProps) {
  const to = useLocalPath()
  const isFailure = refused !== undefined && refused.code !== 'VALIDATION' && !refused.isResumed
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
      {(isAnother || isCopied) && (
        <p role="status" className="mt-3 notice font-semibold">
          {isAnother ? m.sell_another() : m.sell_copied()}
        </p>
      )}
      {refused?.isResumed && (
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
function SendSection({ missing, isMarked }: { missing: string[]; isMarked: boolean }) {
  return (
    <section id="send" className="form-panel sm:p-5">
      <TickQuestion name="isAllowed" label={m.sell_allowed()} hint={m.sell_allowed_hint()} />
      <p className="text-sm text-stone">{m.sell_free_text()}</p>
      <MissingList missing={missing} />
      <div role="alert" className="empty:hidden">
        {isMarked && <p className="failure">{m.sell_missing()}</p>}
      </div>
      <button type="submit" name="act" value="preview" className="button-plain min-h-12">
        {m.sell_preview()}
      </button>
    </section>
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

function StartAnew({ onSubmit }: { onSubmit: () => void }) {
  const to = useLocalPath()
  return (
    <details className="mt-6 text-center">
      <summary className="tap-link unmarked">{m.sell_anew()}</summary>
      <PostForm reloadDocument action={to('/sell')} onSubmit={onSubmit}>
        <button type="submit" name="act" value="anew" className="button-plain border-brick text-brick">
          {m.sell_anew_yes()}
        </button>
      </PostForm>
    </details>
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
