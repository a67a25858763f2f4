import { pushEntry } from '#src/router-seams/history-entry.ts'
import { whenAtRest } from '#src/ui/carousel-script.ts'

const linksOfPage = () => [...document.querySelectorAll<HTMLAnchorElement>('[data-photo]')]
const placeIn = (row: Element) => Math.round(row.scrollLeft / row.clientWidth)
let isReady = false

/** All photos of the page in full, this one first. Esc, the cross and Back close it. */
export function showPhoto(viewer: HTMLDialogElement, link: HTMLAnchorElement): void {
  // Two quick taps.
  if (viewer.open) return
  const row = viewer.querySelector('ul')!
  const links = linksOfPage()
  row.replaceChildren(...links.map(slideOf))
  if (!isReady) prepare(viewer, row)
  isReady = true
  viewer.showModal()
  pushEntry()
  row.scrollTo({ left: links.indexOf(link) * row.clientWidth, behavior: 'instant' })
  showDetail(viewer, placeIn(row))
}

/** Listens to what stands in the page; the slides come and go. */
function prepare(viewer: HTMLDialogElement, row: HTMLElement): void {
  const turn = (by: number) => row.scrollTo({ left: (placeIn(row) + by) * row.clientWidth })
  whenAtRest(row, (place) => viewer.open && showDetail(viewer, place))
  viewer.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLElement>('[data-turn]')
    if (button?.dataset.turn === 'close') viewer.close()
    else if (button) turn(Number(button.dataset.turn))
  })
  viewer.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const zoom = { '+': 1.5, '=': 1.5, '-': 1 / 1.5 }[event.key]
    if (step) turn(step)
    else if (zoom) zoomBy(row.children[placeIn(row)] as HTMLElement, zoom)
    else return
    event.preventDefault()
  })
  let isBack = false
  addEventListener('popstate', () => {
    isBack = viewer.open
    viewer.close()
  })
  viewer.addEventListener('close', () => {
    // The page shows the photo that was seen last.
    linksOfPage()[Number(viewer.dataset.viewer)]?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
    if (!isBack) history.back()
    isBack = false
  })
}

/** The picture that the page has already, until its detail comes. */
function slideOf(link: HTMLAnchorElement): HTMLElement {
  const small = link.querySelector('img')!
  const slide = Object.assign(document.createElement('li'), {
    className: 'h-full w-full shrink-0 snap-center overflow-auto [scrollbar-width:none]',
  })
  const className = 'h-full w-full max-w-none cursor-zoom-in object-contain'
  slide.append(Object.assign(new Image(), { src: small.currentSrc || small.src, alt: small.alt, draggable: false, className }))
  slide.addEventListener('click', toggle)
  slide.addEventListener('pointermove', drag)
  slide.addEventListener('touchstart', pinch, { passive: false })
  slide.addEventListener('touchmove', pinch, { passive: false })
  slide.addEventListener('wheel', spread, { passive: false })
  return slide
}

/** Of the shown slide alone: nobody pays for pictures that they do not look at. */
function showDetail(viewer: HTMLDialogElement, place: number): void {
  const status = viewer.querySelector<HTMLElement>('[role=status]')!
  const links = linksOfPage()
  const say = (more = '') => (status.textContent = `${place + 1}/${links.length}${more}`)
  const picture = viewer.querySelectorAll<HTMLImageElement>('li > img')[place]!
  const { href } = links[place]!
  const isShown = () => picture.isConnected && viewer.dataset.viewer === String(place)
  viewer.dataset.viewer = String(place)
  say()
  if (picture.src === href) return
  say(` · ${status.dataset.loading}`)
  const detail = new Image()
  detail.src = href
  detail.decode().then(
    () => {
      picture.src = href
      if (isShown()) say()
    },
    () => isShown() && say(` · ${status.dataset.failed}`),
  )
}

const MOST = 5
const zoomOf = (slide: HTMLElement) => slide.firstElementChild!.clientWidth / slide.clientWidth

/** Around a point of the screen, else around the middle. The slide then scrolls, and at its edge the next one comes. */
function zoomBy(slide: HTMLElement, by: number, at?: { clientX: number; clientY: number }): void {
  const picture = slide.firstElementChild as HTMLElement
  const before = zoomOf(slide)
  const zoom = Math.min(Math.max(before * by, 1), MOST)
  const box = slide.getBoundingClientRect()
  const [x, y] = at ? [at.clientX - box.left, at.clientY - box.top] : [box.width / 2, box.height / 2]
  const [left, top] = [slide.scrollLeft, slide.scrollTop]
  picture.style.width = picture.style.height = `${zoom * 100}%`
  picture.style.cursor = zoom > 1 ? 'move' : ''
  slide.scrollTo({ left: ((left + x) * zoom) / before - x, top: ((top + y) * zoom) / before - y, behavior: 'instant' })
}

let tappedAt = -Infinity
let isDragged = false

/** A click of a mouse, or two taps of a finger. */
function toggle(event: MouseEvent): void {
  const slide = event.currentTarget as HTMLElement
  const isMouse = (event as PointerEvent).pointerType === 'mouse'
  const isSecond = event.timeStamp - tappedAt < 350
  tappedAt = isSecond ? -Infinity : event.timeStamp
  if (isMouse ? !isDragged : isSecond) zoomBy(slide, zoomOf(slide) > 1 ? 0 : 2.5, event)
  isDragged = false
}

function drag(event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || event.buttons !== 1) return
  isDragged ||= Math.abs(event.movementX) + Math.abs(event.movementY) > 2
  ;(event.currentTarget as HTMLElement).scrollBy({ left: -event.movementX, top: -event.movementY, behavior: 'instant' })
}

let apart = 0

/** Two fingers. The browser's own zoom would enlarge the buttons, too. */
function pinch(event: TouchEvent): void {
  const [one, other] = event.touches
  if (!one || !other) return
  if (event.cancelable) event.preventDefault()
  const distance = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
  const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 }
  if (event.type === 'touchmove' && apart > 0) zoomBy(event.currentTarget as HTMLElement, distance / apart, middle)
  apart = distance
}

/** Two fingers on a touchpad. */
function spread(event: WheelEvent): void {
  if (!event.ctrlKey) return
  event.preventDefault()
  zoomBy(event.currentTarget as HTMLElement, Math.exp(-event.deltaY / 100), event)
}
