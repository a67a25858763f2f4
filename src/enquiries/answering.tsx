import { FormFailure } from '#src/ui/form-failure.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { RadioCards } from '#src/ui/radio-cards.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import type { OnePage } from './enquiry-view.server.ts'

/** Sellers list a new animal or answer with one of theirs. Others read how to become a seller. */
export function Answering({ page, refused }: { page: OnePage; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { enquiry, answering } = page
  if (enquiry.isOwn || enquiry.isAdmin || enquiry.state !== 'open') return null
  return (
    <TitledPanel id="answering" title={m.enquiry_respond_title()} className="panel space-y-4 p-4">
      {answering ? (
        <>
          <NewOne page={page} hasOtherDraft={answering.hasOtherDraft} />
          <ExistingOnes page={page} answering={answering} refused={refused?.typed.act === 'respond' ? refused : undefined} />
        </>
      ) : (
        <>
          <p>{m.enquiry_respond_sellers()}</p>
          <a href={to('/sell')} className="button-primary">
            {m.enquiry_respond()}
          </a>
        </>
      )}
    </TitledPanel>
  )
}

type Answers = NonNullable<OnePage['answering']>

function ExistingOnes({ page, answering, refused }: { page: OnePage; answering: Answers; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const offered = answering.choices.filter(({ isOffered }) => isOffered)
  const left = answering.choices.filter(({ isOffered }) => !isOffered)
  return (
    <>
      {offered.length > 0 && (
        <div>
          <p className="font-semibold">{m.enquiry_respond_offered()}</p>
          <ul className="mt-1 divide-y divide-line border-y border-line">
            {offered.map(({ id, name, isPending }) => (
              <li key={id} className="flex items-center justify-between gap-3 py-1">
                <span className="min-w-0">
                  <a href={to(`/product/${id}`)} className="tap-link">
                    {name}
                  </a>
                  {isPending && <span className="block text-sm text-stone">{m.wanted_pending()}</span>}
                </span>
                <PostForm action={to(page.path)} className="shrink-0">
                  <input type="hidden" name="offered" value={id} />
                  <button
                    type="submit"
                    name="act"
                    value="take-back"
                    aria-label={m.enquiry_take_back_of({ name })}
                    className="tap-link cursor-pointer px-1 text-sm text-brick"
                  >
                    {m.enquiry_take_back()}
                  </button>
                </PostForm>
              </li>
            ))}
          </ul>
        </div>
      )}
      {left.length > 0 && <Choosing page={page} left={left} refused={refused} />}
      {answering.sold > 0 && (
        <p className="text-sm text-stone">
          {answering.sold === 1 ? m.enquiry_respond_sold_one() : m.enquiry_respond_sold({ count: answering.sold })}{' '}
          <a href={to('/seller-product/?tab=2')} className="link inline-block py-1">
            {m.enquiry_respond_sold_list()}
          </a>
        </p>
      )}
    </>
  )
}

/** The form that answers with one of these listings. */
function Choosing({ page, left, refused }: { page: OnePage; left: Answers['choices']; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const error = refused?.errors.listing
  const form = useFocusOnError(refused)
  return (
    <PostForm ref={form} action={to(page.path)} className="space-y-3 border-t border-line pt-4">
      {/* The phone lists this while the answer waits for a connection. */}
      <HiddenFields what={page.enquiry.what} {...Object.fromEntries(left.map(({ id, name }) => [`name-${id}`, name]))} />
      {refused && !error && <FormFailure detail={refused.detail} isStored={refused.isStored} />}
      <RadioCards
        id="enquiry-listing"
        name="listing"
        legend={m.enquiry_respond_own()}
        options={left.map(({ id, name, isPending }) => ({ id, name, more: isPending && m.wanted_pending() }))}
        chosen={left.length === 1 ? left[0]!.id : refused?.typed.listing}
        error={error}
        columns="sm:grid-cols-2"
        card="min-h-12 gap-3"
      />
      <button type="submit" name="act" value="respond" className="button-plain">
        {m.enquiry_respond_with()}
      </button>
    </PostForm>
  )
}

/** Respond leads to /sell (B §2), whatever the seller has listed. An unfinished listing there is not put away without a word. */
function NewOne({ page, hasOtherDraft }: { page: OnePage; hasOtherDraft: boolean }) {
  const to = useLocalPath()
  const text = hasOtherDraft ? m.enquiry_respond_draft() : m.enquiry_respond_new_text()
  return (
    <PostForm action={to(page.path)} className="space-y-2">
      <p className={hasOtherDraft ? 'notice' : ''}>{text}</p>
      <div className="flex flex-wrap gap-3">
        {hasOtherDraft ? (
          <>
            <a href={to('/sell')} className="button-primary">
              {m.enquiry_respond()}
            </a>
            <button type="submit" name="act" value="begin-anew" className="button-plain">
              {m.enquiry_respond_anew()}
            </button>
          </>
        ) : (
          <button type="submit" name="act" value="begin" className="button-primary">
            {m.enquiry_respond()}
          </button>
        )}
      </div>
    </PostForm>
  )
}
