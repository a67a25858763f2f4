import { m } from '#src/paraglide/messages.js'
import { Carousel } from '#src/ui/carousel.tsx'
import { Voice } from './home-voice.tsx'

export function Testimonials() {
  return (
    <section className="-mx-4 bg-turmeric-soft px-4 py-6 md:mx-0 md:rounded-card md:p-8">
      <h2 className="text-2xl lg:text-3xl">{m.home_voices()}</h2>
      <p className="mt-1 mb-3 text-stone">{m.home_voices_note()}</p>
      <Carousel
        label={m.home_voices()}
        className="mx-auto max-w-4xl"
        slides={([1, 2, 3, 4] as const).map((number) => ({
          key: String(number),
          content: <Voice number={number} />,
        }))}
      />
    </section>
  )
}
