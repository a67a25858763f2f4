import { useEffect, useMemo, useRef, useState } from 'react'
import { Form } from 'react-router'
import type { FormRefusal } from '#src/kit/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { isMaterialChange } from '#src/listings/life.ts'
import { plainFigures } from '#src/listings/typed-figures.ts'
import { useSendOnce } from '#src/listings/use-send-once.ts'
import { useLocalPath } from '#src/ui/language.ts'
import { draftTyped, type Typed } from './draft-fields.ts'
import { EditPhotos } from './edit-photos.tsx'
import type { EditPageData } from './edit-page.tsx'
import { focusOn, useAlive, writeInto } from './form-touch.ts'
import { ListingForm, TickQuestion } from './form-parts.tsx'
import { PickupStep } from './pickup-step.tsx'
import { QuestionSteps } from './question-steps.tsx'
import { SpeciesStep } from './species-step.tsx'

/** The form of a listing that is there: prefilled, with what a change would mean said before it is saved. */
export function EditForm({ page, csrf, refused }: { page: EditPageData; csrf: string; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { listing, lookups } = page
  const form = useRef<HTMLFormElement>(null)
  const isAlive = useAlive()
  const { isBusy, onSubmit } = useSendOnce(refused)
  const [typed, setTyped] = useState<Typed>(() => ({ ...listing.typed, ...refused?.typed }))
  const [newPhotos, setNewPhotos] = useState(0)
  const errors = useMemo(() => refused?.errors ?? {}, [refused])
  const category = lookups.categories.find(({ id }) => String(id) === typed.categoryId) ?? null
  useEffect(() => {
    const wrong = Object.keys(errors)[0]
    if (wrong) focusOn(form.current, wrong)
    else if (refused) form.current?.querySelector<HTMLElement>('[data-failure]')?.focus()
  }, [errors, refused])

  function read() {
    if (!form.current) return
    const data = new FormData(form.current)
    const shown = new Set([...form.current.elements].map((element) => (element as HTMLInputElement).name))
    setTyped((before) => ({ ...Object.fromEntries(Object.entries(before).filter(([name]) => !shown.has(name))), ...draftTyped(data) }))
    setNewPhotos(data.getAll('image').filter((file) => file instanceof File && file.size > 0).length)
  }
  const state = useMemo(
    () => ({ typed, errors, isAlive, write: (name: string, text: string) => writeInto(form.current, name, text) }),
    [typed, errors, isAlive],
  )
  const isChecked = listing.life === 'failed' || listing.life === 'draft' || isOtherAnimal(listing.typed, typed, newPhotos)
  return (
    <div className="mx-auto max-w-2xl pb-4">
      <h1 className="text-2xl">{m.edit_title()}</h1>
      <p className="mt-1 text-stone">{m.edit_text()}</p>
      {listing.comment && (
        <p className="mt-3 rounded-card border border-brick bg-brick-soft p-3">
          <b>{m.product_failed()}:</b> {listing.comment}
        </p>
      )}
      <ListingForm value={state}>
        <Form
          ref={form}
          method="post"
          encType="multipart/form-data"
          noValidate
          onSubmit={onSubmit}
          onInput={read}
          className="group/form mt-4 grid gap-4"
        >
          <input type="hidden" name="csrf" value={csrf} />
          <input type="hidden" name="version" value={listing.version} />
          <button type="submit" tabIndex={-1} aria-hidden className="sr-only" />
          {refused && (
            <p role="alert" tabIndex={-1} data-failure className="rounded-control bg-brick-soft p-3 font-semibold text-brick outline-none">
              {refused.code === 'VALIDATION' ? m.sell_missing() : refused.detail || m.edit_failed()}{' '}
              {refused.code === 'VERSION' && (
                <a href={to(`/seller-product/${listing.id}/edit`)} className="underline">
                  {m.edit_reload()}
                </a>
              )}
            </p>
          )}
          <EditPhotos photos={listing.photos} />
          <SpeciesStep categories={lookups.categories} isChosen />
          {category && (
            <QuestionSteps
              key={category.id}
              category={category}
              lookups={lookups}
              settings={page.settings}
              today={page.today}
              hasTag={listing.hasTag}
            />
          )}
          <PickupStep book={page.book} addPath="/my-addresses/sell/selleraddress" />
          <section className="panel grid gap-4 p-4 sm:p-5">
            <TickQuestion name="isAllowed" label={m.sell_allowed()} hint={m.sell_allowed_hint()} />
            <p role="status" className={`rounded-control p-3 ${isChecked ? 'bg-turmeric-soft font-semibold' : 'bg-husk-dark text-sm'}`}>
              {isChecked ? m.edit_checked() : m.edit_checked_if()}
            </p>
            <div className="grid gap-3 sm:grid-cols-2">
              <button type="submit" aria-disabled={isBusy} className="button-primary min-h-14 text-lg sm:order-2">
                {isBusy ? m.sell_sending() : m.edit_save()}
              </button>
              <a href={to('/seller-product/')} className="button-plain min-h-14">
                {m.sell_back()}
              </a>
            </div>
          </section>
        </Form>
      </ListingForm>
    </div>
  )
}

/** As the server will see it (life.ts), from what stands in the boxes. */
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
