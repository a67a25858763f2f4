import { m } from '#src/paraglide/messages.js'

export interface VoiceText {
  key: string
  text: string
  name: string
  place: string
  /** Invented by us, so it must not look like a customer's. */
  isSample: boolean
}

/** Testimonials that the office entered; samples until there is one. */
export function voicesOf(written: { id: number; title: string; text: string; place: string }[]): VoiceText[] {
  if (written.length > 0) return written.map(({ id, title, ...voice }) => ({ key: String(id), name: title, isSample: false, ...voice }))
  return [
    { text: m.home_voice_1(), name: m.home_voice_1_name(), place: m.home_voice_1_place() },
    { text: m.home_voice_2(), name: m.home_voice_2_name(), place: m.home_voice_2_place() },
    { text: m.home_voice_3(), name: m.home_voice_3_name(), place: m.home_voice_3_place() },
    { text: m.home_voice_4(), name: m.home_voice_4_name(), place: m.home_voice_4_place() },
  ].map((voice, index) => ({ key: String(index), isSample: true, ...voice }))
}

/** Server only. */
export function Voice({ voice: { text, name, place, isSample } }: { voice: VoiceText }) {
  return (
    <figure className="flex h-full flex-col justify-between gap-2 py-1 md:px-6 md:py-3">
      <blockquote className="md:text-2xl md:leading-relaxed">“{text}”</blockquote>
      <figcaption className="flex items-center gap-3">
        <span aria-hidden="true" className="grid size-11 shrink-0 place-items-center rounded-full bg-leaf text-xl font-bold text-white">
          {firstLetter(name)}
        </span>
        <span>
          <b className="block">
            {name}
            {isSample && <span className="chip ml-2 border border-stone/60 font-semibold text-stone">{m.card_sample()}</span>}
          </b>
          <span className="text-stone">{place}</span>
        </span>
      </figcaption>
    </figure>
  )
}

/** The first grapheme: a Tamil letter may be several characters. */
const firstLetter = (name: string) => [...new Intl.Segmenter('ta', { granularity: 'grapheme' }).segment(name)][0]!.segment
