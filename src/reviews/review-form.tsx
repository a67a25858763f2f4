import type { OwnReview } from './reviews.server.ts'
import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice, Tick } from '#src/ui/choice.tsx'
import { describedBy, FieldError, fieldsOf } from '#src/ui/field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { CsrfField } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFetcherForm } from '#src/ui/use-fetcher-form.ts'

interface ReviewFormProps {
  sellerId: number
  /** The viewer's earlier review, for editing. */
  own: OwnReview | null
  /** The listing whose page contains the form, to return to. */
  from?: number | undefined
  /** The refusal of a page that was rendered again without scripts. */
  refused?: FormRefusal | undefined
}

/** Stars, a comment, or both. Posts to the review page from every page that contains it; a refused form keeps the typed text. */
export function ReviewForm({ sellerId, own, from, refused: rendered }: ReviewFormProps) {
  const to = useLocalPath()
  const { Form, form, isBusy, refused } = useFetcherForm(rendered)
  const { typed = {}, errors = {} } = refused ?? {}
  const chosen = typed.stars ?? String(own?.stars ?? 0)
  return (
    <Form {...form} action={to(`/review/${sellerId}`)} className="space-y-4">
      <CsrfField refused={refused} />
      {from !== undefined && <input type="hidden" name="from" value={from} />}
      {own && own.hiddenReason !== null && (
        <p className="notice break-words whitespace-pre-line">{m.review_hidden({ reason: own.hiddenReason })}</p>
      )}
      <StarChoice chosen={chosen} error={errors.stars} />
      <TextAreaField
        {...fieldsOf('review', refused)('comment', own?.comment)}
        rows={3}
        maxLength={1000}
        label={m.review_comment()}
        hint={m.review_comment_hint()}
      />
      {refused && <FormFailure detail={failureText(refused)} />}
      <button type="submit" aria-busy={isBusy} className="button-primary">
        {m.review_save()}
      </button>
    </Form>
  )
}

const StarChoice = ({ chosen, error }: { chosen: string; error: string | undefined }) => (
  <fieldset aria-describedby={describedBy('review-stars', false, error)} aria-invalid={error !== undefined || undefined}>
    <legend className="label">{m.review_stars()}</legend>
    <div className="row">
      {[1, 2, 3, 4, 5].map((stars) => (
        // Fills the chosen star and all before it.
        // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- Tick is its control
        <label
          key={stars}
          className="relative grid size-11 cursor-pointer place-items-center fill-none text-stone has-[:checked]:fill-turmeric has-[:checked]:text-turmeric has-[:focus-visible]:outline-3 has-[~label_[data-star]:checked]:fill-turmeric has-[~label_[data-star]:checked]:text-turmeric"
        >
          <Tick
            type="radio"
            name="stars"
            value={stars}
            data-star
            defaultChecked={chosen === String(stars)}
            tick="peer absolute inset-0 size-full cursor-pointer opacity-0"
            aria-label={m.product_stars({ stars })}
          />
          <Icon name="star" size={32} className="rounded peer-focus-visible:outline-3 peer-focus-visible:outline-ink" />
        </label>
      ))}
      <Choice type="radio" name="stars" value="0" defaultChecked={chosen === '0'} className="gap-2 px-3">
        {m.review_stars_none()}
      </Choice>
    </div>
    <FieldError id="review-stars" error={error} />
  </fieldset>
)

/** A §8: an internal error is shown in the specification's words. */
function failureText({ code, detail }: FormRefusal): string {
  return detail && (code === 'INTERNAL' || code === 'UNAVAILABLE') ? m.review_failed() : detail
}
