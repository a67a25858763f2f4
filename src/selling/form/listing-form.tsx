import type { ComponentProps, ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { UploadDialog } from '#src/selling/photos/upload-dialog.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { ClipSection } from './clip-section.tsx'
import { ListingForm, TickQuestion } from './form-parts.tsx'
import { ListingSteps } from './listing-steps.tsx'
import { PhotoSection } from './photo-section.tsx'
import type { ListingFormParts } from './use-listing-form.ts'

type Steps = Omit<ComponentProps<typeof ListingSteps>, 'step' | 'category' | 'photos'>
type Attributes = Pick<ComponentProps<typeof PostForm>, 'id' | 'action' | 'onSubmit'>

interface ListingFormBodyProps extends Steps, Attributes {
  parts: ListingFormParts
  state: ComponentProps<typeof ListingForm>['value']
  clips: Omit<ComponentProps<typeof ClipSection>, 'onChange'>
  /** Hidden fields, and the button that Enter presses. */
  head: ReactNode
  foot?: ReactNode
  onLater?: () => void
}

/** The form of a listing: one plain form, for a new one and for a change. Scripts only make it answer sooner and lose nothing. */
export function ListingFormBody({ parts, state, clips, head, foot, onLater, id, action, onSubmit, ...steps }: ListingFormBodyProps) {
  const { form, draft, photos, wait, unsent } = parts
  return (
    <>
      <ListingForm value={state}>
        <PostForm
          key={draft.generation}
          ref={form}
          id={id}
          action={action}
          encType="multipart/form-data"
          noValidate
          onSubmit={onSubmit}
          onInput={parts.read}
          className="group/form mt-1 grid min-w-0 gap-4"
        >
          {head}
          <ListingSteps
            {...steps}
            step={parts.steps.step}
            category={parts.category}
            photos={
              <>
                <PhotoSection {...photos} />
                <ClipSection key={clips.form} {...clips} onChange={parts.clips.note} />
              </>
            }
          />
          {foot}
        </PostForm>
      </ListingForm>
      {wait.isWaiting && (
        <UploadDialog unsent={unsent} onClose={wait.stopWaiting} onRetry={() => photos.retry()} {...(onLater && { onLater })} />
      )}
    </>
  )
}

/** The last question of the form, and what follows it. */
export const Allowed = ({ children }: { children?: ReactNode }) => (
  <section id="send" className="form-panel sm:p-5">
    <TickQuestion name="isAllowed" label={m.sell_allowed()} hint={m.sell_allowed_hint()} />
    {children}
  </section>
)

interface DiscardProps extends Pick<ComponentProps<typeof PostForm>, 'action' | 'onSubmit'> {
  act: 'anew' | 'discard'
  className: string
  children: ReactNode
}

/** A plain form: the page reloads, without the text. */
export const Discard = ({ act, className, children, ...form }: DiscardProps) => (
  <PostForm reloadDocument {...form}>
    <button type="submit" name="act" value={act} className={className}>
      {children}
    </button>
  </PostForm>
)

/** Discards all that the form has, with a second tap. */
export const DiscardAll = ({ id, label, ...discard }: Omit<DiscardProps, 'className'> & { id?: string; label: string }) => (
  <details id={id} className="mt-6 text-center">
    <summary className="tap-link unmarked">{label}</summary>
    <Discard {...discard} className="button-plain border-brick text-brick" />
  </details>
)
