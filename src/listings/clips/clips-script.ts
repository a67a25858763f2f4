/** A tap on a still plays its video in the still's place; a browser that cannot says so and offers the file (clip-list.tsx). */
export function startClips(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[data-clip]') : null
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    play(link)
  })
  // These events do not bubble.
  document.addEventListener('error', (event) => event.target instanceof HTMLMediaElement && showCannotPlay(event.target), true)
}

function play(link: HTMLAnchorElement): void {
  const video = document.createElement('video')
  Object.assign(video, { controls: true, playsInline: true, src: link.href, className: link.className, ariaLabel: link.ariaLabel })
  link.hidden = true
  link.after(video)
  video.focus()
  // Where the browser wants another tap, its own button stands there.
  video.play().catch(() => {})
}

function showCannotPlay(player: HTMLMediaElement): void {
  const note = player.closest('[data-clip-box]')?.querySelector<HTMLElement>('[data-clip-cannot]')
  if (note) note.hidden = false
}
