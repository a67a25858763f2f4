import { m } from '#src/paraglide/messages.js'
import { Carousel } from '#src/ui/carousel.tsx'
import { Voice, type VoiceText } from './home-voice.tsx'

export function Testimonials({ voices }: { voices: VoiceText[] }) {
  return (
    <section className="-mx-4 bg-turmeric-soft px-4 py-3 md:mx-0 md:rounded-card md:p-8">
      <Carousel
        label={m.home_voices()}
        head={<h2 className="text-lg lg:text-3xl">{m.home_voices()}</h2>}
        slides={voices.map((voice) => ({ key: voice.key, content: <Voice voice={voice} /> }))}
      />
      {voices.some(({ isSample }) => isSample) && <p className="text-sm text-stone">{m.home_voices_note()}</p>}
    </section>
  )
}
