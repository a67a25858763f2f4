import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { findShared, forgetShared } from '#src/kit/device/shared-with-us.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { post } from '#src/kit/http/post-json.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import { mayBeAnother } from './another-animal.ts'
import type { FilledForm } from './fill-form.server.ts'
import { UNDERSTOOD, understoodText, type Hint } from './understood.ts'

/** `asked`: the message may be about another animal than the form; the seller says. */
type State = { is: 'idle' | 'busy' | 'asked' } | { is: 'failed'; says: string } | { is: 'done'; filled: FilledForm }

interface PasteBoxProps {
  /** The refusal of the page's form; without scripts it may be this one. */
  refused: FormRefusal | undefined
  typedNow: () => Typed
  onFill: (values: Typed, isAnother: boolean) => void
  /** Stands below what was understood. */
  children: ReactNode
}

/** The box's text, and what was read from it. */
function usePaste({ refused: own, typedNow, onFill }: Omit<PasteBoxProps, 'children'>) {
  const isAsked = own?.errors.animal !== undefined
  const failure = own && !isAsked ? (own.errors.pasted ?? own.detail) : undefined
  const box = useRef<HTMLTextAreaElement>(null)
  const details = useRef<HTMLDetailsElement>(null)
  const [state, setState] = useState<State>(failure === undefined ? { is: isAsked ? 'asked' : 'idle' } : { is: 'failed', says: failure })

  // A text shared from another app appears in the box; the seller taps to use it.
  useEffect(() => {
    void findShared().then(({ text }) => {
      if (!text || !box.current || box.current.value !== '') return
      box.current.value = text
      details.current!.open = true
    })
  }, [])

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (state.is === 'busy') return
    const animal = (event.nativeEvent as globalThis.SubmitEvent).submitter?.getAttribute('value')
    setState({ is: 'busy' })
    const answer = await readText(box.current!.value)
    if (typeof answer === 'string') return setState({ is: 'failed', says: answer })
    if (!animal && mayBeAnother(typedNow(), answer.values)) return setState({ is: 'asked' })
    onFill({ ...answer.values, [UNDERSTOOD]: understoodText(answer.values, answer.words) }, animal === 'another')
    setState({ is: 'done', filled: answer })
    details.current!.open = false
    void forgetShared('text').catch(() => {})
  }

  return { box, details, state, submit, forgetAnswer: () => state.is === 'asked' && setState({ is: 'idle' }) }
}

/**
 * Fills the form from a message that the seller wrote for a chat group, pasted or shared. Without scripts the server
 * returns the filled form.
 */
export function PasteBox({ refused, children, ...form }: PasteBoxProps) {
  const own = refused?.typed.act === 'paste' ? refused : undefined
  const to = useLocalPath()
  const { box, details, state, submit, forgetAnswer } = usePaste({ refused: own, ...form })
  return (
    <>
      <details ref={details} open={own !== undefined || undefined} className="group panel mt-2 bg-turmeric-soft">
        <summary className="flex min-h-12 cursor-pointer unmarked items-center gap-2 px-3 py-2 font-semibold">
          <Icon name="chat" size={24} className="shrink-0 text-leaf" />
          <span className="flex-1">{m.sell_paste()}</span>
          <span aria-hidden="true" className="fold-arrow" />
        </summary>
        <PostForm reloadDocument action={to('/sell')} onSubmit={(event) => void submit(event)} className="grid gap-2 px-4 pb-4">
          <input type="hidden" name="act" value="paste" />
          <TextAreaField
            ref={box}
            id="pasted"
            name="pasted"
            label={m.sell_paste_hint()}
            rows={4}
            maxLength={6000}
            placeholder={m.sell_paste_example()}
            defaultValue={own?.typed.pasted}
            onInput={forgetAnswer}
            error={state.is === 'failed' ? state.says : undefined}
          />
          {state.is === 'asked' ? (
            <WhichAnimal />
          ) : (
            <button type="submit" aria-disabled={state.is === 'busy'} className="button-primary justify-self-start">
              {state.is === 'busy' ? m.sell_paste_busy() : m.sell_paste_fill()}
            </button>
          )}
        </PostForm>
      </details>
      <div role="status">
        {state.is === 'done' && (
          <div className="mt-2 grid gap-2">
            <Done {...state.filled} />
            {children}
          </div>
        )}
      </div>
    </>
  )
}

/** Asked before two animals are mixed. */
const WhichAnimal = () => (
  <div role="alert" className="notice grid gap-2">
    <p className="font-semibold">{m.sell_paste_which()}</p>
    <div className="flex flex-wrap gap-2">
      <button type="submit" name="animal" value="another" className="button-primary">
        {m.sell_paste_another()}
      </button>
      <button type="submit" name="animal" value="same" className="button-plain">
        {m.sell_paste_same()}
      </button>
    </div>
  </div>
)

function Done({ words, hint, elsewhere }: FilledForm) {
  const count = Object.keys(words).length
  return (
    <>
      {hint && <PasteHint hint={hint} />}
      <p className="done">
        {count === 0 ? m.sell_paste_nothing() : m.sell_paste_done({ count })}{' '}
        {elsewhere !== null && m.sell_paste_elsewhere({ place: elsewhere })}
      </p>
    </>
  )
}

export function PasteHint({ hint }: { hint: Hint }) {
  const to = useLocalPath()
  return (
    <p className="my-2 panel p-3 font-semibold">
      {{ several: m.sell_paste_several, wanted: m.sell_paste_wanted, lot: m.sell_paste_lot }[hint]()}{' '}
      {hint === 'wanted' && (
        <a href={to('/add-enquiry')} className="tap-link">
          {m.enquiry_add_title()}
        </a>
      )}
    </p>
  )
}

/** The fields that the message states, or why it could not be read. */
async function readText(text: string): Promise<FilledForm | string> {
  if (text.trim() === '') return m.field_paste_blank()
  try {
    const response = await post('/api/v1/listing-text', { text })
    if (response.ok) return (await response.json()) as FilledForm
    const { detail, fields = [] } = (await response.json()) as { detail: string; fields?: { message: string }[] }
    return fields[0]?.message === 'field_paste_long' ? m.field_paste_long() : detail
  } catch {
    return m.sell_paste_offline()
  }
}
