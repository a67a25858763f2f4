import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { useCarousel } from './use-carousel.ts'
import { Icon } from './icon.tsx'

interface CarouselProps {
  label: string
  slides: { key: string; content: ReactNode }[]
  className?: string
}

/**
 * Slides that rotate, with a button that stops them. Underneath it is a row that snaps from slide to slide: a thumb can swipe
 * it, and without JavaScript that (or its scroll bar) is all there is.
 */
export function Carousel({ label, slides, className = '' }: CarouselProps) {
  const { row, current, isPlaying, isRunning, show, toggle, holders } = useCarousel(slides.length)
  return (
    <section aria-roledescription={m.carousel_role()} aria-label={label} className={`flex flex-col ${className}`} {...holders}>
      <div className="order-last flex items-center gap-1 [@media(scripting:none)]:hidden">
        <button type="button" onClick={toggle} className={buttonClass} aria-label={isPlaying ? m.carousel_pause() : m.carousel_play()}>
          {isPlaying ? <Icon name="pause" size={20} /> : <Icon name="play" size={20} />}
        </button>
        <span aria-hidden="true" className="flex items-center gap-1.5">
          {slides.map(({ key }, index) => (
            <span key={key} className={`h-2 rounded-full ${index === current ? 'w-6 bg-leaf' : 'w-2 bg-stone/50'}`} />
          ))}
        </span>
        <span aria-live={isRunning ? 'off' : 'polite'} className="sr-only">
          {m.carousel_position({ number: current + 1, count: slides.length })}
        </span>
        <button type="button" onClick={() => show(current - 1)} className={buttonClass} aria-label={m.carousel_previous()}>
          <Icon name="previous" size={24} />
        </button>
        <button type="button" onClick={() => show(current + 1)} className={buttonClass} aria-label={m.carousel_next()}>
          <Icon name="next" size={24} />
        </button>
      </div>
      <div
        ref={row}
        role="group"
        aria-label={label}
        tabIndex={0}
        className="flex flex-1 snap-x snap-mandatory overflow-x-auto overscroll-x-contain [scrollbar-width:none] [@media(scripting:none)]:[scrollbar-width:auto]"
      >
        {slides.map(({ key, content }, index) => (
          <div
            key={key}
            role="group"
            aria-roledescription={m.carousel_slide_role()}
            aria-label={m.carousel_position({ number: index + 1, count: slides.length })}
            className="w-full shrink-0 snap-start"
          >
            {content}
          </div>
        ))}
      </div>
    </section>
  )
}

const buttonClass = 'grid size-11 cursor-pointer place-items-center rounded-full text-leaf hover:bg-leaf-soft'
