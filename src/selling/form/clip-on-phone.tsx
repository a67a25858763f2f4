import { use, useEffect, useEffectEvent } from 'react'
import { MAX_CAPTION } from '#src/kit/media/clips/clip-limits.ts'
import { m } from '#src/paraglide/messages.js'
import { ListingForm, TextQuestion } from '#src/selling/form/form-parts.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { captionFields } from '../captions.ts'
import { captionIn, dropClipAct, writeCaption, type ClipAct } from '#src/selling/unsent/queue.ts'

interface ClipOnPhoneProps {
  act: ClipAct
  /** The index of the video in the form, from 0; null for a voice note, and for a refused clip. */
  number: number | null
}

/** A clip in this phone's outbox. */
export function ClipOnPhone({ act, number }: ClipOnPhoneProps) {
  const to = useLocalPath()
  const field = number === null ? undefined : captionFields[number]
  const { typed } = use(ListingForm)
  const caption = useEffectEvent(() => {
    const text = field && typed[field]
    if (text !== undefined && text !== captionIn(act)) void writeCaption(act, text)
  })
  // The text of the form's field is the clip's caption, also after a reload, or when another clip goes.
  useEffect(() => caption(), [field, act.n])
  return (
    <li
      className="field-box text-sm"
      // The browser's own event: React's runs at each letter, and a large file would be written each time.
      ref={(line) => {
        const write = ({ target }: Event) => void writeCaption(act, (target as HTMLInputElement).value)
        line?.addEventListener('change', write)
        return () => line?.removeEventListener('change', write)
      }}
    >
      <p>
        <b>{act.kind === 'video' ? m.offline_act_video() : m.offline_act_voice()}</b> <span className="text-stone">{act.words}</span>
      </p>
      {act.state === 'refused' ? (
        <p role="alert" className="font-semibold text-brick">
          {m.offline_act_reason({ reason: act.reason ?? '' })}{' '}
          <a href={to('/offline#acts')} className="underline">
            {m.sell_later_list()}
          </a>
        </p>
      ) : (
        <p role="status">{m.sell_clip_on_phone()}</p>
      )}
      {field !== undefined && number !== null && (
        <TextQuestion name={field} label={m.sell_clip_caption({ number: number + 1 })} maxLength={MAX_CAPTION} />
      )}
      <button type="button" onClick={() => void dropClipAct(act)} className="button-plain px-2">
        {act.kind === 'video' ? m.sell_clip_gone() : m.sell_voice_remove()}
      </button>
    </li>
  )
}
