import type { ReactNode } from 'react'
import { m } from '#src/paraglide/messages.js'
import { Icon } from './icon.tsx'

interface CarouselProps {
  label: string
  slides: { key: string; content: ReactNode }[]
  className?: string
  /** A heading beside the buttons, above the slides. Without it the buttons stand below them. */
  head?: ReactNode
}

/**
 * Rotating slides (carousel-script.ts) with a stop button. The base is a row with scroll snapping: people can swipe it, and without JavaScript they
 * use that or the scroll bar. Server only.
 */
export function Carousel({ label, slides, className = '', head }: CarouselProps) {
  const position = (index: number) => m.carousel_position({ number: index + 1, count: slides.length })
  return (
    <section data-carousel="" aria-roledescription={m.carousel_role()} aria-label={label} className={`flex flex-col ${className}`}>
      <div className={`flex items-center gap-1 ${head ? '' : 'order-last'}`}>
        {head && <div className="min-w-0 flex-1">{head}</div>}
        <StopButton />
        <span data-carousel-dots="" aria-hidden="true" className={`items-center gap-1.5 ${head ? 'hidden sm:flex' : 'flex'}`}>
          {slides.map(({ key }, index) => (
            <span
              key={key}
              data-current={index === 0 ? '' : undefined}
              className="h-2 w-2 rounded-full bg-stone/50 data-current:w-6 data-current:bg-leaf"
            />
          ))}
        </span>
        <span data-carousel-position="" aria-live="polite" className="sr-only">
          {position(0)}
        </span>
        <button type="button" data-carousel-previous="" className={buttonClass} aria-label={m.carousel_previous()}>
          <Icon name="previous" size={24} />
        </button>
        <button type="button" data-carousel-next="" className={buttonClass} aria-label={m.carousel_next()}>
          <Icon name="next" size={24} />
        </button>
      </div>
      <div
        data-slides=""
        role="group"
        aria-label={label}
        tabIndex={0}
        className="flex flex-1 snap-x snap-mandatory overflow-x-auto rounded-card overscroll-x-contain [scrollbar-width:none] [@media(scripting:none)]:[scrollbar-width:auto]"
      >
        {slides.map(({ key, content }, index) => (
          <div
            key={key}
            role="group"
            aria-roledescription={m.carousel_slide_role()}
            aria-label={position(index)}
            className="w-full shrink-0 snap-start"
          >
            {content}
          </div>
        ))}
      </div>
    </section>
  )
}

function StopButton() {
  return (
    <button
      type="button"
      data-carousel-toggle=""
      data-playing=""
      data-play={m.carousel_play()}
      data-pause={m.carousel_pause()}
      aria-label={m.carousel_pause()}
      className={`group ${buttonClass}`}
    >
      <Icon name="pause" size={20} className="not-group-data-playing:hidden" />
      <Icon name="play" size={20} className="group-data-playing:hidden" />
    </button>
  )
}

const buttonClass = 'round-button noscript:hidden'
