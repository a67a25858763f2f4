import { useEffect, useRef, useState, type FocusEvent, type RefObject } from 'react'

/** A carousel shows each slide for this long (spec B, home). */
const ROTATE_EVERY_MS = 5000
/** A row that has not been scrolled for this long has come to rest on a slide. */
const AT_REST_AFTER_MS = 120

const calmed = '(prefers-reduced-motion: reduce)'

/**
 * A row of slides, each as wide as the row, that moves on by itself: not while somebody points at it, has the focus in it or
 * has stopped it, not out of sight, and never unasked where the reader wants less motion. Swiping works without any of this.
 */
export function useCarousel(count: number) {
  const row = useRef<HTMLDivElement>(null)
  /** The slide it scrolls to by script: until it arrives, slides passed on the way are not the current one. */
  const goal = useRef<number | null>(null)
  const [current, setCurrent] = useState(0)
  const [isPlaying, setPlaying] = useState(true)
  const [isPointedAt, setPointedAt] = useState(false)
  const [isFocused, setFocused] = useState(false)
  useReducedMotion(setPlaying)
  const isSeen = useIsSeen(row)
  const isRunning = isPlaying && isSeen && !isPointedAt && !isFocused
  useRestingSlide(row, goal, setCurrent)
  useGoalCancelledByHand(row, goal)

  const show = (index: number) => {
    const element = row.current!
    const place = (index + count) % count
    goal.current = place
    setCurrent(place)
    element.scrollTo({ left: place * element.clientWidth, behavior: window.matchMedia(calmed).matches ? 'instant' : 'smooth' })
  }

  useEffect(() => {
    if (!isRunning) return
    const timer = window.setInterval(() => {
      if (!document.hidden) show(current + 1)
    }, ROTATE_EVERY_MS)
    return () => window.clearInterval(timer)
  })

  return {
    row,
    current,
    isPlaying,
    isRunning,
    show,
    /** Whoever presses Play wants it to move, although the button now has the focus and the pointer. */
    toggle: () => {
      setPlaying(!isPlaying)
      setPointedAt(false)
      setFocused(false)
    },
    holders: {
      onMouseEnter: () => setPointedAt(true),
      onMouseLeave: () => setPointedAt(false),
      onFocus: () => setFocused(true),
      onBlur: (event: FocusEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false)
      },
    },
  }
}

type Row = RefObject<HTMLDivElement | null>
type Goal = RefObject<number | null>

function useReducedMotion(setPlaying: (isPlaying: boolean) => void) {
  useEffect(() => {
    const motion = window.matchMedia(calmed)
    const obey = () => motion.matches && setPlaying(false)
    obey()
    motion.addEventListener('change', obey)
    return () => motion.removeEventListener('change', obey)
  }, [setPlaying])
}

function useIsSeen(row: Row): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const watch = new IntersectionObserver(([entry]) => setSeen(entry!.isIntersecting), { threshold: 0.5 })
    watch.observe(row.current!)
    return () => watch.disconnect()
  }, [row])
  return isSeen
}

/** Reports the slide on which the row has come to rest. */
function useRestingSlide(row: Row, goal: Goal, setCurrent: (place: number) => void) {
  useEffect(() => {
    const element = row.current!
    const settle = () => {
      const place = Math.round(element.scrollLeft / element.clientWidth)
      if (goal.current !== null && goal.current !== place) return
      goal.current = null
      setCurrent(place)
    }
    // A busy phone may pause in the middle of a slide, so the timer is only for browsers without `scrollend`.
    if ('onscrollend' in window) {
      element.addEventListener('scrollend', settle)
      return () => element.removeEventListener('scrollend', settle)
    }
    let rest: number | undefined
    const notice = () => {
      window.clearTimeout(rest)
      rest = window.setTimeout(settle, AT_REST_AFTER_MS)
    }
    element.addEventListener('scroll', notice, { passive: true })
    return () => {
      element.removeEventListener('scroll', notice)
      window.clearTimeout(rest)
    }
  }, [row, goal, setCurrent])
}

/** Whoever swipes or scrolls it decides where it stops. */
function useGoalCancelledByHand(row: Row, goal: Goal) {
  useEffect(() => {
    const element = row.current!
    const giveUp = () => (goal.current = null)
    const hands = ['pointerdown', 'wheel', 'keydown'] as const
    for (const hand of hands) element.addEventListener(hand, giveUp, { passive: true })
    return () => hands.forEach((hand) => element.removeEventListener(hand, giveUp))
  }, [row, goal])
}
