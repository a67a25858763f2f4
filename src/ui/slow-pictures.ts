/** After this time, a visible picture that has not loaded gets its blurred preview. */
const SLOW_AFTER_MS = 500

/** Calls `show` with the blurred preview of a visible picture that loads slowly. Returns a function that stops watching. */
export function watchSlowPicture(ground: Element, hash: string, show: (likeness: string) => void): () => void {
  const picture = ground.parentElement?.querySelector<HTMLImageElement>('picture img')
  if (!picture || picture.complete || hash === '') return () => {}
  let timer = 0
  const drawLikeness = () => {
    if (picture.complete) return
    // Offline the colour stays.
    import('./likeness.ts').then(
      ({ likenessOf }) => show(likenessOf(hash)),
      () => {},
    )
  }
  const watch = new IntersectionObserver(([entry]) => {
    clearTimeout(timer)
    if (entry!.isIntersecting) timer = window.setTimeout(drawLikeness, SLOW_AFTER_MS)
  })
  watch.observe(picture)
  return () => {
    watch.disconnect()
    clearTimeout(timer)
  }
}

/** For pages without React: watches every picture of the document that has a preview. */
export function startLikenesses(): void {
  for (const ground of document.querySelectorAll<SVGElement>('svg[data-hash]'))
    watchSlowPicture(ground, ground.dataset.hash!, (likeness) => {
      const image = new Image()
      image.src = likeness
      image.alt = ''
      image.className = 'fill-picture'
      ground.after(image)
    })
}
