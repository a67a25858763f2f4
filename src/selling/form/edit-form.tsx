import { useEffect, useEffectEvent, useMemo, useRef, type ReactNode, type RefObject } from 'react'
import { useRevalidator, useSubmit } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { isMaterialChange } from '#src/listings/life/life.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { focusFirstError } from '#src/ui/use-focus-on-error.ts'
import { captionFields } from '../captions.ts'
import { discardClips, takeRefusedChange } from '#src/selling/unsent/queue.ts'
import { useClipNews } from '#src/selling/clips/use-clip-news.ts'
import { UploadDialog } from '#src/selling/photos/upload-dialog.tsx'
import { usePhotoWait } from '#src/selling/photos/use-photo-wait.ts'
import { isNew, usable, usePhotos, type FormPhoto, type Photos } from '#src/selling/photos/use-photos.ts'
import { useIsAlive } from '#src/kit/device/use-is-alive.ts'
import { canonical, draftTyped, type Typed } from '#src/selling/unsent/draft-fields.ts'
import { useFormState, useTypedNow } from '#src/selling/unsent/form-touch.ts'
import { useDraft } from '#src/selling/unsent/use-draft.ts'
import { ClipSection } from './clip-section.tsx'
import { PhotoSection } from './photo-section.tsx'
import type { EditPageData } from './edit-view.server.ts'
import { ListingForm, TickQuestion } from './form-parts.tsx'
import { useSteps } from './form-steps.tsx'
import { ListingSteps } from './listing-steps.tsx'
import { missingIn } from './missing.ts'
import { SavedNote } from './saved-note.tsx'
import { TwoDrafts } from '#src/selling/unsent/conflict.tsx'

/** The edit form of a listing: prefilled, and it says before the save what a change would mean. */
export function EditForm({ page, refused }: EditProps) {
  const { listing } = page
  const path = `/seller-product/${listing.id}/edit`
  const { form, isAlive, draft, category, missing, state, steps, read, photos, unsent, clips, isStale, isChanged, isChecked } = useEditForm(
    {
      page,
      refused,
    },
  )
  const { isBusy, onSubmit } = useSendOnce(refused)
  const wait = useSending(form, unsent, photos)
  const discard = () => (draft.stop(), discardClips(`edit-${listing.id}`), void photos.clear())
  return (
    <div className="mx-auto max-w-2xl pb-4">
      <h1 className="text-xl sm:text-2xl">{m.edit_title()}</h1>
      <SavedNote saving={draft.saving} path={path} saved={m.edit_kept()} />
      {draft.other && <TwoDrafts other={draft.other.typed} onChoose={draft.choose} />}
      {isStale && <Stale isAlive={isAlive} onKeep={() => draft.rebase(String(listing.version))} onDiscard={discard} />}
      {page.draft && !isStale && !draft.other && isChanged && <Restored />}
      {listing.comment && <FailedFor comment={listing.comment} />}
      <ListingForm value={state}>
        <PostForm
          key={draft.generation}
          ref={form}
          encType="multipart/form-data"
          noValidate
          onSubmit={(event) => wait.hold(event) || onSubmit(event)}
          onInput={read}
          className="group/form mt-1 grid min-w-0 gap-4"
        >
          <input type="hidden" name="version" value={draft.typed.version} />
          <button type="submit" tabIndex={-1} aria-hidden className="sr-only" />
          {refused && <Failure refused={refused} path={path} />}
          <ListingSteps
            step={steps.step}
            marks={{ missing, isMarked: false }}
            category={category}
            page={page}
            hasTag={listing.hasTag}
            addPath="/my-addresses/sell/selleraddress"
            photos={
              <>
                <PhotoSection {...photos} />
                <ClipSection form={`edit-${listing.id}`} waiting={listing.newClips} own={listing.clips} onChange={clips.note} />
              </>
            }
            end={<Allowed />}
            submit={<SaveButton isChanged={isChanged} isBusy={isBusy || clips.isBusy} />}
          />
          <CheckedAgain isChecked={isChecked} />
        </PostForm>
      </ListingForm>
      {isChanged && <DiscardAll onSubmit={discard} />}
      {wait.isWaiting && <UploadDialog unsent={unsent} onClose={wait.stopWaiting} onRetry={() => photos.retry()} />}
    </div>
  )
}

type EditProps = { page: EditPageData; refused: FormRefusal | undefined }

/** A change that waits on this phone is the outbox's; one that the market refused comes back, over the version that it was made for. */
function useChangeThatWaited(draft: ReturnType<typeof useDraft>, photos: Photos, refused: FormRefusal | undefined): void {
  const { fill, stop } = draft
  const { add, clear } = photos
  useEffect(() => {
    if (!refused?.isStored) return
    stop()
    void clear()
  }, [refused, stop, clear])
  useEffect(() => {
    void takeRefusedChange().then((change) => {
      if (!change) return
      fill(draftTyped(change.fields))
      if (change.photos.length > 0) void add(change.photos)
    })
  }, [add, fill])
}

/** Holds the submit until every photo is uploaded. Without a connection the photos go with the change, which then waits on the phone (decision 0108). */
function useSending(form: RefObject<HTMLFormElement | null>, unsent: FormPhoto[], photos: Photos) {
  const submit = useSubmit()
  const wait = usePhotoWait({ form, unsent, retry: photos.retry })
  const isLineDead =
    wait.isWaiting && unsent.every(({ blob }) => blob) && unsent.some(({ state, isLineDead }) => state === 'failed' && isLineDead)
  const send = useEffectEvent(() => {
    const whole = new FormData(form.current!)
    for (const { blob } of unsent) whole.append('image', blob!, 'photo.jpg')
    wait.stopWaiting()
    void submit(whole, { method: 'post', encType: 'multipart/form-data' })
  })
  useEffect(() => {
    if (isLineDead) send()
  }, [isLineDead])
  return wait
}

/** Unlike a new listing, a change never goes on under another key, or as a listing that waits on this phone. */
const neverElsewhere = () => Promise.resolve({ isFresh: false, elsewhere: [], toCorrect: null })

/** The state of the form, and how it differs from the listing. */
function useEditForm({ page, refused }: EditProps) {
  const { listing, lookups } = page
  const form = useRef<HTMLFormElement>(null)
  const isAlive = useIsAlive()
  const server = page.draft ?? { version: 0, savedAt: 0 }
  const stored = page.draft?.typed ?? listing.typed
  const draft = useDraft({
    ownerId: page.ownerId,
    listingId: listing.id,
    server: { ...server, typed: { ...stored, ...draftTyped(Object.entries(refused?.typed ?? {})) } },
    form,
  })
  const { typed } = draft
  const steps = useSteps(form)
  const { revalidate } = useRevalidator()
  const photos = usePhotos({
    ownerId: page.ownerId,
    listing,
    stored: page.draft?.photos ?? [],
    whenOpened: neverElsewhere,
    typedNow: useTypedNow(form, typed),
  })
  useChangeThatWaited(draft, photos, refused)
  const shown = usable(photos.photos, typed)
  const newPhotos = shown.filter(isNew).length
  const isStale = typed.version !== String(listing.version)
  const clips = useClipNews(listing.newClips)
  const hasClip = clips.waiting.length + clips.onPhone > 0
  const isChanged = isStale || newPhotos > 0 || hasClip || clips.gone > 0 || canonical(typed) !== canonical(listing.typed)
  const errors = useMemo(() => refused?.errors ?? {}, [refused])
  const category = lookups.categories.find(({ id }) => String(id) === typed.categoryId) ?? null
  useEffect(() => {
    const wrong = Object.keys(errors)[0]
    if (wrong) steps.show(wrong)
    else if (refused) focusFirstError(form.current)
  }, [errors, refused, steps])

  // The page does not know the listing's current version yet.
  useEffect(() => {
    if (draft.at === 'stale') void revalidate()
  }, [draft.at, revalidate])

  function read() {
    if (!form.current) return
    draft.read()
    clips.read(form.current)
  }
  const state = useFormState(form, { typed, errors, isAlive })
  const hasNewClip = hasClip || captionFields.some((name) => (typed[name] ?? '') !== (listing.typed[name] ?? ''))
  const isChecked = hasNewClip || listing.life === 'failed' || listing.life === 'draft' || isOtherAnimal(listing.typed, typed, newPhotos)
  const missing = missingIn(typed, { category, photos: shown.length })
  const unsent = shown.filter((photo) => photo.state !== 'stored')
  return { form, isAlive, draft, category, missing, state, steps, read, photos, unsent, clips, isStale, isChanged, isChecked }
}

/** Shows why an admin did not pass the listing. */
const FailedFor = ({ comment }: { comment: string }) => (
  <p className="mt-3 rounded-card border border-brick bg-brick-soft p-3">
    <b>{m.product_failed()}:</b> {comment}
  </p>
)

/** Says before the save whether the change brings the listing back to verification. */
const CheckedAgain = ({ isChecked }: { isChecked: boolean }) => (
  <p role="status" className={`rounded-control p-3 ${isChecked ? 'bg-turmeric-soft font-semibold' : 'bg-husk-dark text-sm'}`}>
    {isChecked ? m.edit_checked() : m.edit_checked_if()}
  </p>
)

interface StaleProps {
  isAlive: boolean
  onKeep: () => void
  onDiscard: () => void
}

/** The listing was changed elsewhere meanwhile. */
function Stale({ isAlive, onKeep, onDiscard }: StaleProps) {
  return (
    <div role="alert" className="standing-alarm">
      <p className="font-semibold text-brick">{m.edit_stale()}</p>
      <div className="grid gap-2 xs:grid-cols-2">
        {isAlive && (
          <button type="button" onClick={onKeep} className="button-primary px-2">
            {m.edit_stale_mine()}
          </button>
        )}
        <Discard onSubmit={onDiscard} className="button-plain w-full px-2">
          {m.edit_stale_listing()}
        </Discard>
      </div>
    </div>
  )
}

const DiscardAll = (discard: { onSubmit: () => void }) => (
  <details id="edit-discard" className="mt-6 text-center">
    <summary className="tap-link unmarked">{m.edit_discard()}</summary>
    <Discard {...discard} className="button-plain border-brick text-brick">
      {m.edit_discard_yes()}
    </Discard>
  </details>
)

function Restored() {
  return (
    <p className="row mt-3 gap-x-4 notice px-3 py-1">
      <span className="py-2">{m.edit_restored()}</span>
      <a href="#edit-discard" className="tap-link">
        {m.edit_discard()}
      </a>
    </p>
  )
}

function Failure({ refused, path }: { refused: FormRefusal; path: string }) {
  const to = useLocalPath()
  return (
    <p role="alert" tabIndex={-1} data-failure className="failure outline-none">
      {refused.code === 'VALIDATION' ? m.sell_missing() : refused.detail || m.edit_failed()}{' '}
      {refused.code === 'VERSION' && (
        <a href={to(path)} className="underline">
          {m.edit_reload()}
        </a>
      )}
    </p>
  )
}

const Allowed = () => (
  <section id="send" className="form-panel sm:p-5">
    <TickQuestion name="isAllowed" label={m.sell_allowed()} hint={m.sell_allowed_hint()} />
  </section>
)

/** On every step: most changes are one figure. */
const SaveButton = ({ isChanged, isBusy }: { isChanged: boolean; isBusy: boolean }) => (
  <button
    type="submit"
    data-send
    aria-disabled={isBusy}
    className={`min-h-12 min-w-0 flex-1 px-2 text-lg ${isChanged ? 'button-primary' : 'button-plain'}`}
  >
    {isBusy ? m.sell_sending() : m.edit_save()}
  </button>
)

/** A plain form: the page reloads, with the listing as it is. */
function Discard({ onSubmit, className, children }: { onSubmit: () => void; className: string; children: ReactNode }) {
  return (
    <PostForm reloadDocument onSubmit={onSubmit}>
      <button type="submit" name="act" value="discard" className={className}>
        {children}
      </button>
    </PostForm>
  )
}

/** The listing as the server will see it (life.ts), from the current values of the fields. */
function isOtherAnimal(before: Typed, after: Typed, newPhotos: number): boolean {
  const facts = (typed: Typed, photos: string[]) => ({
    categoryId: Number(typed.categoryId),
    breedId: idOf(typed.breedId),
    genderId: idOf(typed.genderId),
    ageId: idOf(typed.ageId),
    weightKg: Number(plainFigures(typed.weightKg ?? '')) || 0,
    tag: typed.tag || null,
    photos,
  })
  return isMaterialChange(
    facts(before, []),
    facts(
      after,
      Array.from({ length: newPhotos }, (_, n) => `new-${n}`),
    ),
  )
}
const idOf = (text: string | undefined) => (text ? Number(text) : null)
