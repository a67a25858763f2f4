import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { findShared, forgetShared } from '#src/kit/device/shared-with-us.ts'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { post } from '#src/kit/http/post-json.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import type { Typed } from '#src/selling/unsent/draft-fields.ts'
import type { FilledForm } from './fill-form.server.ts'
import { UNDERSTOOD, understoodText, type Hint } from './understood.ts'

type State = { is: 'idle' | 'busy' } | { is: 'failed'; says: string } | { is: 'done'; filled: FilledForm }

interface PasteBoxProps {
  /** The refusal of the page's form; without scripts it may be this one. */
  refused: FormRefusal | undefined
  onFill: (values: Typed) => void
}

/**
 * Fills the form from a message that the seller wrote for a chat group, pasted or shared. Without scripts the server returns the filled
 * form.
 */
export function PasteBox({ refused, onFill }: PasteBoxProps) {
  const failure = refused?.typed.act === 'paste' ? (refused.errors.pasted ?? refused.detail) : undefined
  const to = useLocalPath()
  const box = useRef<HTMLTextAreaElement>(null)
  const details = useRef<HTMLDetailsElement>(null)
  const [state, setState] = useState<State>(failure === undefined ? { is: 'idle' } : { is: 'failed', says: failure })

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
    setState({ is: 'busy' })
    const answer = await readText(box.current!.value)
    if (typeof answer === 'string') return setState({ is: 'failed', says: answer })
    onFill({ ...answer.values, [UNDERSTOOD]: understoodText(answer.values, answer.words) })
    setState({ is: 'done', filled: answer })
    void forgetShared('text').catch(() => {})
  }

  return (
    <details ref={details} open={failure !== undefined || undefined} className="group panel mt-2 bg-turmeric-soft">
      <summary className="flex min-h-12 cursor-pointer unmarked items-center gap-2 px-3 py-2 font-semibold">
        <Icon name="chat" size={24} className="shrink-0 text-leaf" />
        <span className="flex-1">{m.sell_paste()}</span>
        <span aria-hidden="true" className="fold-arrow" />
      </summary>
      <PostForm reloadDocument action={to('/sell')} onSubmit={(event) => void submit(event)} className="grid gap-2 px-4 pb-4">
        <TextAreaField
          ref={box}
          id="pasted"
          name="pasted"
          label={m.sell_paste_hint()}
          rows={4}
          maxLength={6000}
          placeholder={m.sell_paste_example()}
          error={state.is === 'failed' ? state.says : undefined}
        />
        <button type="submit" name="act" value="paste" aria-disabled={state.is === 'busy'} className="button-primary justify-self-start">
          {state.is === 'busy' ? m.sell_paste_busy() : m.sell_paste_fill()}
        </button>
        <div role="status">{state.is === 'done' && <Done {...state.filled} />}</div>
      </PostForm>
    </details>
  )
}

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
