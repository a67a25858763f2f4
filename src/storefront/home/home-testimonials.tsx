import { m } from '#src/paraglide/messages.js'
import { Carousel } from '#src/ui/carousel.tsx'
import { Voice, type VoiceText } from './home-voice.tsx'

export function Testimonials({ voices }: { voices: VoiceText[] }) {
  return (
    <section className="-mx-4 bg-turmeric-soft px-4 py-6 md:mx-0 md:rounded-card md:p-8">
      <h2 className="text-2xl lg:text-3xl">{m.home_voices()}</h2>
      {voices.some(({ isSample }) => isSample) && <p className="mt-1 text-stone">{m.home_voices_note()}</p>}
      <Carousel
        label={m.home_voices()}
        className="mx-auto mt-3 max-w-4xl"
        slides={voices.map((voice) => ({ key: voice.key, content: <Voice voice={voice} /> }))}
      />
    </section>
  )
}
