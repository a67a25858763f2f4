import { m } from '#src/paraglide/messages.js'

const voices = {
  1: { text: m.home_voice_1, name: m.home_voice_1_name, place: m.home_voice_1_place },
  2: { text: m.home_voice_2, name: m.home_voice_2_name, place: m.home_voice_2_place },
  3: { text: m.home_voice_3, name: m.home_voice_3_name, place: m.home_voice_3_place },
  4: { text: m.home_voice_4, name: m.home_voice_4_name, place: m.home_voice_4_place },
}

/** Marked as the sample it is: invented words may not pass for a customer's. Rendered by the server alone. */
export function Voice({ number }: { number: keyof typeof voices }) {
  const { text, name, place } = voices[number]
  return (
    <figure className="flex h-full flex-col justify-between gap-4 px-1 py-3 md:px-6">
      <blockquote className="text-xl leading-relaxed md:text-2xl">“{text()}”</blockquote>
      <figcaption className="flex items-center gap-3">
        <span aria-hidden="true" className="grid size-12 shrink-0 place-items-center rounded-full bg-leaf text-xl font-bold text-white">
          {firstLetter(name())}
        </span>
        <span>
          <b className="block">
            {name()} <span className="chip ml-1 border border-stone/60 font-semibold text-stone">{m.card_sample()}</span>
          </b>
          <span className="text-stone">{place()}</span>
        </span>
      </figcaption>
    </figure>
  )
}

/** As a reader counts letters: a Tamil one may be several characters. */
const firstLetter = (name: string) => [...new Intl.Segmenter('ta', { granularity: 'grapheme' }).segment(name)][0]!.segment
