import { showModalWithEntry } from '#src/router-seams/history-entry.ts'
import { whenAtRest } from '#src/ui/carousel-script.ts'

const linksOfPage = () => [...document.querySelectorAll<HTMLAnchorElement>('[data-photo]')]
const placeIn = (row: Element) => Math.round(row.scrollLeft / row.clientWidth)
let isReady = false

/** Shows all photos of the page full-screen, starting with this one. Esc, the cross and Back close it. */
export function showPhoto(viewer: HTMLDialogElement, link: HTMLAnchorElement): void {
  // Ignore a double tap.
  if (viewer.open) return
  const row = viewer.querySelector('ul')!
  const links = linksOfPage()
  row.replaceChildren(...links.map(slideOf))
  if (!isReady) prepare(viewer, row)
  isReady = true
  showModalWithEntry(viewer)
  row.scrollTo({ left: links.indexOf(link) * row.clientWidth, behavior: 'instant' })
  showDetail(viewer, placeIn(row))
}

/** Adds the listeners of the viewer. Slides are created for each opening. */
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
  viewer.addEventListener('close', () => {
    // Scroll the page to the last seen photo.
    linksOfPage()[Number(viewer.dataset.viewer)]?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
  })
}

/** A slide with the picture that is already loaded, until its detail file arrives. */
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

/** Loads the detail file of the shown slide only, to save data. */
function showDetail(viewer: HTMLDialogElement, place: number): void {
  const status = viewer.querySelector<HTMLElement>('[role=status]')!
  const links = linksOfPage()
  const showStatus = (more = '') => (status.textContent = `${place + 1}/${links.length}${more}`)
  const picture = viewer.querySelectorAll<HTMLImageElement>('li > img')[place]!
  const { href } = links[place]!
  const isShown = () => picture.isConnected && viewer.dataset.viewer === String(place)
  viewer.dataset.viewer = String(place)
  showStatus()
  if (picture.src === href) return
  showStatus(` · ${status.dataset.loading}`)
  const detail = new Image()
  detail.src = href
  detail.decode().then(
    () => {
      picture.src = href
      if (isShown()) showStatus()
    },
    () => isShown() && showStatus(` · ${status.dataset.failed}`),
  )
}

const MOST = 5
const zoomOf = (slide: HTMLElement) => slide.firstElementChild!.clientWidth / slide.clientWidth

/** Zooms around a point of the screen, else around the middle. The slide then scrolls; at its edge, the next slide follows. */
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

/** Pinch with two fingers. The browser's own zoom would also enlarge the buttons. */
function pinch(event: TouchEvent): void {
  const [one, other] = event.touches
  if (!one || !other) return
  if (event.cancelable) event.preventDefault()
  const distance = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
  const middle = { clientX: (one.clientX + other.clientX) / 2, clientY: (one.clientY + other.clientY) / 2 }
  if (event.type === 'touchmove' && apart > 0) zoomBy(event.currentTarget as HTMLElement, distance / apart, middle)
  apart = distance
}

/** Pinch on a touchpad. */
function spread(event: WheelEvent): void {
  if (!event.ctrlKey) return
  event.preventDefault()
  zoomBy(event.currentTarget as HTMLElement, Math.exp(-event.deltaY / 100), event)
}
