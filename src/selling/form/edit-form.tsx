import { useEffect, useMemo } from 'react'
import { useRevalidator, useSubmit } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { isMaterialChange } from '#src/listings/life/life.ts'
import { plainFigures } from '#src/kit/text/plain-text.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { focusFirstError } from '#src/ui/use-focus-on-error.ts'
import { captionFields } from '../captions.ts'
import { takeRefusedChange } from '#src/selling/unsent/queue.ts'
import { isNew } from '#src/selling/photos/use-photos.ts'
import { canonical, draftTyped, type Typed } from '#src/selling/unsent/draft-fields.ts'
import { useFormState } from '#src/selling/unsent/form-touch.ts'
import type { EditPageData } from './edit-view.server.ts'
import { Allowed, Discard, DiscardAll, ListingFormBody } from './listing-form.tsx'
import { SavedNote } from './saved-note.tsx'
import { TwoDrafts } from '#src/selling/unsent/conflict.tsx'
import { useListingForm, useOnceOffline, type ListingFormParts } from './use-listing-form.ts'

/** The edit form of a listing: prefilled, and it says before the save what a change would mean. */
export function EditForm({ page, refused }: EditProps) {
  const { listing } = page
  const path = `/seller-product/${listing.id}/edit`
  const { parts, state, isStale, isChanged, isChecked } = useEditForm({ page, refused })
  const { isAlive, draft, clips, once, wait, discard } = parts
  useSendWhenOffline(parts)
  return (
    <div className="mx-auto max-w-2xl pb-4">
      <h1 className="text-xl sm:text-2xl">{m.edit_title()}</h1>
      <SavedNote saving={draft.saving} path={path} saved={m.edit_kept()} />
      {draft.other && <TwoDrafts other={draft.other.typed} onChoose={draft.choose} />}
      {isStale && <Stale isAlive={isAlive} onKeep={() => draft.rebase(String(listing.version))} onDiscard={discard} />}
      {page.draft && !isStale && !draft.other && isChanged && <Restored />}
      {listing.comment && <FailedFor comment={listing.comment} />}
      <ListingFormBody
        {...{ parts, state, page }}
        marks={{ missing: parts.missing, isMarked: false }}
        onSubmit={(event) => wait.hold(event) || once.onSubmit(event)}
        hasTag={listing.hasTag}
        addPath="/my-addresses/sell/selleraddress"
        clips={{ form: `edit-${listing.id}`, waiting: listing.newClips, own: listing.clips }}
        head={
          <>
            <input type="hidden" name="version" value={draft.typed.version} />
            <button type="submit" tabIndex={-1} aria-hidden className="sr-only" />
            {refused && <Failure refused={refused} path={path} />}
          </>
        }
        end={<Allowed />}
        submit={<SaveButton isChanged={isChanged} isBusy={once.isBusy || clips.isBusy} />}
        foot={<CheckedAgain isChecked={isChecked} />}
      />
      {isChanged && (
        <DiscardAll id="edit-discard" act="discard" label={m.edit_discard()} onSubmit={discard}>
          {m.edit_discard_yes()}
        </DiscardAll>
      )}
    </div>
  )
}

type EditProps = { page: EditPageData; refused: FormRefusal | undefined }

/** A change that waits on this phone is the outbox's; one that the market refused comes back, over the version that it was made for. */
function useChangeThatWaited({ draft, photos }: ListingFormParts, refused: FormRefusal | undefined): void {
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

/** Without a connection the photos go with the change, which then waits on the phone (decision 0108). */
function useSendWhenOffline(parts: ListingFormParts): void {
  const submit = useSubmit()
  useOnceOffline(parts, () => {
    const whole = new FormData(parts.form.current!)
    for (const { blob } of parts.unsent) whole.append('image', blob!, 'photo.jpg')
    parts.wait.stopWaiting()
    void submit(whole, { method: 'post', encType: 'multipart/form-data' })
  })
}

/** The state of the form, and how it differs from the listing. */
function useEditForm({ page, refused }: EditProps) {
  const { ownerId, listing, lookups } = page
  const typedBefore = { ...(page.draft?.typed ?? listing.typed), ...draftTyped(Object.entries(refused?.typed ?? {})) }
  const parts = useListingForm({
    ownerId,
    listing,
    server: { version: page.draft?.version ?? 0, typed: typedBefore },
    stored: { photos: page.draft?.photos ?? [], clips: listing.newClips },
    lookups,
    refused,
  })
  const { form, isAlive, draft, typed, clips, steps, shown } = parts
  const { revalidate } = useRevalidator()
  useChangeThatWaited(parts, refused)
  const newPhotos = shown.filter(isNew).length
  const isStale = typed.version !== String(listing.version)
  const hasClip = clips.waiting.length + clips.onPhone > 0
  const isChanged = isStale || newPhotos > 0 || hasClip || clips.gone > 0 || canonical(typed) !== canonical(listing.typed)
  const errors = useMemo(() => refused?.errors ?? {}, [refused])
  useEffect(() => {
    const wrong = Object.keys(errors)[0]
    if (wrong) steps.show(wrong)
    else if (refused) focusFirstError(form.current)
  }, [errors, form, refused, steps])

  // The page does not know the listing's current version yet.
  useEffect(() => {
    if (draft.at === 'stale') void revalidate()
  }, [draft.at, revalidate])

  const state = useFormState(form, { typed, errors, isAlive })
  const hasNewClip = hasClip || captionFields.some((name) => (typed[name] ?? '') !== (listing.typed[name] ?? ''))
  const isChecked = hasNewClip || listing.life === 'failed' || listing.life === 'draft' || isOtherAnimal(listing.typed, typed, newPhotos)
  return { parts, state, isStale, isChanged, isChecked }
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
        <Discard act="discard" onSubmit={onDiscard} className="button-plain w-full px-2">
          {m.edit_stale_listing()}
        </Discard>
      </div>
    </div>
  )
}

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
