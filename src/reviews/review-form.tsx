import { useFetcher } from 'react-router'
import { FormFailure, useFocusOnWrong } from '#src/accounts/form-failure.tsx'
import type { FormRefusal, FormResult } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLineGuard } from '#src/ui/dead-line.ts'
import { describedBy, FieldError } from '#src/ui/field.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'

interface ReviewFormProps {
  sellerId: number
  csrf: string
  /** The viewer's earlier review, to be changed. */
  own: { stars: number | null; comment: string } | null
  /** The listing whose page shows the form, to come back to. */
  from?: number | undefined
  /** Set on a page that was rendered again because there are no scripts. */
  refused?: FormRefusal | undefined
}

/** Stars, a comment, or both. The review's page takes it, wherever the form stands; the typed text stays when it is refused. */
export function ReviewForm({ sellerId, csrf, own, from, refused: rendered }: ReviewFormProps) {
  const to = useLocalPath()
  const fetcher = useFetcher<FormResult<never>>()
  const { isLineDead, guard } = useLineGuard(fetcher)
  const isBusy = fetcher.state !== 'idle'
  const refused = isBusy ? undefined : (fetcher.data?.refused ?? rendered)
  const form = useFocusOnWrong(refused)
  const { typed = {}, errors = {} } = refused ?? {}
  const chosen = typed.stars ?? String(own?.stars ?? 0)
  return (
    <fetcher.Form ref={form} method="post" action={to(`/review/${sellerId}`)} onSubmit={guard} className="space-y-4">
      <input type="hidden" name="csrf" value={csrf} />
      {from !== undefined && <input type="hidden" name="from" value={from} />}
      <fieldset aria-describedby={describedBy('review-stars', false, errors.stars)} aria-invalid={errors.stars !== undefined || undefined}>
        <legend className="label">{m.review_stars()}</legend>
        <div className="flex flex-wrap items-center">
          {[1, 2, 3, 4, 5].map((stars) => (
            // Filled up to the chosen one: every star before it, and itself.
            <label
              key={stars}
              className="relative grid size-11 cursor-pointer place-items-center fill-none text-stone has-[:checked]:fill-turmeric has-[:checked]:text-turmeric has-[:focus-visible]:outline-3 has-[~label_[data-star]:checked]:fill-turmeric has-[~label_[data-star]:checked]:text-turmeric"
            >
              <input
                type="radio"
                name="stars"
                value={stars}
                data-star
                defaultChecked={chosen === String(stars)}
                className="peer absolute inset-0 size-full cursor-pointer opacity-0"
                aria-label={m.product_stars({ stars })}
              />
              <Icon name="star" size={32} className="rounded peer-focus-visible:outline-3 peer-focus-visible:outline-ink" />
            </label>
          ))}
          <label className="flex min-h-11 cursor-pointer items-center gap-2 px-3">
            <input type="radio" name="stars" value="0" defaultChecked={chosen === '0'} className="size-5 accent-leaf" />
            {m.review_stars_none()}
          </label>
        </div>
        <FieldError id="review-stars" error={errors.stars} />
      </fieldset>
      <div>
        <label htmlFor="review-comment" className="label">
          {m.review_comment()}
        </label>
        <p id="review-comment-hint" className="mb-1 text-sm text-stone">
          {m.review_comment_hint()}
        </p>
        <textarea
          id="review-comment"
          name="comment"
          rows={3}
          maxLength={1000}
          defaultValue={typed.comment ?? own?.comment ?? ''}
          aria-invalid={errors.comment !== undefined || undefined}
          aria-describedby={describedBy('review-comment', true, errors.comment)}
          className="field aria-invalid:border-2 aria-invalid:border-brick"
        />
        <FieldError id="review-comment" error={errors.comment} />
      </div>
      {refused && <FormFailure detail={failureText(refused)} retryAfterSeconds={refused.retryAfterSeconds} />}
      {isLineDead && <FormFailure detail="" />}
      <button type="submit" aria-busy={isBusy} className="button-primary">
        {m.review_save()}
      </button>
    </fetcher.Form>
  )
}

/** A §8: an error of ours is shown in the specification's words. */
function failureText({ code, detail }: FormRefusal): string {
  return code === 'INTERNAL' || code === 'UNAVAILABLE' ? m.review_failed() : detail
}
